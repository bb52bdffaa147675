#pragma once

#include <bit>
#include <cstdint>
#include <limits>
#include <type_traits>

namespace eslabon::core {

// Elementary functions for loops over lanes: no branch, no table, no call, so that a compiler makes vectors of them. Each is a fixed
// sequence of additions, multiplications and divisions, so that results are the same bits on every machine and at any width of vectors in files that
// are compiled with -ffp-contract=off. Errors are below 1 unit in the last place, 1.5 of lane_sincos_of_turns, 2 of lane_atan, 2.5 of lane_sine_of_motion (tests: lane_math_test). Polynomials go through
// Chebyshev's nodes of their intervals; tools/lane-math-coefficients prints all constants. Reductions of arguments: [Muller2016].

template <class Number>
struct LaneSinCosOf {
  Number sine, cosine;
};
using LaneSinCos = LaneSinCosOf<double>;

/// Two numbers that a processor computes with at once. Functions that are told <class Number> take doubles and pairs.
using LanePair = double __attribute__((vector_size(16)));

namespace detail {

inline constexpr double kRoundToInteger =
    0x1.8p52;  // added to |x| < 2⁵¹: the sum has no digits after the point
inline constexpr std::uint64_t kSign = std::uint64_t{1} << 63;
inline constexpr std::uint64_t kInfinityBits = 0x7ff0000000000000;

template <class Number>
struct BitsOf {
  using Type = std::uint64_t;
};
template <>
struct BitsOf<LanePair> {
  using Type = std::uint64_t __attribute__((vector_size(16)));
};
template <class Number>
using Bits = typename BitsOf<Number>::Type;

// Choices by bits: compilers that keep floating-point traps do not make vectors of comparisons of doubles.

/// They grow with |x|.
template <class Number>
Bits<Number> size_bits(Number x) {
  return std::bit_cast<Bits<Number>>(x) & ~kSign;
}
inline std::uint64_t sign_mask(double x) {
  return std::uint64_t{0} - (std::bit_cast<std::uint64_t>(x) >> 63);
}
/// All ones where a < b, otherwise zeros; a, b < 2⁶³.
template <class A, class B>
auto less_mask(A a, B b) {
  return -((a - b) >> 63);
}
/// (mask ? a : b) with mask all ones or all zeros.
template <class Number>
Number choose(Bits<Number> mask, Number a, Number b) {
  return std::bit_cast<Number>((std::bit_cast<Bits<Number>>(a) & mask) |
                               (std::bit_cast<Bits<Number>>(b) & ~mask));
}
/// (mask ? 0 : x) with mask all ones or all zeros.
template <class Number>
Number unless(Bits<Number> mask, Number x) {
  return std::bit_cast<Number>(std::bit_cast<Bits<Number>>(x) & ~mask);
}
template <class Number>
Number unless(Bits<Number> mask, double x) requires(!std::is_same_v<Number, double>) {
  return unless(mask, Number{} + x);
}

/// Sine and cosine of (quarter π/2 + r + tail) for |r| ≤ 0.79, |tail| ≤ ulp(r):
///   sin(r + t) = r + (r³ S(r²) + (1 − r²/2) t),   cos(r + t) = 1 − r²/2 + (r⁴ C(r²) − r t)                                (1)
/// `quarter` counts modulo 4.
template <class Number>
LaneSinCosOf<Number> sin_cos_of_rest(Number r, Number tail, Bits<Number> quarter) {
  const Number z = r * r;
  const Number S =
      -0x1.5555555555555p-3 +
      z * (0x1.1111111110b23p-7 +
           z * (-0x1.a01a019e620eep-13 +
                z * (0x1.71de376b644ccp-19 + z * (-0x1.ae5fde7f12068p-26 + z * 0x1.5dfb39c3139b6p-33))));
  const Number C =
      0x1.5555555555555p-5 +
      z * (-0x1.6c16c16c1691fp-10 +
           z * (0x1.a01a019f3dde1p-16 +
                z * (-0x1.27e4fa0241f7cp-22 + z * (0x1.1eeb52a201da3p-29 + z * -0x1.906dbf4fda044p-37))));
  const Number half = 0.5 * z, one_less = 1.0 - half;
  const Number sine = r + (z * r * S + one_less * tail);                                  // (1)
  const Number cosine = one_less + (((1.0 - one_less) - half) + (z * z * C - r * tail));  // (1)
  const Bits<Number> is_odd = -(quarter & 1);
  const Number s = choose(is_odd, cosine, sine), c = choose(is_odd, sine, cosine);
  const Bits<Number> s_sign = (quarter & 2) << 62, c_sign = ((quarter + 1) & 2) << 62;
  return {std::bit_cast<Number>(std::bit_cast<Bits<Number>>(s) ^ s_sign),
          std::bit_cast<Number>(std::bit_cast<Bits<Number>>(c) ^ c_sign)};
}

}  // namespace detail

/// Beyond this a sine is as wrong as if its argument were rounded once or twice more; see lane_sincos.
inline constexpr double kLargestExactAngle = 1.6e6;
/// Beyond this, where half a radian lies between neighbouring numbers or nearly so, there is none: NaN.
inline constexpr double kLargestAngle = 0x1.0p45;

/// Sine and cosine of x. With k the integer next to x / (π/2) and π/2 = P₁ + P₂ + P₃ + P₄ of 33, 33, 33 and 53 bits,
///   r = (((x − k P₁) − k P₂) − k P₃) − k P₄                                                                             (2)
/// the first three products are exact for |k| < 2²⁰, and what differences round off is kept in `tail`: error below 1 ulp also next to multiples of π/2, for
/// |x| ≤ kLargestExactAngle. For larger |x| ≤ kLargestAngle it is that of an x which is 2 ulp away. NaN beyond, and for NaN.
inline LaneSinCos lane_sincos(double x) {
  constexpr double kP1 = 0x1.921fb544p+0, kP2 = 0x1.0b4611a6p-34, kP3 = 0x1.3198a2ep-69,
                   kP4 = 0x1.b839a252049c1p-104, kTwoOverPi = 0x1.45f306dc9c883p-1;
  constexpr auto kLimit = std::bit_cast<std::uint64_t>(kLargestAngle);
  const double known = detail::choose(detail::less_mask(kLimit, detail::size_bits(x)),
                                      std::numeric_limits<double>::quiet_NaN(), x);
  const double shifted = known * kTwoOverPi + detail::kRoundToInteger;
  const double k = shifted - detail::kRoundToInteger;
  const double a = known - k * kP1;  // exact
  const double kp2 = k * kP2, b = a - kp2, b_tail = (a - b) - kp2;
  const double kp3 = k * kP3, r = b - kp3, r_tail = (b - r) - kp3;
  const double tail = (b_tail + r_tail) - k * kP4;  // (2)
  // Where all of x cancels, the tail is no longer small beside r: both are added and told apart again.
  const double sum = r + tail, rest = (r - sum) + tail;
  return detail::sin_cos_of_rest(sum, rest, std::bit_cast<std::uint64_t>(shifted));
}

/// The same with π/2 = P₁ + P₂ of 33 and 53 bits and no tail: for motions, where angles are not known better. Error below 2 ulp or 1e-16 for
/// |x| ≤ kLargestExactAngle; beyond it grows with x.
template <class Number>
LaneSinCosOf<Number> lane_sincos_of_motion(Number x) {
  constexpr double kP1 = 0x1.921fb544p+0, kP2 = 0x1.0b4611a626331p-34, kTwoOverPi = 0x1.45f306dc9c883p-1;
  const Number shifted = x * kTwoOverPi + detail::kRoundToInteger;
  const Number k = shifted - detail::kRoundToInteger;
  return detail::sin_cos_of_rest((x - k * kP1) - k * kP2, Number{},
                                 std::bit_cast<detail::Bits<Number>>(shifted));
}

/// Sine alone, of an angle that is not known better: with k the integer next to x/π,
///   sin x = (−1)ᵏ (r + r³ S(r²)),   r = x − k π                                                                         (2a)
/// half of the work of both. Error below 2.5 ulp or 1e-16 for |x| ≤ kLargestExactAngle.
template <class Number>
[[gnu::always_inline]] inline Number lane_sine_of_motion(Number x) {
  constexpr double kP1 = 0x1.921fb544p+1, kP2 = 0x1.0b4611a626331p-33, kOneOverPi = 0x1.45f306dc9c883p-2;
  const Number shifted = x * kOneOverPi + detail::kRoundToInteger;
  const Number k = shifted - detail::kRoundToInteger;
  const Number r = (x - k * kP1) - k * kP2, z = r * r, z2 = z * z;
  const Number S0 = (-0x1.5555555555555p-3 + z * 0x1.1111111111105p-7) +
                    z2 * (-0x1.a01a01a0187f8p-13 + z * 0x1.71de3a54397f6p-19);
  const Number S4 = (-0x1.ae64558f9818ep-26 + z * 0x1.6123fb8053842p-33) +
                    z2 * (-0x1.ae4f5eed8836ap-41 + z * 0x1.896a0837e7e48p-49);
  const Number sine = r + r * z * (S0 + z2 * z2 * S4);  // (2a)
  return std::bit_cast<Number>(std::bit_cast<detail::Bits<Number>>(sine) ^
                               (std::bit_cast<detail::Bits<Number>>(shifted) << 63));
}

/// Sine and cosine of u turns, 0 ≤ u ≤ 1 (any |u| < 2⁴⁹): the reduction is exact.
inline LaneSinCos lane_sincos_of_turns(double u) {
  constexpr double kTurn = 0x1.921fb54442d18p+2, kTurnRest = 0x1.1a62633145c07p-52;  // 2π
  const double shifted = 4.0 * u + detail::kRoundToInteger;
  const double part = u - 0.25 * (shifted - detail::kRoundToInteger);
  return detail::sin_cos_of_rest(part * kTurn, part * kTurnRest, std::bit_cast<std::uint64_t>(shifted));
}

/// Natural logarithm: x = 2ᵏ (1 + f) with √½ ≤ 1 + f < √2, s = f/(2 + f),
///   log x = k log 2 + f − (f²/2 − s (f²/2 + s² L(s²)))                                                                  (3)
/// −∞ of 0, NaN of x < 0 and NaN, ∞ of ∞. Subnormal numbers are scaled first.
inline double lane_log(double x) {
  constexpr double kLog2High = 0x1.62e42feep-1, kLog2Low = 0x1.a39ef35793c76p-33;
  constexpr std::uint64_t kHalfRoot = 0x3fe6a09e667f3bcd, kOne = 0x3ff0000000000000;  // √½, 1
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  const std::uint64_t size = detail::size_bits(x), is_zero = detail::less_mask(size, std::uint64_t{1}),
                      is_small = detail::less_mask(size, std::uint64_t{0x0010000000000000});
  const double scaled = detail::choose(is_small, x * 0x1.0p54, x);
  const double shift = detail::choose(is_small, 54.0 + 1023.0, 1023.0);
  const std::uint64_t bits = std::bit_cast<std::uint64_t>(scaled) + (kOne - kHalfRoot);
  // The exponent as a double without a conversion, which narrow vectors lack.
  const double k = std::bit_cast<double>((bits >> 52) | 0x4330000000000000) - (0x1.0p52 + shift);
  const double f = std::bit_cast<double>((bits & 0x000fffffffffffff) + kHalfRoot) - 1.0;
  const double s = f / (2.0 + f), z = s * s, half_square = 0.5 * (f * f);
  const double L =
      0x1.5555555555558p-1 +
      z * (0x1.99999999952e2p-2 +
           z * (0x1.2492492df148dp-2 +
                z * (0x1.c71c62e5800a1p-3 +
                     z * (0x1.7462b4ab2ef6bp-3 + z * (0x1.39fe606542ddep-3 + z * 0x1.2b584aae78a57p-3)))));
  const double value =
      k * kLog2High - ((half_square - (s * (half_square + z * L) + k * kLog2Low)) - f);  // (3)
  const std::uint64_t is_finite = detail::less_mask(size, detail::kInfinityBits),
                      is_none = detail::sign_mask(x) & ~is_zero;
  const double or_limit = detail::choose(is_zero, -kInfinity, detail::choose(is_finite, value, x));
  return detail::choose(is_none, std::numeric_limits<double>::quiet_NaN(), or_limit);
}

/// Exponential: k the integer next to x / log 2, r = x − k log 2,
///   eˣ = 2ᵏ (1 + (r + r² E(r)))                                                                                         (4)
/// 0 and ∞ where doubles end; subnormal results are rounded once.
inline double lane_exp(double x) {
  constexpr double kLog2High = 0x1.62e42feep-1, kLog2Low = 0x1.a39ef35793c76p-33,
                   kOneOverLog2 = 0x1.71547652b82fep+0;
  constexpr double kBeyond = 746.0;  // where both results have ended
  const std::uint64_t size = detail::size_bits(x), sign = std::bit_cast<std::uint64_t>(x) & detail::kSign;
  const std::uint64_t is_beyond = detail::less_mask(std::bit_cast<std::uint64_t>(kBeyond), size);
  const double y =
      detail::choose(is_beyond, std::bit_cast<double>(std::bit_cast<std::uint64_t>(kBeyond) | sign), x);
  const double shifted = y * kOneOverLog2 + detail::kRoundToInteger;
  const double k = shifted - detail::kRoundToInteger;
  const double r = (y - k * kLog2High) - k * kLog2Low;
  const double E =
      0x1.0000000000000p-1 +
      r * (0x1.5555555555557p-3 +
           r * (0x1.5555555555556p-5 +
                r * (0x1.11111111100bcp-7 +
                     r * (0x1.6c16c16c1623bp-10 +
                          r * (0x1.a01a01abf949ep-13 +
                               r * (0x1.a01a01a71a7cdp-16 +
                                    r * (0x1.71de01faca989p-19 +
                                         r * (0x1.27e4daaf635acp-22 +
                                              r * (0x1.af4e5b67d19c1p-26 + r * 0x1.1f7458cbcad09p-29)))))))));
  const double mantissa = 1.0 + (r + r * r * E);  // (4)
  // 2ᵏ in two factors, both of which are normal numbers.
  const std::uint64_t n = std::bit_cast<std::uint64_t>(shifted) & 0xffff;  // k modulo 2¹⁶
  const std::uint64_t first = (((n + 2048) & 0xffff) >> 1) - 1024, second = n - first;
  const double power1 = std::bit_cast<double>(((first + 1023) & 0x7ff) << 52),
               power2 = std::bit_cast<double>(((second + 1023) & 0x7ff) << 52);
  return detail::choose(detail::less_mask(detail::kInfinityBits, size), x, mantissa * power1 * power2);
}

/// Arctangent: with r = x, (|x| − 1)/(|x| + 1) or −1/|x|, whichever is below tan(π/8), and 0, π/4 or π/2 beside it,
///   atan |x| = k π/4 + (r + r³ A(r²))                                                                                   (5)
/// ±π/2 of ±∞, NaN of NaN.
template <class Number>
[[gnu::always_inline]] inline Number lane_atan(Number x) {
  constexpr double kQuarter = 0x1.921fb54442d18p-1, kQuarterRest = 0x1.1a62633145c07p-55;  // π/4
  constexpr auto kSmall = std::bit_cast<std::uint64_t>(0x1.a827999fcef32p-2);              // tan(π/8)
  constexpr auto kLarge = std::bit_cast<std::uint64_t>(0x1.3504f333f9de6p+1);              // tan(3π/8)
  const detail::Bits<Number> bits = detail::size_bits(x),
                             sign = std::bit_cast<detail::Bits<Number>>(x) & detail::kSign;
  const detail::Bits<Number> is_small = detail::less_mask(bits, kSmall),
                             is_large = detail::less_mask(kLarge, bits);
  const Number size = std::bit_cast<Number>(bits);
  const Number above = detail::unless<Number>(is_large, size) - detail::unless<Number>(is_small, 1.0);
  const Number below = detail::unless<Number>(is_small, size) + detail::unless<Number>(is_large, 1.0);
  const Number r = above / below, z = r * r;
  // Pairs first: a third of the time that one term after the other takes where few lanes wait for it.
  const Number z2 = z * z, z4 = z2 * z2;
  const Number A0 = (-0x1.5555555555555p-2 + z * 0x1.99999999992b1p-3) +
                    z2 * (-0x1.249249242e44ap-3 + z * 0x1.c71c718053ec6p-4);
  const Number A4 = (-0x1.745d0a620f485p-4 + z * 0x1.3b125117d4164p-4) +
                    z2 * (-0x1.10f97c604830ap-4 + z * 0x1.dfd550f02f5dap-5);
  const Number A8 = (-0x1.a0413ef02020ep-5 + z * 0x1.4064bd87c0666p-5) + z2 * -0x1.37c6a16c69300p-6;
  const Number A = A0 + z4 * (A4 + z4 * A8);
  const auto quarters = [&](double one) {  // k of them: 0, 1 or 2
    return detail::unless<Number>(is_small, one) + detail::unless<Number>(~is_large, one);
  };
  const Number value = quarters(kQuarter) + (r + (r * z * A + quarters(kQuarterRest)));  // (5)
  return std::bit_cast<Number>(std::bit_cast<detail::Bits<Number>>(value) | sign);
}

}  // namespace eslabon::core
