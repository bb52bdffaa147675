#include "eslabon/model/elements/function_switches.hpp"

#include <algorithm>
#include <array>

namespace eslabon::model {

using Operation = TimeFunction::Operation;

namespace {

bool is_choice(const TimeFunction::Instruction& step) {
  return step.operation == Operation::kWhere || step.operation == Operation::kWhereNot;
}

}  // namespace

std::size_t num_switches(const TimeFunction& function) {
  return static_cast<std::size_t>(std::ranges::count_if(function.program(), is_choice));
}

void switch_values(const TimeFunction& function, double t, std::span<const double> arguments,
                   std::span<double> out) {
  std::array<double, TimeFunction::kMaxDepth> stack{};
  std::size_t size = 0, found = 0;
  for (const TimeFunction::Instruction& step : function.program()) {
    if (is_choice(step)) out[found++] = stack[size - 2];
    if (step.operation == Operation::kConstant)
      stack[size++] = step.constant;
    else if (step.operation == Operation::kTime)
      stack[size++] = t;
    else if (step.operation == Operation::kArgument)
      stack[size++] = arguments[static_cast<std::size_t>(step.argument)];
    else if (TimeFunction::operand_count(step.operation) == 1)
      stack[size - 1] = TimeFunction::apply_to_numbers(step.operation, stack[size - 1]);
    else {
      --size;
      stack[size - 1] = TimeFunction::apply_to_numbers(step.operation, stack[size - 1], stack[size]);
    }
  }
}

}  // namespace eslabon::model
