// After start() filters and what watches them take nothing from the heap.
#include <cmath>
#include <limits>
#include <string>

#include "tests/allocation_counter.hpp"
#include "tests/filter_names.hpp"
#include "tests/linear_system.hpp"
#include "tests/test_name.hpp"
#include <gtest/gtest.h>

#include "eslabon/core/random/rng.hpp"
#include "eslabon/estimation/consistency.hpp"
#include "eslabon/estimation/estimator.hpp"
#include "eslabon/estimation/latency_histogram.hpp"
#include "eslabon/estimation/observability.hpp"

namespace eslabon::estimation {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

class AllocationOf : public testing::TestWithParam<std::string> {};

TEST_P(AllocationOf, StepsTakeNothingFromTheHeap) {
  if (!test::kCanCountAllocations) GTEST_SKIP() << "no glibc, or a sanitizer";
  core::Rng rng(1);
  for (Eigen::Index n : {1, 2, 6, 24}) {
    test::LinearSystem system(
        0.9 * MatrixXd::Identity(n, n), test::random_covariance(rng, n, 1e-4),
        {{.H = test::normal_matrix(rng, 1, n), .R_n = test::random_covariance(rng, 1, 0.1)},
         {.H = test::normal_matrix(rng, 9, n), .R_n = test::random_covariance(rng, 9, 0.1), .period = 0.01}});
    const auto filter = make_estimator(GetParam(), system);
    ObservabilityMonitor monitor(system);
    ErrorSquare square(n);
    LatencyHistogram latencies;
    ASSERT_TRUE(filter->start(0.0, VectorXd::Zero(n), MatrixXd::Identity(n, n)));
    const VectorXd y1 = VectorXd::Ones(1), y9 = VectorXd::Ones(9), bad = VectorXd::Constant(9, std::nan("")),
                   zero = VectorXd::Zero(n);
    double sum = 0.0;
    bool is_good = true;
    const long count = test::count_allocations([&] {
      for (int k = 0; k < 100; ++k) {
        is_good = filter->predict(1e-3) && is_good;
        monitor.follow_predict(1e-3, *filter);
        is_good = filter->update(0, y1, 1e9).status == UpdateReport::Status::kAccepted && is_good;
        monitor.follow_update(0, *filter);
        sum += filter->update(1, y9, k % 10 == 0 ? std::numeric_limits<double>::infinity() : 1e-3).nis;
        sum += filter->update(1, bad, 9.0).nis;
        if (k == 50) filter->inflate(2.0);
        sum += filter->covariance()(0, 0) + monitor.ratio(0) + (monitor.all_observed() ? 1.0 : 0.0);
        sum += square.evaluate(zero, filter->covariance()).value_or(0.0);
        latencies.add(core::Duration::from_nanoseconds(100 * k));
        sum += static_cast<double>(latencies.quantile(0.99).nanoseconds());
      }
    });
    EXPECT_TRUE(is_good && std::isfinite(sum));
    EXPECT_EQ(count, 0) << n;
  }
}

INSTANTIATE_TEST_SUITE_P(Filters, AllocationOf, testing::ValuesIn(test::general_filter_names()),
                         [](const auto& name) { return test::test_name(name.param); });

}  // namespace
}  // namespace eslabon::estimation
