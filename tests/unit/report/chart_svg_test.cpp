#include "eslabon/report/charts/chart_svg.hpp"

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <regex>
#include <string>
#include <vector>

#include "tests/sentence_of.hpp"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "eslabon/core/random/rng.hpp"
#include "eslabon/core/text/error.hpp"
#include "eslabon/report/charts/axis_scale.hpp"
#include "eslabon/report/charts/axis_ticks.hpp"

namespace eslabon::report {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

/// Reads the text as XML by a parser of another program; 0 when it is well-formed.
int parsed_by_another_program(const std::string& xml) {
  std::FILE* pipe = popen(
      "python3 -c 'import sys, xml.dom.minidom; xml.dom.minidom.parse(sys.stdin.buffer)' 2>/dev/null", "w");
  std::fwrite(xml.data(), 1, xml.size(), pipe);
  return pclose(pipe);
}

/// The drawing in a folder of the user's choice, for looking.
void keep_for_looking(const std::string& name, const std::string& svg) {
  const char* folder = std::getenv("ESLABON_KEEP_DRAWINGS");
  if (folder == nullptr) return;
  std::FILE* file = std::fopen((std::string(folder) + "/" + name + ".svg").c_str(), "w");
  std::fwrite(svg.data(), 1, svg.size(), file);
  std::fclose(file);
}

struct Label {
  double x = 0.0, y = 0.0;
  std::string anchor, text;
};

std::vector<Label> labels_of(const std::string& svg) {
  static const std::regex pattern("<text x=\"([^\"]*)\" y=\"([^\"]*)\"([^>]*)>([^<]*)</text>");
  std::vector<Label> labels;
  for (std::sregex_iterator it(svg.begin(), svg.end(), pattern), end; it != end; ++it) {
    const std::string attributes = (*it)[3];
    const bool is_end = attributes.find("\"end\"") != std::string::npos;
    const bool is_middle = attributes.find("middle") != std::string::npos;
    labels.push_back({std::stod((*it)[1]), std::stod((*it)[2]),
                      is_end      ? "end"
                      : is_middle ? "middle"
                                  : "start",
                      (*it)[4]});
  }
  return labels;
}

/// Texts that lie on each other, if characters of 12 px are 6.2 px wide.
int overlaps(const std::string& svg) {
  struct Box {
    double left, right, top, bottom;
  };
  std::vector<Box> boxes;
  for (const Label& label : labels_of(svg)) {
    double width = 0.0;
    for (const char c : label.text) width += (static_cast<unsigned char>(c) & 0xc0u) != 0x80u ? 6.2 : 0.0;
    const double left = label.anchor == "end"      ? label.x - width
                        : label.anchor == "middle" ? label.x - 0.5 * width
                                                   : label.x;
    boxes.push_back({left, left + width, label.y - 9.0, label.y + 2.0});
  }
  int count = 0;
  for (std::size_t a = 0; a < boxes.size(); ++a)
    for (std::size_t b = 0; b < a; ++b)
      if (boxes[a].left < boxes[b].right && boxes[b].left < boxes[a].right &&
          boxes[a].top < boxes[b].bottom && boxes[b].top < boxes[a].bottom)
        ++count;
  return count;
}

Chart convergence() {
  Chart chart{"Error against particles",
              Chart::Kind::kLines,
              {"particles", "", true},
              {"error of crank.angle", "rad", true},
              {}};
  for (int s = 0; s < 3; ++s) {
    chart.series.push_back({"filter " + std::to_string(s), {}, {}, {}, {}});
    for (int k = 0; k < 8; ++k) {
      const double n = 10.0 * std::pow(2.0, k);
      const double error = 0.3 * (s + 1) / std::sqrt(n);
      chart.series.back().x.push_back(n);
      chart.series.back().y.push_back(error);
      chart.series.back().low.push_back(0.7 * error);
      chart.series.back().high.push_back(1.3 * error);
    }
  }
  return chart;
}

Report two_recordings() {
  Report report;
  report.title = "four-bar: truth and estimate";
  report.subtitle = "dekf, 100 Hz";
  for (const char* name : {"truth", "dekf"}) {
    Recording recording{name, Recording::Role::kTruth, {}, {}, {}, {}, {}};
    for (int k = 0; k <= 20000; ++k) recording.times.push_back(4e-4 * k);
    for (const auto& [channel, unit] :
         {std::pair{"crank.angle", "rad"}, {"crank.rate", "rad/s"}, {"energy", "J"}}) {
      recording.channels.push_back({channel, unit, {}, {}, {}});
      for (const double t : recording.times)
        recording.channels.back().values.push_back(
            channel == std::string("energy") ? 1234.5 + 1e-7 * std::sin(t) : 3.0 * std::sin(t * 2.0));
      if (name == std::string("dekf")) recording.channels.back().sigma.assign(recording.times.size(), 0.2);
    }
    report.recordings.push_back(recording);
  }
  report.recordings.push_back({"readings",
                               Recording::Role::kReadings,
                               {},
                               {{"imu.wz", "rad/s", {1e-5, 2e-5, 1.5e-5}, {}, {1.0, 2.0, 7.0}}},
                               {},
                               {},
                               {}});
  return report;
}

// analytic: by hand.
TEST(AxisTicks, AreMultiplesOfOneTwoOrFive) {
  const auto labels = [](const AxisTicks& axis) {
    std::string all;
    for (const Tick& tick : axis.ticks) all += (all.empty() ? "" : " ") + tick.label;
    return all;
  };
  EXPECT_EQ(labels(linear_ticks(0.0, 10.0, 5)), "0 2 4 6 8 10");
  EXPECT_EQ(labels(linear_ticks(-1.0, 1.0, 4)), "−1.0 −0.5 0.0 0.5 1.0");
  EXPECT_EQ(labels(linear_ticks(0.07, 0.31, 6)), "0.10 0.15 0.20 0.25 0.30");
  EXPECT_EQ(labels(linear_ticks(0.0, 2.5e-5, 5)), "0 5 10 15 20 25");
  EXPECT_EQ(linear_ticks(0.0, 2.5e-5, 5).exponent, -6);
  EXPECT_EQ(labels(linear_ticks(1234.5, 1234.50001, 5)),
            "1234.500000 1234.500002 1234.500004 1234.500006 1234.500008 1234.500010");
  EXPECT_EQ(labels(log_ticks(0.5, 2000.0, 6)), "1 10 100 1000");
  EXPECT_EQ(labels(log_ticks(1e-12, 1.0, 6)), "10⁻¹² 10⁻¹⁰ 10⁻⁸ 10⁻⁶ 10⁻⁴ 10⁻² 10⁰");
  EXPECT_EQ(labels(log_ticks(0.9, 60.0, 8)), "1 2 5 10 20 50");
  EXPECT_EQ(labels(log_ticks(2.1, 4.2, 5)), "2.5 3.0 3.5 4.0");
}

// invariant: inside the axis, neither too many nor too few, equal gaps, labels all different and true to half their last digit.
TEST(AxisTicks, FillTheAxis_WhateverItsRange) {
  core::Rng rng(3);
  for (int trial = 0; trial < 2000; ++trial) {
    const double least = (rng.uniform() - 0.5) * std::pow(10.0, 24.0 * rng.uniform() - 12.0);
    const double largest =
        least + std::max(1e-9 * std::abs(least), std::pow(10.0, 24.0 * rng.uniform() - 12.0));
    const int most = 2 + trial % 9;
    const AxisTicks axis = linear_ticks(least, largest, most);
    ASSERT_GE(static_cast<double>(axis.ticks.size()), std::max(2.0, std::floor(most / 2.5)))
        << least << " " << largest;
    ASSERT_LE(axis.ticks.size(), std::max<std::size_t>(static_cast<std::size_t>(most) + 1, 5))
        << least << " " << largest;
    for (std::size_t k = 0; k < axis.ticks.size(); ++k) {
      const double slack = 1e-8 * (largest - least);
      EXPECT_GE(axis.ticks[k].value, least - slack);
      EXPECT_LE(axis.ticks[k].value, largest + slack);
      std::string label = axis.ticks[k].label;
      if (label.starts_with("−")) label.replace(0, std::string("−").size(), "-");
      EXPECT_NEAR(std::stod(label) * std::pow(10.0, axis.exponent), axis.ticks[k].value,
                  1e-3 * (largest - least))
          << label;
      if (k > 0) {
        EXPECT_NE(axis.ticks[k].label, axis.ticks[k - 1].label);
      }
    }
  }
}

TEST(AxisScale, PutsValuesBetweenItsEnds) {
  AxisExtent extent(true);
  extent.add({-1.0, 0.0, 10.0, 1000.0});
  AxisScale scale = extent.scale(0.0);
  scale.from = 100.0;
  scale.to = 300.0;
  EXPECT_NEAR(scale(10.0), 100.0, 1e-9);
  EXPECT_NEAR(scale(100.0), 200.0, 1e-9);
  EXPECT_FALSE(scale.shows(0.0));
  EXPECT_NEAR(scale(-5.0), 100.0, 1e-9);
  for (const auto& values :
       {std::vector<double>{}, {0.0}, {7.0, 7.0}, {5e-324, 0.0}, {-1e308, 1e308}, {1.0, 1.0 + 1e-15}})
    for (const bool is_log : {false, true}) {
      AxisExtent any(is_log);
      any.add(values);
      const AxisScale of = any.scale(0.05);
      EXPECT_LT(of.least, of.largest);
      for (const double value : values) EXPECT_TRUE(std::isfinite(of(value)));
      const AxisTicks ticks =
          is_log ? log_ticks(of.least, of.largest, 6) : linear_ticks(of.least, of.largest, 6);
      EXPECT_FALSE(ticks.ticks.empty());
      EXPECT_LE(ticks.ticks.size(), 7u);
    }
}

// crosscheck: a parser of another program; no texts on each other; units on both axes.
TEST(ChartSvg, IsWellFormed_WithUnitsAndNothingOverlapping) {
  const std::string svg = chart_svg(convergence());
  keep_for_looking("convergence", svg);
  EXPECT_EQ(parsed_by_another_program(svg), 0);
  EXPECT_THAT(svg, AllOf(HasSubstr("particles [1]"), HasSubstr("error of crank.angle [rad]"),
                         HasSubstr("filter 2"), HasSubstr("Error against particles")));
  EXPECT_EQ(overlaps(svg), 0);
  EXPECT_EQ(svg, chart_svg(convergence()));
}

TEST(ChartSvg, DrawsBarsFromEdges) {
  Chart chart{"step times",
              Chart::Kind::kBars,
              {"time of a step", "s", true},
              {"steps", "", false},
              {{"dekf", {}, {}, {}, {}}}};
  for (int k = 0; k <= 30; ++k) chart.series[0].x.push_back(1e-6 * std::pow(1.3, k));
  for (int k = 0; k < 30; ++k) chart.series[0].y.push_back(1e6 * std::exp(-0.05 * (k - 12) * (k - 12)));
  const std::string svg = chart_svg(chart);
  keep_for_looking("bars", svg);
  EXPECT_EQ(parsed_by_another_program(svg), 0);
  EXPECT_THAT(svg, AllOf(HasSubstr("steps [10⁶]"), HasSubstr("time of a step [s]")));
  EXPECT_EQ(overlaps(svg), 0);
}

// analytic: a line from corner to corner, where the axes say it is.
TEST(ChartSvg, DrawsPointsWhereTheAxesSay) {
  const std::string svg = chart_svg({"",
                                     Chart::Kind::kLines,
                                     {"x", "m", false},
                                     {"y", "m", false},
                                     {{"a", {0.0, 1.0, 2.0}, {0.0, 20.0, 40.0}, {}, {}}}});
  double x0 = 0, x1 = 0, y0 = 0, y1 = 0;
  for (const Label& label : labels_of(svg)) {
    if (label.anchor == "middle" && label.text == "0.0") x0 = label.x;
    if (label.anchor == "middle" && label.text == "2.0") x1 = label.x;
    if (label.anchor == "end" && label.text == "0") y0 = label.y - 4.0;
    if (label.anchor == "end" && label.text == "40") y1 = label.y - 4.0;
  }
  std::smatch path;
  ASSERT_TRUE(std::regex_search(
      svg, path,
      std::regex("d=\"M([0-9.]+) ([0-9.]+)L([0-9.]+) ([0-9.]+)L([0-9.]+) ([0-9.]+)\" fill=\"none\"")));
  EXPECT_NEAR(std::stod(path[1]), x0, 0.11);
  EXPECT_NEAR(std::stod(path[2]), y0, 0.11);
  EXPECT_NEAR(std::stod(path[3]), 0.5 * (x0 + x1), 0.11);
  EXPECT_NEAR(std::stod(path[4]), 0.5 * (y0 + y1), 0.11);
  EXPECT_NEAR(std::stod(path[5]), x1, 0.11);
  EXPECT_NEAR(std::stod(path[6]), y1, 0.11);
}

// A spike of one row in many is drawn.
TEST(ChartSvg, KeepsASpike_WhenPointsAreMany) {
  Chart chart{"", Chart::Kind::kLines, {"x", "m", false}, {"y", "m", false}, {{"a", {}, {}, {}, {}}}};
  for (int k = 0; k < 100000; ++k) {
    chart.series[0].x.push_back(k);
    chart.series[0].y.push_back(k == 77777 ? 50.0 : std::sin(0.01 * k));
  }
  const std::string svg = chart_svg(chart);
  EXPECT_LT(svg.size(), 80000u);
  const std::size_t end = svg.find("\" fill=\"none\"");
  std::string path = svg.substr(svg.rfind("d=\"", end) + 3, end);
  double highest = 1e9;
  for (std::size_t k = path.find(' '); k < path.find('"'); k = path.find(' ', k + 1))
    highest = std::min(highest, std::strtod(path.c_str() + k, nullptr));
  double label_of_50 = 0.0;
  for (const Label& label : labels_of(svg))
    if (label.text == "50") label_of_50 = label.y - 4.0;
  EXPECT_NEAR(highest, label_of_50, 0.11);
}

// Labels of an axis far from zero are long: they have room, and none passes the edge.
TEST(ChartSvg, TakesFewerTicks_WhenTheirLabelsAreLong) {
  const Series wide{"a curve with a long name", {1234.5678, 1234.56780009}, {0.0, 1.0}, {}, {}};
  for (const std::vector<Series>& series : {std::vector{wide}, std::vector{wide, wide}}) {
    const std::string svg =
        chart_svg({"", Chart::Kind::kLines, {"x", "m", false}, {"y", "m", false}, series});
    EXPECT_EQ(overlaps(svg), 0);
    for (const Label& label : labels_of(svg))
      if (label.anchor == "middle") {
        EXPECT_LE(label.x + 3.1 * static_cast<double>(label.text.size()), 860.0) << label.text;
      }
  }
}

TEST(ChartSvg, LeavesOutWhatALogarithmCannotShow) {
  const std::string svg = chart_svg({"log",
                                     Chart::Kind::kLines,
                                     {"x", "", false},
                                     {"y", "", true},
                                     {{"a", {0, 1, 2, 3}, {1.0, 0.0, -1.0, 100.0}, {}, {}}}});
  EXPECT_EQ(parsed_by_another_program(svg), 0);
  EXPECT_THAT(svg, AllOf(Not(HasSubstr("nan")), Not(HasSubstr("inf"))));
  for (const bool is_log : {false, true}) {
    const std::string empty = chart_svg({"", Chart::Kind::kLines, {"", "", is_log}, {"", "", is_log}, {}});
    EXPECT_EQ(parsed_by_another_program(empty), 0);
    EXPECT_THAT(empty, AllOf(Not(HasSubstr("nan")), Not(HasSubstr("inf")), HasSubstr("nothing to draw")));
  }
}

TEST(ChartSvg, NeverTakesANameForMarkup) {
  const std::string name = "</text><script>alert(1)</script>\xff\x01&";
  const std::string svg = chart_svg({name,
                                     Chart::Kind::kLines,
                                     {name, name, false},
                                     {name, name, false},
                                     {{name, {1.0}, {1.0}, {1.0}, {1.0}}}});
  EXPECT_EQ(parsed_by_another_program(svg), 0);
  EXPECT_THAT(svg, Not(HasSubstr("<script")));
}

TEST(ChartSvg, RefusesWhatIsNotFinite) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THROW(chart_svg({"c", Chart::Kind::kLines, {}, {}, {{"a", {1.0}, {nan}, {}, {}}}}),
               core::ContractError);
  Report report = two_recordings();
  report.recordings[0].channels[1].values[3] = nan;
  EXPECT_THAT(test::sentence_of<core::ContractError>([&] { recording_svg(report); }),
              HasSubstr("'crank.rate'"));
}

TEST(RecordingSvg, ComparesRecordings_APlotForEachChannel) {
  const std::string svg = recording_svg(two_recordings());
  keep_for_looking("two-recordings", svg);
  EXPECT_EQ(parsed_by_another_program(svg), 0);
  EXPECT_EQ(overlaps(svg), 0);
  for (const char* text :
       {"crank.angle [rad]", "crank.rate [rad/s]", "energy [J]", "imu.wz [10⁻⁶ rad/s]", "time [s]", ">truth<",
        ">dekf ± 2σ<", "four-bar: truth and estimate", "dekf, 100 Hz"})
    EXPECT_THAT(svg, HasSubstr(text));
  EXPECT_EQ(svg, recording_svg(two_recordings()));
}

TEST(RecordingSvg, PutsWhatEndsAlikeTogether_WhenThereIsOneRecording) {
  Report report;
  report.title =
      "many bodies with a long title that says what was simulated, by which formulation and with which "
      "integrator, at which step";
  Recording recording{"motion", Recording::Role::kMotion, {0.0, 1.0, 2.0}, {}, {}, {}, {}};
  for (int b = 0; b < 8; ++b)
    recording.channels.push_back(
        {"body_with_a_name_" + std::to_string(b) + ".angle", "rad", {0.1, 0.2 * b, 0.3}, {}, {}});
  recording.channels.push_back({"energy", "J", {5.0, 5.0, 5.0}, {}, {}});
  recording.channels.push_back({"constraint_error", "", {1e-12, 3e-13, 2e-12}, {}, {}});
  report.recordings = {recording};
  const std::string svg = recording_svg(report);
  keep_for_looking("one-recording", svg);
  EXPECT_EQ(parsed_by_another_program(svg), 0);
  EXPECT_EQ(overlaps(svg), 0);
  int plots = 0;
  for (const Label& label : labels_of(svg)) plots += label.text == "time [s]";
  EXPECT_EQ(plots, 4);  // six angles, two angles, energy, error
  EXPECT_THAT(svg, AllOf(HasSubstr("angle [rad]"), HasSubstr("constraint_error [10⁻¹²]")));
}

}  // namespace
}  // namespace eslabon::report
