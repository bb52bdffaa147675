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

namespace {

/// The value; see(number of the choice, what it looks at) for each choice.
template <class See>
double evaluate_seen(const TimeFunction& function, double t, std::span<const double> arguments,
                     Choices choices, const See& see) {
  std::array<double, TimeFunction::kMaxDepth> stack{};
  std::size_t size = 0, found = 0;
  for (const TimeFunction::Instruction& step : function.program()) {
    if (is_choice(step)) {
      const double seen = stack[size - 2];
      see(found, seen);
      const bool holds = choices.empty() ? seen > 0.0 : choices[found] != 0;
      ++found;
      --size;
      stack[size - 1] = holds == (step.operation == Operation::kWhere) ? stack[size] : 0.0;
      continue;
    }
    if (step.operation == Operation::kConstant)
      stack[size++] = step.constant;
    else if (step.operation == Operation::kTime)
      stack[size++] = t;
    else if (step.operation == Operation::kArgument)
      stack[size++] = arguments[static_cast<std::size_t>(step.argument)];
    else if (step.operation == Operation::kTable)
      stack[size - 1] = step.table->evaluate(stack[size - 1], step.argument);
    else if (TimeFunction::operand_count(step.operation) == 1)
      stack[size - 1] = TimeFunction::apply_to_numbers(step.operation, stack[size - 1]);
    else {
      --size;
      stack[size - 1] = TimeFunction::apply_to_numbers(step.operation, stack[size - 1], stack[size]);
    }
  }
  return stack[0];
}

}  // namespace

void switch_values(const TimeFunction& function, double t, std::span<const double> arguments,
                   std::span<double> out, Choices choices) {
  static_cast<void>(
      evaluate_seen(function, t, arguments, choices, [&](std::size_t k, double seen) { out[k] = seen; }));
}

double evaluate_chosen(const TimeFunction& function, double t, std::span<const double> arguments,
                       Choices choices) {
  return evaluate_seen(function, t, arguments, choices, [](std::size_t, double) {});
}

}  // namespace eslabon::model
