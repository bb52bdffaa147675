#include "eslabon/estimation/grid_filter.hpp"

#include <chrono>
#include <cstdio>

#include "tests/estimated_case.hpp"
#include "tests/linear_system.hpp"
#include "tests/pendulum_system.hpp"
#include "tests/sensed_mechanisms.hpp"
#include <gtest/gtest.h>

namespace eslabon::estimation {
namespace {

using Eigen::Matrix2d;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double kNoGate = std::numeric_limits<double>::infinity();

TEST(GridFilter, Probe) {
  for (int nodes : {100, 140, 200, 280, 400}) {
    Matrix2d F; F << 1.0, 0.1, -0.1, 0.98;
    Matrix2d Q; Q << 0.004, 0.002, 0.002, 0.01;
    test::LinearSystem system(F, Q, {{.H = Eigen::RowVector2d(1.0, 0.3), .R_n = MatrixXd::Constant(1, 1, 0.04)}});
    EstimatorOptions o; o.grid = {nodes, nodes};
    auto grid = make_estimator("grid", system, o);
    Matrix2d P; P << 0.5, 0.1, 0.1, 0.4;
    VectorXd x(2); x << 0.3, -0.2;
    auto t0 = std::chrono::steady_clock::now();
    ASSERT_TRUE(grid->start(0.0, x, P));
    VectorXd m = x; MatrixXd C = P; double ev = 0;
    core::Rng rng(4);
    VectorXd truth = x;
    double em = 0, ec = 0, ee = 0;
    for (int k = 0; k < 40; ++k) {
      truth = F * truth + 0.1 * test::normal_matrix(rng, 2, 1);
      VectorXd y(1); y << truth[0] + 0.3 * truth[1] + 0.2 * rng.normal();
      ASSERT_TRUE(grid->predict(0.1));
      m = (F * m).eval(); C = (F * C * F.transpose()).eval() + Q;
      Eigen::RowVector2d H(1.0, 0.3);
      double S = (H * C * H.transpose())(0) + 0.04, d = y[0] - H.dot(m);
      VectorXd K = C * H.transpose() / S; m += K * d; C = ((Matrix2d::Identity() - K * H) * C).eval();
      ev += -0.5 * (d * d / S + std::log(2 * M_PI * S));
      ASSERT_EQ(grid->update(0, y, kNoGate).status, UpdateReport::Status::kAccepted);
      em = std::max(em, (grid->mean() - m).norm()); ec = std::max(ec, (grid->covariance() - C).norm()); ee = std::max(ee, std::abs(*grid->log_evidence() - ev));
    }
    auto t1 = std::chrono::steady_clock::now();
    std::printf("%d: mean %.2e cov %.2e evidence %.2e  (sd %.3f %.3f)  %.0f ms\n", nodes, em, ec, ee, std::sqrt(C(0,0)), std::sqrt(C(1,1)), std::chrono::duration<double>(t1-t0).count()*1e3);
  }
}

TEST(GridFilter, FourBar) {
  std::string text = test::text_of_model("fourbar-double-crank");
  text = test::with_after(text, "sensors:\n", "  coupler_gyroscope: {gyroscope: floating, noise: 0.05 rad/s, rate: = 1/(6 ms)}\n");
  const model::Mechanism mech = io::read_mechanism(text, "x.yaml");
  EstimatorOptions o; o.particle.motion = 0.02; o.grid = {360, 2000};
  test::FilterCase f(mech, {"coupler_gyroscope"}, "grid", {.noise = {.velocity = 1.0}}, o);
  auto t0 = std::chrono::steady_clock::now();
  ASSERT_TRUE(f.estimator->start_unknown(0.0, {.rate_deviation = 0.5}));
  auto& g = dynamic_cast<GridFilter&>(*f.estimator);
  const auto truth = test::true_motion(mech, 0.006, 170);
  core::Rng rng(1);
  for (int k = 1; k <= 170; ++k) {
    ASSERT_TRUE(g.predict(0.006));
    auto rep = f.read(0, truth[(size_t)k], rng);
    if (k % 10 == 0 || k < 4) {
      auto t1 = std::chrono::steady_clock::now();
      double z = kinematics::value_of(f.c.mechanism, model::find_variable(f.c.mechanism, "input.angle"), truth[(size_t)k]);
      double lowest = 0; for (int s = 0; s < g.grid().num_sheets(); ++s) lowest = std::min(lowest, g.grid().mass(s).minCoeff() / g.grid().mass(s).maxCoeff());
      std::printf("%d st %d nis %.2f truth %.3f mean %.3f %.3f sd %.4f %.4f ev %.3f H %.3f sheets %.4f rows %ld neg %.1e  t %.2f s\n", k, (int)rep.status, rep.nis, z, g.mean()[0], g.mean()[1], std::sqrt(g.covariance()(0,0)), std::sqrt(g.covariance()(1,1)), *g.log_evidence(), g.entropy(), g.sheet_probabilities()[0], (long)g.grid().rate().count, lowest, std::chrono::duration<double>(t1-t0).count());
    }
  }
}

}  // namespace
}  // namespace eslabon::estimation
