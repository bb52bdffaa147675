#include "eslabon/codegen/plain_scheme.hpp"

namespace eslabon::codegen {

namespace {

using dynamics::TracedMatrix;
using dynamics::TracedVector;

TracedVector entries_of_matrix(const TracedMatrix& A) { return {A.data(), A.data() + A.size()}; }

/// k products that are summed up.
OperationCounts sums_of_products(int k) { return {.additions = k, .multiplications = k}; }

/// L U of a full matrix of k rows: one quotient for each entry below a pivot.
OperationCounts full_factors(int k) {
  OperationCounts counts = sums_of_products(k * (k - 1) * (2 * k - 1) / 6);
  counts.divisions = k * (k - 1) / 2;
  return counts;
}

/// Solves with the factors, once.
OperationCounts full_solution(int k) {
  OperationCounts counts = sums_of_products(k * (k - 1));
  counts.divisions = k;
  return counts;
}

}  // namespace

OperationCounts plain_scheme(core::Trace& trace, const TracedParts& parts, const TracedVector& gamma) {
  OperationCounts counts;
  for (const TracedVector& stage : {entries_of_matrix(parts.J), gamma, entries_of_matrix(parts.M), parts.f})
    counts += Program(trace, stage).counts();
  const int n = static_cast<int>(parts.f.size()), m = static_cast<int>(gamma.size()), f = n - m;
  counts += full_factors(m);
  for (int k = 0; k < f + 1; ++k) counts += full_solution(m);  // R, b
  counts += sums_of_products(n * n * f);                       // M R
  counts += sums_of_products(n * f * f);                       // Rᵀ M R
  counts += sums_of_products(n * n + n * f);                   // Rᵀ (f − M b)
  counts += full_factors(f);
  counts += full_solution(f);
  counts += sums_of_products(n * f);  // a
  return counts;
}

}  // namespace eslabon::codegen
