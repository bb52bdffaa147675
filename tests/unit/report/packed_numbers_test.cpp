#include "eslabon/report/data/packed_numbers.hpp"

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "tests/sentence_of.hpp"
#include "tests/unit/report/unpacked_numbers.hpp"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "eslabon/core/random/rng.hpp"
#include "eslabon/core/text/error.hpp"
#include "eslabon/report/data/base64.hpp"

namespace eslabon::report {
namespace {

using Kind = NumberForm::Kind;
using testing::HasSubstr;

std::vector<double> drawn(std::size_t count, double from, double to, std::uint64_t seed) {
  core::Rng rng(seed);
  std::vector<double> values(count);
  for (double& value : values) value = from + (to - from) * rng.uniform();
  return values;
}

std::vector<double> through(const std::vector<double>& values, const NumberForm& form) {
  return test::unpacked(coded(values, form), static_cast<int>(form.kind), form.count, form.first, form.step);
}

double largest_error(const std::vector<double>& a, const std::vector<double>& b) {
  EXPECT_EQ(a.size(), b.size());
  double error = 0.0;
  for (std::size_t k = 0; k < std::min(a.size(), b.size()); ++k)
    error = std::max(error, std::abs(a[k] - b[k]));
  return error;
}

// reference: the examples of RFC 4648, §10.
TEST(Base64, GivesTheExamplesOfItsStandard) {
  const auto text = [](const std::string& bytes) {
    return base64(std::as_bytes(std::span(bytes.data(), bytes.size())));
  };
  EXPECT_EQ(text(""), "");
  EXPECT_EQ(text("f"), "Zg==");
  EXPECT_EQ(text("fo"), "Zm8=");
  EXPECT_EQ(text("foo"), "Zm9v");
  EXPECT_EQ(text("foob"), "Zm9vYg==");
  EXPECT_EQ(text("fooba"), "Zm9vYmE=");
  EXPECT_EQ(text("foobar"), "Zm9vYmFy");
  EXPECT_EQ(text("\xfb\xff\xfe"), "+//+");
}

// invariant: the decoder of the test, which shares nothing with the encoder, gives all bytes back.
TEST(Base64, KeepsEveryByte_AtEveryLength) {
  std::vector<std::byte> bytes;
  for (int length = 0; length < 300; ++length) {
    EXPECT_EQ(test::bytes_of_base64(base64(bytes)), bytes);
    EXPECT_EQ(base64(bytes).size(), base64_length(bytes.size()));
    bytes.push_back(static_cast<std::byte>((length * 37 + 11) & 0xff));
  }
}

TEST(PackedNumbers, TakeNoCodes_WhenAllTheSame) {
  const std::vector<double> values(1000, -0.3);
  for (const NumberForm& form : {form_of_times(values, "x"), form_of_channel(values, "x"),
                                 form_of_lengths(values, 1.0, "x"), form_of_units(values, "x")}) {
    EXPECT_EQ(form.kind, Kind::kSame);
    EXPECT_EQ(through(values, form), values);
    EXPECT_LT(form.bytes(), 100.0);
  }
}

TEST(PackedNumbers, TakeNoCodes_WhenThereAreNone) {
  for (const NumberForm& form :
       {form_of_times({}, "x"), form_of_channel({}, "x"), form_of_lengths({}, 1.0, "x"),
        form_of_units({}, "x"), form_of_weights({}, "x")}) {
    EXPECT_EQ(form.kind, Kind::kSame);
    EXPECT_EQ(form.count, 0u);
    EXPECT_EQ(coded({}, form), "");
  }
}

// Times of a clock in nanoseconds are evenly spaced for people.
TEST(PackedNumbers, TakeNoCodes_WhenEvenlySpacedToAMillionthOfAStep) {
  std::vector<double> times(3601);
  for (std::size_t k = 0; k < times.size(); ++k)
    times[k] = 1e-9 * std::round(static_cast<double>(k) * 1e9 / 60.0);
  const NumberForm form = form_of_times(times, "t");
  EXPECT_EQ(form.kind, Kind::kEven);
  EXPECT_LE(largest_error(through(times, form), times), 1e-6 / 60.0);
  times[1800] += 1e-4 / 60.0;
  EXPECT_EQ(form_of_times(times, "t").kind, Kind::kDouble);
}

TEST(PackedNumbers, KeepTimesToTheLastBit_WhenUneven) {
  std::vector<double> times = drawn(1001, 0.0, 50.0, 1);
  std::sort(times.begin(), times.end());
  const NumberForm form = form_of_times(times, "t");
  EXPECT_EQ(form.kind, Kind::kDouble);
  EXPECT_EQ(through(times, form), times);
}

// analytic: half a unit in the last of 24 bits.
TEST(PackedNumbers, KeepChannelsToTwentyFourBits) {
  const std::vector<double> values = drawn(1001, -3.0, 700.0, 2);
  const NumberForm form = form_of_channel(values, "x");
  EXPECT_EQ(form.kind, Kind::kFloat);
  const std::vector<double> back = through(values, form);
  for (std::size_t k = 0; k < values.size(); ++k)
    EXPECT_LE(std::abs(back[k] - values[k]), 0x1.0p-24 * std::abs(values[k])) << k;
}

// An energy that drifts by a billionth, residuals below what a float knows, numbers beyond it: none is flattened.
TEST(PackedNumbers, KeepASmallChangeOfALargeValue) {
  std::vector<double> energy = drawn(500, 0.0, 1e-6, 3);
  for (double& value : energy) value += 1234.5;
  EXPECT_EQ(through(energy, form_of_channel(energy, "energy")), energy);
  std::vector<double> residual = drawn(500, 0.0, 1e-46, 4);
  EXPECT_EQ(through(residual, form_of_channel(residual, "residual")), residual);
  std::vector<double> large = drawn(500, -1e300, 1e300, 5);
  EXPECT_EQ(through(large, form_of_channel(large, "large")), large);
}

// analytic: half a step, range/131070; the ends are exact to roundoff.
TEST(PackedNumbers, KeepLengthsToAHalfStepOfTheirRange) {
  for (const auto& [from, to] : {std::pair{-0.25, 1.75}, {100.0, 100.001}, {-3e-7, -1e-7}, {0.0, 5e4}}) {
    std::vector<double> values = drawn(2000, from, to, 6);
    values[10] = from;
    values[20] = to;
    const NumberForm form = form_of_lengths(values, HUGE_VAL, "x");
    ASSERT_EQ(form.kind, Kind::kU16);
    const double roundoff = 4e-16 * std::max(std::abs(from), std::abs(to));
    EXPECT_LE(largest_error(through(values, form), values), (to - from) / 131070.0 + roundoff);
    EXPECT_NEAR(through(values, form)[10], from, roundoff);
    EXPECT_NEAR(through(values, form)[20], to, roundoff);
  }
}

// A vehicle that goes far must not shake.
TEST(PackedNumbers, KeepLengthsToTheToleranceAsked_OverALongWay) {
  const std::vector<double> values = drawn(2000, 0.0, 1000.0, 7);
  const NumberForm form = form_of_lengths(values, 1e-4, "x");
  EXPECT_EQ(form.kind, Kind::kFloat);
  EXPECT_LE(largest_error(through(values, form), values), 1e-4);
}

TEST(PackedNumbers, KeepUnitsToAHalfStep_AndTheirEndsExactly) {
  std::vector<double> values = drawn(2000, -1.0, 1.0, 8);
  values[0] = 1.0;
  values[1] = -1.0;
  const NumberForm form = form_of_units(values, "e");
  EXPECT_EQ(form.kind, Kind::kU16);
  const std::vector<double> back = through(values, form);
  EXPECT_LE(largest_error(back, values), 1.0 / 65535.0 + 1e-15);
  EXPECT_NEAR(back[0], 1.0, 1e-15);
  EXPECT_EQ(back[1], -1.0);
}

TEST(PackedNumbers, KeepWeightsToAHalfStep) {
  std::vector<double> values = drawn(2000, 0.0, 1.0, 9);
  values[0] = 1.0;
  const NumberForm form = form_of_weights(values, "w");
  EXPECT_EQ(form.kind, Kind::kU8);
  EXPECT_LE(largest_error(through(values, form), values), 1.0 / 510.0 + 1e-15);
  EXPECT_NEAR(through(values, form)[0], 1.0, 1e-15);
}

// invariant: what is estimated is what is written.
TEST(PackedNumbers, TellTheirBytesBeforehand) {
  const std::vector<double> values = drawn(3000, 0.0, 1.0, 10);
  for (const NumberForm& form : {form_of_times(values, "x"), form_of_channel(values, "x"),
                                 form_of_lengths(values, 1.0, "x"), form_of_weights(values, "x")})
    EXPECT_NEAR(form.bytes(), static_cast<double>(coded(values, form).size()), 60.0);
}

TEST(PackedNumbers, RefuseWhatIsNotFinite_NamingItAndItsRow) {
  for (const double bad : {std::numeric_limits<double>::quiet_NaN(), HUGE_VAL, -HUGE_VAL}) {
    const std::vector<double> values{0.0, 0.25, bad, 1.0};
    const auto sentence = [](auto action) { return test::sentence_of<core::ContractError>(action); };
    EXPECT_THAT(sentence([&] { form_of_times(values, "the time"); }),
                HasSubstr("the time: expected finite numbers"));
    EXPECT_THAT(sentence([&] { form_of_channel(values, "'a'"); }), HasSubstr("in row 3"));
    EXPECT_THAT(sentence([&] { form_of_lengths(values, 1.0, "'a'"); }), HasSubstr("'a'"));
    EXPECT_THAT(sentence([&] { form_of_units(values, "'a'"); }), HasSubstr("'a'"));
    EXPECT_THAT(sentence([&] { form_of_weights(values, "'a'"); }), HasSubstr("'a'"));
  }
  EXPECT_THROW(form_of_units(std::vector{0.0, 1.0001}, "e"), core::ContractError);
  EXPECT_THROW(form_of_weights(std::vector{0.0, -0.0001}, "w"), core::ContractError);
}

}  // namespace
}  // namespace eslabon::report
