#include "eslabon/estimation/position_prior.hpp"

#include <chrono>
#include <cstdio>

#include "tests/dynamic_case.hpp"
#include <gtest/gtest.h>



namespace eslabon::estimation {
namespace {

TEST(PositionPrior, Probe) {
  struct Case { std::string name; std::vector<std::string> z; };
  for (const Case& c : {Case{"fourbar-double-crank", {}}, Case{"fourbar-crank-rocker", {"B.q"}}, Case{"fourbar-crank-rocker", {}}, Case{"slider-crank", {"guide.q"}}, Case{"slider-crank", {}}, Case{"fivebar", {}}, Case{"double-wishbone", {}}, Case{"quarter-vehicle", {}}, Case{"rssr",{}}, Case{"watt-sixbar",{}}, Case{"stephenson-sixbar",{}}, Case{"andrews-squeezer",{}}}) {
    auto mech = test::load_released(c.name);
    test::DynamicCase d(mech);
    HeldFreedoms held(d.model, {});
    for (auto& q : held.system().coordinates()) std::printf("%s ", q.name.c_str());
    std::printf("\n");
    try {
    auto t0 = std::chrono::steady_clock::now();
    PositionPrior prior(d.model, c.z);
    auto t1 = std::chrono::steady_clock::now();
    DrawnPosition p = prior.make_position();
    core::Rng rng(3);
    double worst = 0; int bad = 0;
    const int N = 20000;
    for (int i = 0; i < N; ++i) { if (!prior.draw(rng, p)) {++bad; break;} }
    auto t2 = std::chrono::steady_clock::now();
    for (int i = 0; i < 2000 && !bad; ++i) { (void)prior.draw(rng, p); HeldFreedoms& h = held; worst = std::max(worst, h.residual(p.q)); }
    std::printf("%s: build %.1f ms, draw %.2f us, branches %d, part %.3f, bad %d, worst %.2e\n", c.name.c_str(),
      std::chrono::duration<double>(t1 - t0).count() * 1e3, std::chrono::duration<double>(t2 - t1).count() * 1e6 / N, prior.num_branches_seen(), prior.reached_part(), bad, worst);
    for (auto& r : prior.ranges()) std::printf("   %s %d [%g %g] [%g %g]\n", r.name.c_str(), r.is_turn, r.lower, r.upper, r.reached_lower, r.reached_upper);
    } catch (const std::exception& e) { std::printf("%s: %s\n", c.name.c_str(), e.what()); }
    std::fflush(stdout);
  }
}

}  // namespace
}  // namespace eslabon::estimation
