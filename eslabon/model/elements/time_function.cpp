#include "eslabon/model/elements/time_function.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "eslabon/core/text/error.hpp"
#include "eslabon/core/text/number_text.hpp"

namespace eslabon::model {
namespace {

using Operation = TimeFunction::Operation;

void require_finite(double value) {
  if (std::isfinite(value)) return;
  throw core::ContractError({.what = "a function of time is not a finite number",
                             .where = "TimeFunction",
                             .expected = "a finite value",
                             .actual = core::number_text(value),
                             .next = "Check the numbers and operations it is built from."});
}

void require_operands(Operation operation, int given) {
  const int needed = TimeFunction::operand_count(operation);
  if (needed == given) return;
  throw core::ContractError({.what = "an operation got the wrong number of functions",
                             .where = "TimeFunction::apply",
                             .expected = std::to_string(needed),
                             .actual = std::to_string(given),
                             .next = "Call the overload that fits the operation."});
}

void require_within(const char* what, std::size_t value, std::size_t limit) {
  if (value <= limit) return;
  throw core::ContractError({.what = "a function of time is too complex",
                             .where = "TimeFunction",
                             .expected = "at most " + std::to_string(limit) + " " + what,
                             .actual = std::to_string(value),
                             .next = "Simplify it: nest the operations to the left, or use fewer."});
}

/// Where the operand that ends before `end` begins.
std::size_t begin_of_operand(const std::vector<TimeFunction::Instruction>& program, std::size_t end) {
  for (int wanted = 1; wanted > 0;) wanted += TimeFunction::operand_count(program[--end].operation) - 1;
  return end;
}

/// A number that is a term of a function.
struct ConstantTerm {
  std::size_t place;  ///< in the program
  double sign;        ///< −1: it is taken away
};
/// Those of the operand that ends before `end`.
void find_constant_terms(const std::vector<TimeFunction::Instruction>& program, std::size_t end, double sign,
                         std::vector<ConstantTerm>& terms) {
  const Operation last = program[end - 1].operation;
  if (last == Operation::kConstant) terms.push_back({end - 1, sign});
  if (last == Operation::kNegate) find_constant_terms(program, end - 1, -sign, terms);
  if (last != Operation::kAdd && last != Operation::kSubtract) return;
  find_constant_terms(program, begin_of_operand(program, end - 1), sign, terms);
  find_constant_terms(program, end - 1, last == Operation::kSubtract ? -sign : sign, terms);
}

}  // namespace

#define ESLABON_INSTANTIATE(T) template T TimeFunction::evaluate(const T&, std::span<const T>) const;
ESLABON_FOR_EACH_NUMBER(ESLABON_INSTANTIATE)
#undef ESLABON_INSTANTIATE

TimeFunction::TimeFunction(double value) : TimeFunction(Instruction{Operation::kConstant, value}) {
  require_finite(value);
}

TimeFunction TimeFunction::time() { return TimeFunction(Instruction{Operation::kTime}); }

TimeFunction TimeFunction::argument(int k) {
  return TimeFunction(Instruction{.operation = Operation::kArgument, .argument = k});
}

bool TimeFunction::depends_on_time() const {
  return std::ranges::count(program_, Operation::kTime, &Instruction::operation) > 0;
}

int TimeFunction::operand_count(Operation operation) {
  if (operation <= Operation::kArgument) return 0;
  return operation < Operation::kNegate ? 2 : 1;
}

double TimeFunction::apply_to_numbers(Operation operation, double x, double y) {
  return operand_count(operation) == 1 ? detail::apply_unary(operation, x)
                                       : detail::apply_binary(operation, x, y);
}

TimeFunction TimeFunction::shifted(double by) const {
  std::vector<ConstantTerm> terms;
  find_constant_terms(program_, program_.size(), 1.0, terms);
  const auto left = [&](const ConstantTerm& term) {
    return std::abs(term.sign * program_[term.place].constant + by);
  };
  const auto nearest = std::ranges::min_element(terms, {}, left);
  if (nearest == terms.end() || left(*nearest) > 0.5 * std::abs(by)) return *this + by;
  TimeFunction result = *this;
  result.program_[nearest->place].constant += nearest->sign * by;
  return result;
}

template <class LeafOf>
TimeFunction TimeFunction::rebuilt(LeafOf leaf_of) const {
  std::vector<TimeFunction> stack;
  for (const Instruction& step : program_) {
    if (operand_count(step.operation) == 0) {
      stack.push_back(leaf_of(step));
    } else if (step.operation == Operation::kTable) {
      stack.back() = table(step.table, std::move(stack.back()), step.argument);
    } else if (operand_count(step.operation) == 1) {
      stack.back() = apply(step.operation, std::move(stack.back()));
    } else {
      const TimeFunction right = std::move(stack.back());
      stack.pop_back();
      stack.back() = apply(step.operation, std::move(stack.back()), right);
    }
  }
  return std::move(stack.back());
}

TimeFunction TimeFunction::with_arguments(std::span<const TimeFunction> arguments) const {
  return rebuilt([&](const Instruction& step) {
    return step.operation == Operation::kArgument ? arguments[static_cast<std::size_t>(step.argument)]
                                                  : TimeFunction(step);
  });
}

TimeFunction TimeFunction::with_time(const TimeFunction& time) const {
  return rebuilt([&](const Instruction& step) {
    return step.operation == Operation::kTime ? time : TimeFunction(step);
  });
}

TimeFunction TimeFunction::table(std::shared_ptr<const core::CubicTable> table, TimeFunction x, int order) {
  if (x.is_constant()) return TimeFunction(table->evaluate(x.constant_value(), order));
  x.program_.push_back({.operation = Operation::kTable, .argument = order, .table = std::move(table)});
  require_within("instructions", x.program_.size(), kMaxLength);
  return x;
}

const core::CubicTable* TimeFunction::whole_table() const {
  const bool is_one = program_.size() == 2 && program_[0].operation == Operation::kTime &&
                      program_[1].operation == Operation::kTable && program_[1].argument == 0;
  return is_one ? program_[1].table.get() : nullptr;
}

double TimeFunction::constant_value() const {
  if (!is_constant()) {
    throw core::ContractError({.what = "a function of time has no single value",
                               .where = "TimeFunction::constant_value",
                               .expected = "a function that does not depend on time",
                               .actual = std::to_string(program_.size()) + " instructions with the time",
                               .next = "Ask is_constant() first, or evaluate it at a time."});
  }
  return program_.front().constant;
}

TimeFunction TimeFunction::apply(Operation operation, TimeFunction operand) {
  require_operands(operation, 1);
  if (operand.is_constant()) return TimeFunction(apply_to_numbers(operation, operand.constant_value()));
  operand.program_.push_back({operation});
  require_within("instructions", operand.program_.size(), kMaxLength);
  return operand;
}

TimeFunction TimeFunction::apply(Operation operation, TimeFunction left, const TimeFunction& right) {
  require_operands(operation, 2);
  if (left.is_constant() && right.is_constant()) {
    return TimeFunction(apply_to_numbers(operation, left.constant_value(), right.constant_value()));
  }
  left.depth_ = std::max(left.depth_, right.depth_ + 1);
  require_within("values at once", static_cast<std::size_t>(left.depth_), kMaxDepth);
  require_within("instructions", left.program_.size() + right.program_.size() + 1, kMaxLength);
  left.program_.insert(left.program_.end(), right.program_.begin(), right.program_.end());
  left.program_.push_back({operation});
  return left;
}

}  // namespace eslabon::model
