#pragma once

#include <optional>

#include <Eigen/Core>

namespace eslabon::dynamics {

/// A derivative of a vector by one number, and how far it may be off.
struct Derivative {
  Eigen::VectorXd value;
  Eigen::VectorXd errors;  ///< of each component, as estimated
  double error = 0.0;      ///< the largest of them
  Eigen::VectorXd kinks;   ///< by how much the slopes on the two sides differ, halved; 0 where f is smooth
};

/// The derivative at 0 of f: double → std::optional<VectorXd>, nothing where f has no value. Central differences
///   D₀(h) = (f(h) − f(−h)) / 2h,   D₁(h) = (4 D₀(h/2) − D₀(h)) / 3,   D₂(h) = (16 D₁(h/2) − D₁(h)) / 15        (1)
/// with errors h², h⁴, h⁶ [Richardson1911]; the error is taken to be |D₂(h) − D₁(h/2)|, that of D₁. Where it is larger than `wanted` in
/// parts of the derivative, h is tried an eighth and a sixty-fourth as large, and the best is kept. Nothing when f never has values
/// on both sides. At a kink D is the mean of two slopes, whatever h is; it shows in
///   k(h) = |f(h) − 2 f(0) + f(−h)| / 2h,                                                                      (2)
/// which falls as h does where f is smooth, and stays where it has a kink. Cost: 7 to 19 values.
template <class Function>
std::optional<Derivative> extrapolated_difference(const Function& f, double h, double wanted = 1e-10) {
  std::optional<Derivative> best;
  const std::optional<Eigen::VectorXd> middle = f(0.0);
  if (!middle) return best;
  for (int attempt = 0; attempt < 3; ++attempt, h /= 8.0) {
    Eigen::VectorXd D[3], k[3];
    bool has_values = true;
    for (int level = 0; level < 3 && has_values; ++level) {
      const double step = h / (1 << level);
      const std::optional<Eigen::VectorXd> right = f(step), left = f(-step);
      has_values = right.has_value() && left.has_value();
      if (!has_values) break;
      D[level] = (*right - *left) / (2.0 * step);
      k[level] = (*right - 2.0 * *middle + *left).cwiseAbs() / (2.0 * step);  // (2)
    }
    if (!has_values) continue;
    const Eigen::VectorXd coarse = (4.0 * D[1] - D[0]) / 3.0, fine = (4.0 * D[2] - D[1]) / 3.0;  // (1)
    Derivative found;
    found.value = (16.0 * fine - coarse) / 15.0;  // (1)
    found.errors = (found.value - fine).cwiseAbs();
    if (found.value.size() > 0) found.error = found.errors.maxCoeff();
    const double size = found.value.size() > 0 ? found.value.cwiseAbs().maxCoeff() : 0.0;
    found.kinks = (k[2].array() > 0.5 * k[0].array() && k[2].array() > 1e-6 * found.value.cwiseAbs().array())
                      .select(k[2], 0.0);
    if (!best || found.error < best->error) best = found;
    if (best->error <= wanted * size) break;
  }
  return best;
}

}  // namespace eslabon::dynamics
