#include "eslabon/core/scalar/trace.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <utility>

#include "eslabon/core/text/error.hpp"

namespace eslabon::core {

namespace {

thread_local Trace* listening_trace = nullptr;

bool is(const Traced& x, double value) { return x.is_constant() && x.constant() == value; }

/// A constant that nothing stands for: operations on such ones need nobody who listens.
bool is_plain_constant(const Traced& x) {
  return x.is_constant() && (listening_trace == nullptr || !listening_trace->replaces(x.constant()));
}

/// The number of 24 bits that x is but for roundoff, otherwise x itself: (L/2) · (1/L) is one half for every L. What is written down of models
/// with other numbers must not depend on their last digits.
double without_roundoff(double x) {
  constexpr int kBits = 24;
  constexpr double kRoundoff = 1e-15;
  int exponent = 0;
  const double short_number = std::ldexp(std::nearbyint(std::ldexp(std::frexp(x, &exponent), kBits)), -kBits);
  const double plain = std::ldexp(short_number, exponent);
  return std::abs(plain - x) <= kRoundoff * std::abs(x) ? plain : x;
}

}  // namespace

Trace::Listening::Listening(Trace& trace) : before_(std::exchange(listening_trace, &trace)) {}
Trace::Listening::~Listening() { listening_trace = before_; }

Trace& Trace::listening() {
  if (!listening_trace)
    throw ContractError({.what = "traced numbers have no listener",
                         .where = "core::Trace",
                         .expected = "a Trace::Listening on this thread",
                         .actual = "none",
                         .next = "Construct one before the kernel is called."});
  return *listening_trace;
}

void Trace::mark() {
  if (!listening_trace) return;
  const int place = static_cast<int>(listening_trace->nodes_.size());
  std::vector<int>& marks = listening_trace->marks_;
  if (marks.empty() || marks.back() != place) marks.push_back(place);
}

Trace* Trace::naming() {
  return listening_trace && listening_trace->keeps_names_ ? listening_trace : nullptr;
}

Trace::Scope::Scope(std::string_view title, std::string_view says)
    : trace_(naming()), before_(trace_ ? trace_->part_ : 0) {
  if (!trace_) return;
  std::vector<Part>& parts = trace_->parts_;
  const auto known = std::ranges::find_if(
      parts, [&](const Part& part) { return part.parent == before_ && part.title == title; });
  trace_->part_ = static_cast<int>(known - parts.begin());
  if (known == parts.end()) parts.push_back({before_, std::string(title), std::string(says)});
}
Trace::Scope::~Scope() {
  if (trace_) trace_->part_ = before_;
}

void Trace::name(Quantity quantity) {
  if (!keeps_names_) return;
  quantity.part = part_;
  const auto is_same = [&](const Quantity& known) {
    return known.symbol == quantity.symbol && known.law == quantity.law && known.entries == quantity.entries;
  };
  if (!std::ranges::any_of(quantities_, is_same)) quantities_.push_back(std::move(quantity));
}

std::size_t Trace::NodeHash::operator()(const Node& node) const {
  std::uint64_t h = static_cast<std::uint64_t>(node.operation);
  const auto add = [&](std::uint64_t part) {
    h = (h ^ part) * 0x9e3779b97f4a7c15u;
    h ^= h >> 32;
  };
  for (const int operand : {node.a, node.b, node.c, node.d}) add(static_cast<std::uint64_t>(operand + 1));
  add(std::bit_cast<std::uint64_t>(node.k));
  add(reinterpret_cast<std::uintptr_t>(node.function));
  return static_cast<std::size_t>(h);
}

void Trace::replace_constant(double value, const Traced& number) {
  const Listening listening(*this);
  const Traced negative = -number;
  replacements_.insert_or_assign(value, number);
  replacements_.insert_or_assign(-value, negative);
}

const Traced& Trace::replaced(const Traced& x) const {
  if (replacements_.empty() || !x.is_constant()) return x;
  const auto found = replacements_.find(x.constant());
  return found == replacements_.end() ? x : found->second;
}

Traced Trace::write(const Node& node) {
  if (keeps_repetitions_ && node.operation > Operation::kConstant) {
    Traced x;
    x.node_ = static_cast<int>(nodes_.size());
    nodes_.push_back(node);
    return x;
  }
  const auto [at, is_new] = places_.try_emplace(node, static_cast<int>(nodes_.size()));
  if (is_new) {
    nodes_.push_back(node);
    part_of_node_.push_back(part_);
  }
  Traced x;
  x.node_ = at->second;
  return x;
}

int Trace::place(const Traced& number) {
  const Traced x = replaced(number);
  return x.is_constant() ? write({.operation = Operation::kConstant, .k = x.constant()}).node() : x.node();
}

Traced Trace::at(int place) const {
  const Node& node = nodes_[static_cast<std::size_t>(place)];
  Traced x;
  if (node.operation == Operation::kConstant)
    x.constant_ = node.k;
  else
    x.node_ = place;
  return x;
}

Traced Trace::input() { return write({.operation = Operation::kInput, .a = num_inputs_++}); }
Traced Trace::uniform() { return write({.operation = Operation::kUniform, .a = num_uniforms_++}); }

Traced Trace::uniform_of_time(const void* owner, int which, std::function<double(double)> function) {
  for (const TimeUniform& known : uniform_functions_)
    if (known.owner == owner && known.which == which)
      return write({.operation = Operation::kUniform, .a = known.uniform});
  uniform_functions_.push_back({num_uniforms_, std::move(function), owner, which});
  return uniform();
}

Traced Trace::write_plain(Operation operation, const Traced& x, const Traced& y) {
  const int a = place(x), b = place(y);
  return write({.operation = operation, .a = a, .b = b});
}

bool Trace::is_negation(const Traced& x, Traced& y) const {
  if (x.is_constant() || node(x).operation != Operation::kNegate) return false;
  y.node_ = node(x).a;
  return true;
}

Traced Trace::unary(Operation operation, const Traced& of) {
  const Traced x = replaced(of);
  Traced y;
  switch (operation) {
    case Operation::kNegate:
      if (x.is_constant()) return -x.constant();
      if (keeps_repetitions_) break;
      if (is_negation(x, y)) return y;
      if (node(x).operation == Operation::kSubtract)
        return write({.operation = Operation::kSubtract, .a = node(x).b, .b = node(x).a});
      if (const Node& product = node(x);
          product.operation == Operation::kMultiply &&
          nodes_[static_cast<std::size_t>(product.a)].operation == Operation::kConstant) {
        y.node_ = product.b;
        return multiply(-nodes_[static_cast<std::size_t>(product.a)].k, y);
      }
      break;
    case Operation::kSqrt:
      if (x.is_constant()) return std::sqrt(x.constant());
      break;
    case Operation::kSin:
      if (x.is_constant()) return std::sin(x.constant());
      if (!keeps_repetitions_ && is_negation(x, y))
        return unary(Operation::kNegate, unary(Operation::kSin, y));
      break;
    case Operation::kCos:
      if (x.is_constant()) return std::cos(x.constant());
      if (!keeps_repetitions_ && is_negation(x, y)) return unary(Operation::kCos, y);
      break;
    case Operation::kAbs:
      if (x.is_constant()) return std::abs(x.constant());
      break;
    case Operation::kRound:
      if (x.is_constant()) return std::nearbyint(x.constant());
      break;
    default:
      break;
  }
  return write({.operation = operation, .a = x.node()});
}

Traced Trace::call(const Function& function, const Traced& of) {
  const Traced x = replaced(of);
  if (x.is_constant()) return function.value(x.constant());
  return write({.operation = Operation::kCall, .a = x.node(), .function = &function});
}

Traced Trace::add(const Traced& left, const Traced& right) {
  const Traced x = replaced(left), y = replaced(right);
  if (x.is_constant() && y.is_constant()) return x.constant() + y.constant();
  if (is(x, 0.0)) return y;
  if (is(y, 0.0)) return x;
  if (keeps_repetitions_) return write_plain(Operation::kAdd, x, y);
  Traced z;
  if (is_negation(y, z)) return subtract(x, z);
  if (is_negation(x, z)) return subtract(y, z);
  int a = place(x), b = place(y);
  if (b < a) std::swap(a, b);
  return write({.operation = Operation::kAdd, .a = a, .b = b});
}

Traced Trace::subtract(const Traced& left, const Traced& right) {
  const Traced x = replaced(left), y = replaced(right);
  if (x.is_constant() && y.is_constant()) return x.constant() - y.constant();
  if (is(y, 0.0)) return x;
  if (is(x, 0.0)) return unary(Operation::kNegate, y);
  if (keeps_repetitions_) return write_plain(Operation::kSubtract, x, y);
  if (x == y) return 0.0;
  Traced z;
  if (is_negation(y, z)) return add(x, z);
  if (is_negation(x, z)) return unary(Operation::kNegate, add(z, y));
  if (y.is_constant()) return add(x, -y.constant());
  const int a = place(x), b = place(y);
  return write({.operation = Operation::kSubtract, .a = a, .b = b});
}

Traced Trace::multiply(const Traced& left, const Traced& right) {
  const Traced x = replaced(left), y = replaced(right);
  if (x.is_constant() && y.is_constant()) return x.constant() * y.constant();
  if (y.is_constant()) return multiply(y, x);
  if (is(x, 0.0)) return 0.0;
  if (keeps_repetitions_) return write_plain(Operation::kMultiply, x, y);
  if (is(x, 1.0)) return y;
  if (is(x, -1.0)) return unary(Operation::kNegate, y);
  Traced z;
  if (is_negation(y, z))
    return x.is_constant() ? multiply(-x.constant(), z) : unary(Operation::kNegate, multiply(x, z));
  if (is_negation(x, z)) return unary(Operation::kNegate, multiply(z, y));
  if (x.is_constant()) {
    const Node& inner = node(y);
    if (inner.operation == Operation::kMultiply &&
        nodes_[static_cast<std::size_t>(inner.a)].operation == Operation::kConstant) {
      z.node_ = inner.b;
      const double product = x.constant() * nodes_[static_cast<std::size_t>(inner.a)].k;
      return multiply(replacements_.empty() ? product : without_roundoff(product), z);
    }
    return write({.operation = Operation::kMultiply, .a = place(x), .b = y.node()});
  }
  int a = x.node(), b = y.node();
  if (b < a) std::swap(a, b);
  return write({.operation = Operation::kMultiply, .a = a, .b = b});
}

Traced Trace::divide(const Traced& left, const Traced& right) {
  const Traced x = replaced(left), y = replaced(right);
  if (x.is_constant() && y.is_constant()) return x.constant() / y.constant();
  if (is(x, 0.0)) return 0.0;
  if (keeps_repetitions_) return write_plain(Operation::kDivide, x, y);
  if (y.is_constant()) return multiply(1.0 / y.constant(), x);
  if (x == y) return 1.0;
  Traced z;
  if (is_negation(y, z)) return unary(Operation::kNegate, divide(x, z));
  if (is_negation(x, z)) return unary(Operation::kNegate, divide(z, y));
  const int a = place(x);
  return write({.operation = Operation::kDivide, .a = a, .b = y.node()});
}

Traced Trace::whole(const Traced& number) {
  const Traced x = replaced(number);
  if (x.is_constant()) return x;
  return write({.operation = Operation::kAdd,
                .a = write({.operation = Operation::kConstant, .k = 0.0}).node(),
                .b = x.node()});
}

Traced Trace::atan2(const Traced& above, const Traced& below) {
  const Traced y = replaced(above), x = replaced(below);
  if (x.is_constant() && y.is_constant()) return std::atan2(y.constant(), x.constant());
  const int a = place(y), b = place(x);
  return write({.operation = Operation::kAtan2, .a = a, .b = b});
}

Traced Trace::select_less(const Traced& less, const Traced& than, const Traced& if_less,
                          const Traced& otherwise) {
  const Traced a = replaced(less), b = replaced(than);
  if (a.is_constant() && b.is_constant()) return a.constant() < b.constant() ? if_less : otherwise;
  if (if_less == otherwise) return if_less;
  const int pa = place(a), pb = place(b), pc = place(if_less), pd = place(otherwise);
  return write({.operation = Operation::kSelectLess, .a = pa, .b = pb, .c = pc, .d = pd});
}

// Numbers that are constants need nobody who listens.
Traced operator-(const Traced& x) {
  return is_plain_constant(x) ? Traced(-x.constant())
                              : Trace::listening().unary(Trace::Operation::kNegate, x);
}
#define ESLABON_TRACED_OPERATOR(symbol, name)                                                          \
  Traced operator symbol(const Traced& x, const Traced& y) {                                           \
    if (is_plain_constant(x) && is_plain_constant(y)) return Traced(x.constant() symbol y.constant()); \
    return Trace::listening().name(x, y);                                                              \
  }
ESLABON_TRACED_OPERATOR(+, add)
ESLABON_TRACED_OPERATOR(-, subtract)
ESLABON_TRACED_OPERATOR(*, multiply)
ESLABON_TRACED_OPERATOR(/, divide)
#undef ESLABON_TRACED_OPERATOR

#define ESLABON_TRACED_FUNCTION(name, operation)                                            \
  Traced name(const Traced& x) {                                                            \
    return is_plain_constant(x) ? Traced(std::name(x.constant()))                           \
                                : Trace::listening().unary(Trace::Operation::operation, x); \
  }
ESLABON_TRACED_FUNCTION(sqrt, kSqrt)
ESLABON_TRACED_FUNCTION(sin, kSin)
ESLABON_TRACED_FUNCTION(cos, kCos)
ESLABON_TRACED_FUNCTION(abs, kAbs)
#undef ESLABON_TRACED_FUNCTION

Traced round(const Traced& x) {
  return is_plain_constant(x) ? Traced(std::nearbyint(x.constant()))
                              : Trace::listening().unary(Trace::Operation::kRound, x);
}

#define ESLABON_TRACED_CALL(name)                                                                        \
  Traced name(const Traced& x) {                                                                         \
    static constexpr Trace::Function kFunction{#name, +[](double value) { return std::name(value); }};   \
    return is_plain_constant(x) ? kFunction.value(x.constant()) : Trace::listening().call(kFunction, x); \
  }
ESLABON_TRACED_CALL(exp)
ESLABON_TRACED_CALL(log)
ESLABON_TRACED_CALL(tan)
ESLABON_TRACED_CALL(asin)
ESLABON_TRACED_CALL(acos)
ESLABON_TRACED_CALL(atan)
#undef ESLABON_TRACED_CALL

Traced atan2(const Traced& y, const Traced& x) {
  return is_plain_constant(x) && is_plain_constant(y) ? Traced(std::atan2(y.constant(), x.constant()))
                                                      : Trace::listening().atan2(y, x);
}

Traced pow(const Traced& x, double y) {
  constexpr double kMostProducts = 64.0;
  if (is_plain_constant(x)) return std::pow(x.constant(), y);
  if (y != std::nearbyint(y) || std::abs(y) > kMostProducts) return y == 0.5 ? sqrt(x) : exp(y * log(x));
  if (y < 0.0) return 1.0 / pow(x, -y);
  Traced power = 1.0, square = x;
  for (auto n = static_cast<unsigned>(y); n > 0; n /= 2, square = square * square)
    if (n % 2 == 1) power = power * square;
  return power;
}
Traced pow(const Traced& x, const Traced& y) {
  return is_plain_constant(y) ? pow(x, y.constant()) : exp(y * log(x));
}

Traced select_less(const Traced& a, const Traced& b, const Traced& if_less, const Traced& otherwise) {
  if (is_plain_constant(a) && is_plain_constant(b)) return a.constant() < b.constant() ? if_less : otherwise;
  return Trace::listening().select_less(a, b, if_less, otherwise);
}

Traced minimum(const Traced& x, const Traced& y) {
  return select_less(x, y, x, select_less(y, x, y, 0.5 * (x + y)));
}

}  // namespace eslabon::core
