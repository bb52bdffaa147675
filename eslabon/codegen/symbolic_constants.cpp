#include "eslabon/codegen/symbolic_constants.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <string>

#include <Eigen/QR>

#include "eslabon/core/index.hpp"

namespace eslabon::codegen {

namespace {

using core::Traced;
using std::size_t;
using Factor = ConstantFunction::Factor;
using Term = ConstantFunction::Term;

constexpr double kMoves = 1e-13;     // of a constant: changes below are roundoff
constexpr double kRoundoff = 2e-14;  // of the sum of what is added, for a function that fits
constexpr double kWhole = 1e-9;      // how far an exponent may be from a whole number
constexpr double kNothing = 1e-11;   // of the largest term: coefficients below are none
constexpr int kMostExponent = 4;
constexpr int kMostDegree = 4;
constexpr size_t kProof = 8;  // samples beyond what a function needs

double power(double x, int exponent) { return std::pow(x, exponent); }
Traced power(const Traced& x, int exponent) { return pow(x, static_cast<double>(exponent)); }

template <class T>
T product(std::span<const T> numbers, const std::vector<Factor>& factors) {
  T out(1.0);
  for (const Factor& factor : factors) out = out * power(numbers[factor.number], factor.exponent);
  return out;
}

/// All products of powers of these numbers of at most this degree.
std::vector<std::vector<Factor>> monomials(const std::vector<size_t>& numbers, int degree) {
  std::vector<std::vector<Factor>> list{{}};
  std::vector<int> degrees{0};
  for (const size_t number : numbers)
    for (size_t k = 0, count = list.size(); k < count; ++k)
      for (int exponent = 1; degrees[k] + exponent <= degree; ++exponent) {
        list.push_back(list[k]);
        list.back().push_back({number, exponent});
        degrees.push_back(degrees[k] + exponent);
      }
  return list;
}

/// The coefficients with which these products sum up to the values, by least squares; scaled by their sizes.
std::vector<double> fitted(const std::vector<std::vector<Factor>>& products, const ConstantSamples& samples) {
  const auto rows = static_cast<Eigen::Index>(samples.values.size()),
             columns = static_cast<Eigen::Index>(products.size());
  Eigen::MatrixXd A(rows, columns);
  Eigen::VectorXd b(rows), scales(columns);
  for (Eigen::Index c = 0; c < columns; ++c) {
    for (Eigen::Index r = 0; r < rows; ++r)
      A(r, c) = product<double>(samples.numbers[core::index(r)], products[core::index(c)]);
    scales[c] = A.col(c).cwiseAbs().maxCoeff();
    A.col(c) /= scales[c];
  }
  for (Eigen::Index r = 0; r < rows; ++r) b[r] = samples.values[core::index(r)];
  const auto qr = A.colPivHouseholderQr();
  Eigen::VectorXd x = qr.solve(b);
  x += qr.solve(b - A * x);
  x = x.cwiseQuotient(scales);
  return {x.begin(), x.end()};
}

/// The plainest number next to x: a fraction with a small denominator, or a decimal with few digits; x itself where there is none.
double plain_number(double x) {
  constexpr double kNear = 1e-11;
  constexpr std::array kDenominators{1, 2, 3, 4, 5, 6, 8, 9, 12, 16, 20, 24, 48};
  constexpr double kMostNumerator = 1e4;
  for (const int denominator : kDenominators) {
    const double numerator = std::nearbyint(x * denominator);
    if (numerator != 0.0 && std::abs(numerator) < kMostNumerator &&
        std::abs(x * denominator - numerator) < kNear * std::abs(numerator))
      return numerator / denominator;
  }
  for (int digits = 1; digits <= 12; ++digits) {
    const double decimal = std::stod([&] {
      std::array<char, 32> text{};
      std::snprintf(text.data(), text.size(), "%.*e", digits - 1, x);
      return std::string(text.data());
    }());
    if (std::abs(decimal - x) <= 1e-13 * std::abs(x)) return decimal;
  }
  return x;
}

bool satisfies(const std::vector<Term>& terms, const ConstantSamples& samples) {
  for (size_t s = 0; s < samples.values.size(); ++s) {
    double sum = 0.0, size = 0.0;
    for (const Term& term : terms) {
      const double part = term.coefficient * product<double>(samples.numbers[s], term.factors);
      sum += part;
      size += std::abs(part);
    }
    if (!(std::abs(sum - samples.values[s]) <= kRoundoff * size)) return false;
  }
  return true;
}

std::vector<Term> terms_of(const std::vector<std::vector<Factor>>& products,
                           const std::vector<double>& coefficients) {
  std::vector<Term> terms;
  for (size_t k = 0; k < products.size(); ++k) terms.push_back({coefficients[k], products[k]});
  return terms;
}

/// The polynomial of these numbers of the lowest degree that the samples satisfy.
std::optional<std::vector<Term>> find_polynomial(const ConstantSamples& samples,
                                                 const std::vector<size_t>& numbers) {
  for (int degree = 1; degree <= kMostDegree; ++degree) {
    std::vector<std::vector<Factor>> products = monomials(numbers, degree);
    if (products.size() + kProof > samples.values.size()) return std::nullopt;
    const std::vector<double> rough = fitted(products, samples);
    double largest = 0.0;
    const auto size = [&](size_t k) {
      return std::abs(rough[k] * product<double>(samples.numbers[0], products[k]));
    };
    for (size_t k = 0; k < products.size(); ++k) largest = std::max(largest, size(k));
    std::vector<std::vector<Factor>> kept;
    for (size_t k = 0; k < products.size(); ++k)
      if (size(k) > kNothing * largest) kept.push_back(products[k]);
    const std::vector<Term> exact = terms_of(kept, fitted(kept, samples));
    std::vector<Term> plain = exact;
    for (Term& term : plain) term.coefficient = plain_number(term.coefficient);
    if (satisfies(plain, samples)) return plain;
    if (satisfies(exact, samples)) return exact;
  }
  return std::nullopt;
}

/// The exponent of a number that a constant is proportional to a power of, as the sample that moves it alone says.
std::optional<int> exponent_of(const ConstantSamples& samples, size_t number) {
  const double ratio = samples.values[1 + number] / samples.values[0],
               change = samples.numbers[1 + number][number] / samples.numbers[0][number];
  if (!(ratio > 0.0) || !(change > 0.0)) return std::nullopt;
  const double exponent = std::log(ratio) / std::log(change), whole = std::nearbyint(exponent);
  if (std::abs(exponent - whole) > kWhole || whole == 0.0 || std::abs(whole) > kMostExponent)
    return std::nullopt;
  return static_cast<int>(whole);
}

}  // namespace

Traced ConstantFunction::trace(std::span<const Traced> numbers) const {
  Traced sum = 0.0;
  for (const Term& term : terms) sum += term.coefficient * product<Traced>(numbers, term.factors);
  return product<Traced>(numbers, factors) * pow(sum, power);
}

std::vector<size_t> dependences(const ConstantSamples& samples) {
  std::vector<size_t> list;
  for (size_t k = 0; k < samples.numbers[0].size(); ++k)
    if (std::abs(samples.values[1 + k] - samples.values[0]) > kMoves * std::abs(samples.values[0]))
      list.push_back(k);
  return list;
}

std::optional<ConstantFunction> find_function(ConstantSamples samples) {
  if (samples.values[0] < 0.0)  // roots are positive
    for (double& value : samples.values) value = -value;
  ConstantFunction out{.values = samples.values, .factors = {}, .terms = {}};
  std::vector<size_t> others;
  for (const size_t number : dependences(samples))
    if (const std::optional<int> exponent = exponent_of(samples, number))
      out.factors.push_back({number, *exponent});
    else
      others.push_back(number);
  ConstantSamples rest = samples;
  for (size_t s = 0; s < rest.values.size(); ++s)
    rest.values[s] /= product<double>(samples.numbers[s], out.factors);
  for (const double inverse : {1.0, -1.0, 2.0}) {
    ConstantSamples raised = rest;
    for (double& value : raised.values) value = std::pow(value, inverse);
    std::optional<std::vector<Term>> terms = find_polynomial(raised, others);
    if (!terms) continue;
    out.terms = std::move(*terms);
    out.power = 1.0 / inverse;
    return out;
  }
  return std::nullopt;
}

}  // namespace eslabon::codegen
