#include "eslabon/study/filter_settings.hpp"

#include <numbers>
#include <set>

#include "tests/sensed_pendulum.hpp"
#include "tests/sentence_of.hpp"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "eslabon/runs/request_error.hpp"

namespace eslabon::study {
namespace {

using ::testing::HasSubstr;
using UnknownKind = runs::UnknownRequest::Kind;

runs::EstimateRequest with(const std::string& name, const std::vector<std::string>& texts) {
  runs::EstimateRequest request;
  const FilterSetting* const setting = find_filter_setting(name);
  EXPECT_NE(setting, nullptr) << name;
  if (setting != nullptr) setting->set(request, texts, test::sensed_pendulum());
  return request;
}

std::string sentence_of(const std::string& name, const std::string& text) {
  return test::sentence_of<runs::RequestError>([&] { with(name, {text}); });
}

TEST(FilterSettings, HaveNamesOfTheirOwn) {
  std::set<std::string_view> names;
  for (const FilterSetting& setting : filter_settings())
    EXPECT_TRUE(names.insert(setting.name()).second) << setting.name();
  EXPECT_EQ(find_filter_setting("nothing"), nullptr);
  EXPECT_EQ(field_of("start-rate-deviation"), "start_rate_deviation");
  EXPECT_EQ(field_of("jacobian"), "simple_jacobian");
  for (const FilterSetting& setting : filter_settings())
    EXPECT_EQ(setting_of(field_of(setting.name())), setting.name());
}

TEST(FilterSettings, GiveTheirFieldTheValueInSiUnits) {
  constexpr double kDegree = std::numbers::pi / 180.0;
  EXPECT_EQ(with("gate", {"1e-3"}).gate, 1e-3);
  EXPECT_EQ(with("step", {"6 ms"}).step.nanoseconds(), 6'000'000);
  EXPECT_EQ(with("every", {"0.5"}).every->nanoseconds(), 500'000'000);
  EXPECT_EQ(with("until", {"2 s"}).until->nanoseconds(), 2'000'000'000);
  EXPECT_EQ(with("window", {"0"}).window->nanoseconds(), 0);
  EXPECT_TRUE(with("jacobian", {"simple"}).simple_jacobian);
  EXPECT_FALSE(with("jacobian", {"exact"}).simple_jacobian);
  EXPECT_EQ(with("integrator", {"rk4"}).integrator, estimation::StepRule::kRk4);
  EXPECT_EQ(with("start-deviation", {"20 deg"}).start_deviation, 20.0 * kDegree);
  EXPECT_EQ(with("start-rate-deviation", {"3 deg/s"}).start_rate_deviation, 3.0 * kDegree);
  EXPECT_EQ(with("position-noise", {"0.1"}).position_noise, 0.1);
  EXPECT_EQ(with("velocity-noise", {"0.2"}).velocity_noise, 0.2);
  EXPECT_EQ(with("acceleration-noise", {"0.3"}).acceleration_noise, 0.3);
  EXPECT_TRUE(with("forces", {"true"}).forces);
  EXPECT_FALSE(with("forces", {"false"}).forces);
  EXPECT_EQ(with("force-deviation", {"4"}).force_deviation, 4.0);
  EXPECT_EQ(with("force-walk", {"5"}).force_walk, 5.0);
  EXPECT_EQ(with("particles", {"300"}).particle.particles, 300);
  EXPECT_EQ(with("fewest", {"30"}).particle.fewest, 30);
  EXPECT_EQ(with("resampling", {"residual"}).particle.resampling, estimation::Resampling::kResidual);
  EXPECT_EQ(with("threshold", {"0.7"}).particle.threshold, 0.7);
  EXPECT_EQ(with("sampling", {"auxiliary"}).particle.sampling, estimation::ParticleVariant::kAuxiliary);
  EXPECT_EQ(with("motion", {"1 deg"}).particle.motion, kDegree);
  EXPECT_EQ(with("roughening", {"2 rad/s"}).particle.roughening, 2.0);
  EXPECT_EQ(with("sensor-factor", {"10"}).particle.sensor_factor, 10.0);
  EXPECT_EQ(with("seed", {"18446744073709551615"}).particle.seed, UINT64_MAX);
  EXPECT_EQ(with("threads", {"2"}).particle.threads, 2);
}

TEST(FilterSettings, ReadUnknownsInTheUnitsOfTheMechanism) {
  const std::vector<runs::UnknownRequest> unknown =
      with("unknown", {"force:A.q,sigma=2 N*m,walk=0.5", "bias:gyroscope,sigma=1 deg/s", "mass:bob,start=2"})
          .unknown;
  ASSERT_EQ(unknown.size(), 3u);
  EXPECT_EQ(unknown[0].kind, UnknownKind::kForce);
  EXPECT_EQ(unknown[0].name, "A.q");
  EXPECT_EQ(unknown[0].deviation, 2.0);
  EXPECT_EQ(unknown[0].walk, 0.5);
  EXPECT_FALSE(unknown[0].start);
  EXPECT_EQ(unknown[1].kind, UnknownKind::kBias);
  EXPECT_EQ(unknown[1].deviation, std::numbers::pi / 180.0);
  EXPECT_EQ(unknown[2].kind, UnknownKind::kMass);
  EXPECT_EQ(unknown[2].start, 2.0);
}

TEST(FilterSettings, NameTheFieldThatIsWrong) {
  EXPECT_THAT(sentence_of("start-deviation", "5 m"), HasSubstr("[start_deviation]"));
  EXPECT_THAT(sentence_of("step", "0"), HasSubstr("the step is too short [step]"));
  EXPECT_THAT(sentence_of("particles", "1.5"), HasSubstr("not a whole number [particles]"));
  EXPECT_THAT(sentence_of("integrator", "rk45"), HasSubstr("unknown integrator [integrator]"));
  EXPECT_THAT(sentence_of("unknown", "wind"), HasSubstr("this unknown cannot be read [unknown]"));
  EXPECT_THAT(sentence_of("unknown", "wind:bob"), HasSubstr("unknown kind of unknown [unknown]"));
  EXPECT_THAT(sentence_of("unknown", "mass:bop"), HasSubstr("Did you mean 'bob'?"));
  EXPECT_THAT(sentence_of("unknown", "force:A.q,sigma=2 N"), HasSubstr("[unknown"));
  EXPECT_THAT(sentence_of("unknown", "mass:bob,sigma=1,sigma=2"), HasSubstr("each once at most"));
}

}  // namespace
}  // namespace eslabon::study
