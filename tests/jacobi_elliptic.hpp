#pragma once

#include <cmath>
#include <vector>

namespace eslabon::test {

/// Jacobi's elliptic function cd(u, k) = cn/dn, by the arithmetic-geometric mean [AbramowitzStegun1964, §16.4].
inline double jacobi_cd(double u, double k) {
  std::vector<double> a{1.0}, c{k};
  double b = std::sqrt(1.0 - k * k);
  for (int i = 0; i < 8; ++i) {  // doubles the digits each time
    const double mean = 0.5 * (a.back() + b);
    c.push_back(0.5 * (a.back() - b));
    b = std::sqrt(a.back() * b);
    a.push_back(mean);
  }
  double phi = std::ldexp(a.back() * u, static_cast<int>(a.size()) - 1);
  for (std::size_t n = a.size() - 1; n > 0; --n) phi = 0.5 * (phi + std::asin(c[n] / a[n] * std::sin(phi)));
  return std::cos(phi) / std::sqrt(1.0 - std::pow(k * std::sin(phi), 2));
}

}  // namespace eslabon::test
