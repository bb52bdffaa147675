#include "eslabon/model/elements/sensor.hpp"

#include <gtest/gtest.h>

namespace eslabon::model {
namespace {

TEST(SensorKind, IsFoundByItsName) {
  using enum SensorKind;
  for (const SensorKind kind : {kGyroscope, kAccelerometer, kEncoder, kTachometer, kInclinometer, kTracker,
                                kDistance, kImu, kMagnetometer, kVariable})
    EXPECT_EQ(find_sensor_kind(name(kind)), kind) << name(kind);
  EXPECT_EQ(name(kTracker), "tracker");
  EXPECT_EQ(name(kVariable), "reads");
  EXPECT_FALSE(find_sensor_kind("gyro"));
}

TEST(SensorKind, FactsStandInTheOrderOfTheEnumeration) {
  for (const SensorKindFacts& entry : all_sensor_kinds()) EXPECT_EQ(facts(entry.kind).name, entry.name);
}

}  // namespace
}  // namespace eslabon::model
