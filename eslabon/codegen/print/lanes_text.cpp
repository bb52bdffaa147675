#include "eslabon/codegen/print/lanes_text.hpp"

#include <array>
#include <set>

#include <fmt/format.h>

#include "eslabon/codegen/print/expression_text.hpp"
#include "eslabon/core/index.hpp"

namespace eslabon::codegen {

namespace {

constexpr int kLanesParts = 2;

/// Names of the first or the second of two vectors of states that are computed side by side.
class LanesSyntax final : public Syntax {
 public:
  LanesSyntax(const LaneAddresses& addresses, int part) : addresses_(addresses), part_(part) {}

  std::string number(double value) const override { return fmt::format("all({})", real_text(value)); }
  std::string input(int k) const override {
    return addresses_.is_of_state(k) ? vector(k) : fmt::format("all({})", addresses_.input(k));
  }
  /// Of an input of states.
  std::string vector(int k) const { return fmt::format("{}{}", part_ == 0 ? "x" : "z", k); }
  std::string uniform(int k) const override { return fmt::format("all({})", addresses_.uniform(k)); }
  std::string name(int place) const override { return fmt::format("{}{}", part_ == 0 ? "v" : "u", place); }
  std::string slot(int k) const override { return fmt::format("w[{}]", kLanesParts * k + part_); }
  std::string address(const std::string& first) const { return part_ == 0 ? first : first + " + WIDTH"; }
  std::string call(std::string_view name, std::span<const std::string> arguments) const override {
    return fmt::format("{}_all({})", name, fmt::join(arguments, ", "));
  }
  std::string choice(const std::string& a, const std::string& b, const std::string& c,
                     const std::string& d) const override {
    return fmt::format("choose((I)({} < {}), {}, {})", a, b, c, d);
  }
  std::string text(const ExpressionText::Statement& statement) const {
    if (statement.output >= 0)
      return fmt::format("  store({}, {});\n", address(addresses_.output(statement.output)), statement.value);
    const std::string name = statement.is_used_here ? fmt::format("const V {} = ", statement.name) : "";
    const std::string into = statement.slot >= 0 ? slot(statement.slot) + " = " : "";
    return fmt::format("  {}{}{};\n", name, into, statement.value);
  }

 private:
  const LaneAddresses& addresses_;
  int part_;
};

/// Inputs of states that nodes of a piece, or outputs that are written with it, ask for.
std::set<int> inputs_of(const Program& program, const ProgramPieces& pieces, std::size_t piece,
                        const LaneAddresses& addresses) {
  std::set<int> inputs;
  const auto ask = [&](int place) {
    const Program::Node& node = program.nodes()[core::index(place)];
    if (node.operation == Program::Operation::kInput && addresses.is_of_state(node.a)) inputs.insert(node.a);
  };
  for (int i = pieces.pieces[piece].begin; i < pieces.pieces[piece].end; ++i)
    for (const int operand : operands(program.nodes()[core::index(i)]))
      if (operand >= 0) ask(operand);
  if (piece + 1 == pieces.pieces.size())
    for (const int output : program.outputs()) ask(output);
  return inputs;
}

/// "  (void)x; (void)u; …": not every piece reads all of them.
std::string unused_arguments(const std::string& arguments) {
  std::string text = "  (void)" + arguments + "; (void)w;\n";
  for (std::size_t at = 0; (at = text.find(", ", at)) != std::string::npos;) text.replace(at, 2, "; (void)");
  return text;
}

}  // namespace

LanesText lanes_text(const std::string& name, const Program& program, const LaneAddresses& addresses) {
  const ProgramPieces pieces = cut(program);
  const std::array<LanesSyntax, kLanesParts> syntax{LanesSyntax(addresses, 0), LanesSyntax(addresses, 1)};
  std::array<ExpressionText, kLanesParts> expressions{ExpressionText(program, pieces, syntax[0]),
                                                      ExpressionText(program, pieces, syntax[1])};
  LanesText out{.pieces = {}, .calls = {}, .num_vectors = kLanesParts * pieces.num_slots};
  for (std::size_t k = 0; k < pieces.pieces.size(); ++k) {
    out.pieces += fmt::format("PIECE void {}_{}({}, V *w)\n{{\n", name, k, addresses.parameters());
    out.pieces += unused_arguments(addresses.arguments());
    for (const int input : inputs_of(program, pieces, k, addresses))
      for (const LanesSyntax& part : syntax)
        out.pieces += fmt::format("  const V {} = load({});\n", part.vector(input),
                                  part.address(addresses.input(input)));
    const auto first = expressions[0].statements(k), second = expressions[1].statements(k);
    for (std::size_t i = 0; i < first.size(); ++i)
      out.pieces += syntax[0].text(first[i]) + syntax[1].text(second[i]);
    out.pieces += "}\n\n";
    out.calls += fmt::format("    {}_{}({}, w);\n", name, k, addresses.arguments());
  }
  return out;
}

// Rounding and choices by bits, sines and cosines as lane_math.hpp of core computes them for motions: the same operations in the same order.
std::string_view lanes_head() {
  return R"(#if defined(__AVX512F__)
#define WIDTH 8
#define EACH(x) {x, x, x, x, x, x, x, x}
#elif defined(__AVX__)
#define WIDTH 4
#define EACH(x) {x, x, x, x}
#else
#define WIDTH 2
#define EACH(x) {x, x}
#endif
#define GROUP (2*WIDTH)
#define PIECE static __attribute__((noinline, unused))
#define SMALL static inline __attribute__((always_inline, unused))

/* One number of WIDTH states, and its bits; the same as it lies in memory, where nothing is aligned. */
typedef double V __attribute__((vector_size(8*WIDTH)));
typedef long long I __attribute__((vector_size(8*WIDTH)));
typedef unsigned long long B __attribute__((vector_size(8*WIDTH)));
typedef double M __attribute__((vector_size(8*WIDTH), aligned(8), may_alias));

SMALL V all(double x) { const V v = EACH(x); return v; }
SMALL B bits(unsigned long long x) { const B b = EACH(x); return b; }
SMALL V load(const double *at) { return *(const M *)at; }
SMALL void store(double *at, V v) { *(M *)at = v; }
SMALL V choose(I is_first, V a, V b) { return (V)((is_first & (I)a) | (~is_first & (I)b)); }
SMALL V fabs_all(V a) { return (V)((B)a & bits(0x7fffffffffffffffull)); }
/* The nearest whole number, halves to even: beyond 2^52 all are whole. */
SMALL V nearbyint_all(V a)
{
  const V size = fabs_all(a), big = all(4503599627370496.0);
  const V rounded = (V)((B)((size + big) - big) | ((B)a & bits(0x8000000000000000ull)));
  return choose((I)(size < big), rounded, a);
}
PIECE V sqrt_all(V a)
{
  double numbers[WIDTH];
  int i;
  store(numbers, a);
  for (i = 0; i < WIDTH; ++i) numbers[i] = sqrt(numbers[i]);
  return load(numbers);
}
#define FUNCTION_ALL(name) \
  PIECE V name##_all(V a) \
  { \
    double numbers[WIDTH]; \
    int i; \
    store(numbers, a); \
    for (i = 0; i < WIDTH; ++i) numbers[i] = name(numbers[i]); \
    return load(numbers); \
  }
FUNCTION_ALL(exp)
FUNCTION_ALL(log)
FUNCTION_ALL(tan)
FUNCTION_ALL(asin)
FUNCTION_ALL(acos)
FUNCTION_ALL(atan)
PIECE V atan2_all(V a, V b)
{
  double first[WIDTH], second[WIDTH];
  int i;
  store(first, a);
  store(second, b);
  for (i = 0; i < WIDTH; ++i) first[i] = atan2(first[i], second[i]);
  return load(first);
}

/* Sine and cosine: the angle less a multiple of pi/2, of which 33 and 53 bits are taken, then polynomials. Below 2 units in the last place or 1e-16 up
   to angles of 1.6e6; which of the two is asked for, and its sign, tell the lowest bits of the multiple. */
SMALL V rest_of_angle(V x, B *quarter)
{
  const V shifted = x*0.6366197723675814 + 6755399441055744.0, k = shifted - 6755399441055744.0;
  *quarter = (B)shifted;
  return (x - k*1.5707963267341256) - k*6.077100506506192e-11;
}
SMALL V sine_of_rest(V r)
{
  const V z = r*r;
  const V S = -0.16666666666666666 + z*(0.0083333333333307 + z*(-0.00019841269836385435 + z*(2.7557315910939e-06
            + z*(-2.5051092308431318e-08 + z*1.5915309183057952e-10))));
  return r + (z*r*S + (1.0 - 0.5*z)*0.0);
}
SMALL V cosine_of_rest(V r)
{
  const V z = r*r, half = 0.5*z, one_less = 1.0 - half;
  const V C = 0.041666666666666664 + z*(-0.0013888888888887241 + z*(2.480158729853226e-05 + z*(-2.7557317151858866e-07
            + z*(2.0876121534608454e-09 + z*-1.1380868171449914e-11))));
  return one_less + (((1.0 - one_less) - half) + (z*z*C - r*0.0));
}
SMALL V sin_all(V x)
{
  B quarter;
  const V r = rest_of_angle(x, &quarter);
  const V v = choose((I)(-(quarter & bits(1))), cosine_of_rest(r), sine_of_rest(r));
  return (V)((B)v ^ ((quarter & bits(2)) << 62));
}
SMALL V cos_all(V x)
{
  B quarter;
  const V r = rest_of_angle(x, &quarter);
  const V v = choose((I)(-(quarter & bits(1))), sine_of_rest(r), cosine_of_rest(r));
  return (V)((B)v ^ (((quarter + bits(1)) & bits(2)) << 62));
}
)";
}

}  // namespace eslabon::codegen
