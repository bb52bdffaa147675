#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <string>
#include <vector>

#include "tests/mechanisms.hpp"
#include "tests/sentence_of.hpp"
#include "tests/unit/report/page_reader.hpp"
#include "tests/unit/report/rolling_wheel.hpp"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "eslabon/core/random/rng.hpp"
#include "eslabon/core/text/error.hpp"
#include "eslabon/report/page/viewer_template.hpp"
#include "eslabon/report/report.hpp"

namespace eslabon::report {
namespace {

using nlohmann::json;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

/// A chain of so many bodies in space.
model::Mechanism chain(int bodies) {
  std::vector<test::GraphJoint> joints;
  for (int k = 1; k <= bodies; ++k)
    joints.push_back({"J" + std::to_string(k), model::JointType::kRevolute,
                      k == 1 ? "ground" : "b" + std::to_string(k - 1), "b" + std::to_string(k)});
  return test::mechanism_of(joints, model::Space::kSpatial);
}

core::Pose<double> swinging(int body, double t) {
  const Eigen::Vector3d r(std::sin(0.7 * t + body), 2.0 * std::cos(1.3 * t), 3.0 * std::sin(0.2 * t * body));
  const Eigen::Vector3d p(std::sin(t + body), std::cos(2.0 * t) * body, 0.3 * t);
  return {core::Rotation<double>::from_rotation_vector(r), p};
}

/// Bodies that swing, with so many channels and arrows.
Recording swinging_recording(int bodies, std::size_t frames, double step, int channels, int arrows) {
  Recording recording{"motion", Recording::Role::kMotion, {}, {}, Motion{}, {}, {}};
  for (std::size_t k = 0; k < frames; ++k) recording.times.push_back(step * static_cast<double>(k));
  for (int c = 0; c < channels; ++c) {
    recording.channels.push_back({"c" + std::to_string(c), "m", {}, {}, {}});
    for (const double t : recording.times)
      recording.channels.back().values.push_back(std::sin(t * (c + 1)) + c);
  }
  recording.motion->times = recording.times;
  for (const double t : recording.times) {
    recording.motion->X_WB.emplace_back();
    for (int b = 1; b <= bodies; ++b) recording.motion->X_WB.back().push_back(swinging(b, t));
  }
  for (int a = 0; a < arrows; ++a) {
    recording.arrows.push_back(
        {"J" + std::to_string(a + 1), Arrow::Kind::kReaction, model::BodyIndex(1), {0.1, 0.2, 0.3}, {}});
    for (const double t : recording.times)
      recording.arrows.back().vector_W.emplace_back(std::sin(t + a), std::cos(t * a), t);
  }
  return recording;
}

Report small_report() {
  Report report;
  report.title = "small";
  report.mechanism = chain(2);
  report.recordings.push_back(swinging_recording(2, 50, 0.02, 2, 1));
  return report;
}

// crosscheck: what a reader that shares nothing with the writer finds.
TEST(Page, HoldsWhatTheReportHolds) {
  Report report = small_report();
  report.subtitle = "of swings";
  report.facts = {{"mobility", "2"}};
  report.recordings[0].channels[1].sigma.assign(50, 0.25);
  report.recordings[0].marks = {{0.5, Mark::Kind::kRejected, "too far", "imu"},
                                {0.7, Mark::Kind::kEvent, "hit", ""}};
  report.recordings.push_back({"readings",
                               Recording::Role::kReadings,
                               {},
                               {{"imu", "rad/s", {1.0, 4.0}, {}, {0.1, 0.3}}},
                               {},
                               {},
                               {}});
  report.charts = {{"cost",
                    Chart::Kind::kBars,
                    {"time", "s", true},
                    {"", "", false},
                    {{"a", {1.0, 2.0, 4.0}, {5.0, 6.0}, {}, {}}}}};
  report.tables = {{"figures", {{"error", "m"}}, {{"0.1"}, {"0.2"}}}};
  const Page page = make_page(report, "eslabon 9");
  EXPECT_THAT(page.warnings, IsEmpty());
  const json data = test::data_of(page.html);
  EXPECT_EQ(data["format"], 1);
  EXPECT_EQ(data["title"], "small");
  EXPECT_EQ(data["subtitle"], "of swings");
  EXPECT_EQ(data["made_by"], "eslabon 9");
  EXPECT_EQ(data["facts"], json::parse(R"([{"label":"mobility","value":"2"}])"));
  EXPECT_FALSE(data.contains("structure"));
  const json& motion = data["recordings"][0];
  EXPECT_EQ(motion["role"], "motion");
  EXPECT_EQ(motion["channels"][0]["name"], "c0");
  EXPECT_EQ(motion["channels"][0]["unit"], "m");
  EXPECT_FALSE(motion["channels"][0].contains("sigma"));
  EXPECT_EQ(test::unpacked(motion["channels"][1]["sigma"]), std::vector<double>(50, 0.25));
  const std::vector<double> values = test::unpacked(motion["channels"][1]["values"]);
  for (std::size_t k = 0; k < 50; ++k)
    EXPECT_NEAR(values[k], report.recordings[0].channels[1].values[k], 2e-7);
  EXPECT_EQ(motion["marks"][0],
            json::parse(R"({"t":0.5,"kind":"rejected","text":"too far","channel":"imu"})"));
  EXPECT_EQ(motion["marks"][1], json::parse(R"({"t":0.7,"kind":"event","text":"hit"})"));
  EXPECT_EQ(motion["arrows"][0]["kind"], "reaction");
  EXPECT_EQ(motion["arrows"][0]["place"], json::parse(R"({"body":1,"at":[0.1,0.2,0.3]})"));
  EXPECT_NEAR(test::unpacked(motion["arrows"][0]["vector"][2])[49], 0.98, 1e-6);
  EXPECT_EQ(test::unpacked(data["recordings"][1]["channels"][0]["times"]), (std::vector{0.1, 0.3}));
  EXPECT_EQ(test::unpacked(data["recordings"][1]["channels"][0]["values"]), (std::vector{1.0, 4.0}));
  EXPECT_EQ(data["charts"][0],
            json::parse(R"({"title":"cost","kind":"bars","x":{"label":"time","unit":"s","log":true},
    "y":{"label":"","unit":"","log":false},"series":[{"name":"a","x":[1.0,2.0,4.0],"y":[5.0,6.0]}]})"));
  EXPECT_EQ(data["tables"][0],
            json::parse(
                R"({"title":"figures","columns":[{"label":"error","unit":"m"}],"rows":[["0.1"],["0.2"]]})"));
}

// crosscheck: contacts and the road, by a reader that shares nothing with the writer.
TEST(Page, HoldsWhereTyresTouchTheRoad) {
  tyres::Road road;
  road.origin_W = {1.0, 2.0, 0.0};
  road.height = 0.5;
  road.slope_x = 0.1;
  road.friction = 0.9;
  road.friction_right = 0.3;
  const Report report = test::wheel_report(road, 30.0, 0.4);
  const json data = test::data_of(make_page(report, "x").html);
  const json& contact = data["recordings"][0]["contacts"][0];
  EXPECT_EQ(contact["name"], "tyre");
  for (const std::size_t k : {0u, 20u, 49u}) {
    const Contact::Instant& instant = report.recordings[0].contacts[0].instants[k];
    for (int c = 0; c < 3; ++c) {
      const auto column = static_cast<std::size_t>(c);
      EXPECT_NEAR(test::unpacked(contact["point"][column])[k], instant.point_W(c), 1e-5);
      EXPECT_NEAR(test::unpacked(contact["load"][column])[k], instant.load_W(c), 1e-3);
      EXPECT_NEAR(test::unpacked(contact["along"][column])[k], instant.along_W(c), 1e-4);
    }
  }
  EXPECT_EQ(test::unpacked(data["road"]["height"]).size(), 4u);
  EXPECT_NEAR(data["road"]["plane"][0].get<double>(), 0.4, 1e-12);
  EXPECT_EQ(data["road"]["plane"][1], 0.1);
  EXPECT_EQ(data["road"]["friction"], 0.9);
  EXPECT_EQ(data["road"]["right"], json::parse(R"({"friction":0.3,"below":2.0})"));
  const json without = test::data_of(make_page(small_report(), "x").html);
  EXPECT_FALSE(without.contains("road"));
  EXPECT_FALSE(without["recordings"][0].contains("contacts"));
}

// invariant: contacts are thinned with the frames that they belong to, their extremes kept.
TEST(Page, LeavesContactsOutWithTheirFrames) {
  Report report = test::wheel_report({}, 30.0, 0.4, 20000);
  report.recordings[0].contacts[0].instants[7777].load_W.z() = 5e4;
  const double whole = static_cast<double>(make_page(report, "x").html.size());
  const json data = test::data_of(make_page(report, "x", {.bytes = whole - 1e5}).html);
  const json& recording = data["recordings"][0];
  const std::vector<double> loads = test::unpacked(recording["contacts"][0]["load"][2]);
  EXPECT_LT(loads.size(), 20000u);
  EXPECT_EQ(loads.size(), test::unpacked(recording["motion"]["times"]).size());
  EXPECT_EQ(*std::ranges::max_element(loads), 5e4);
}

// analytic: half a step of 16 bits over the range of each coordinate; quaternions, made unit again, turn bodies by at most 1e-4 rad.
TEST(Page, PutsBodiesWhereTheyWere_ToTheStepOfSixteenBits) {
  const Report report = small_report();
  const json motion = test::data_of(make_page(report, "x").html)["recordings"][0]["motion"];
  ASSERT_EQ(motion["poses"].size(), 14u);
  std::vector<std::vector<double>> columns;
  for (const json& column : motion["poses"]) columns.push_back(test::unpacked(column));
  const std::vector<double> times = test::unpacked(motion["times"]);
  for (std::size_t k = 0; k < times.size(); ++k)
    for (std::size_t b = 0; b < 2; ++b) {
      const core::Pose<double> X = swinging(static_cast<int>(b) + 1, times[k]);
      for (std::size_t c = 0; c < 3; ++c) {
        const auto [least, largest] =
            std::minmax_element(columns[7 * b + c].begin(), columns[7 * b + c].end());
        EXPECT_NEAR(columns[7 * b + c][k], X.p_AB_A(static_cast<int>(c)),
                    (*largest - *least) / 131070.0 + 1e-12);
      }
      core::EulerParameters<double> e;
      for (std::size_t c = 0; c < 4; ++c) e(static_cast<int>(c)) = columns[7 * b + 3 + c][k];
      EXPECT_NEAR(e.norm(), 1.0, 1e-4);
      const core::Rotation<double> read = core::Rotation<double>::from_euler_parameters(e.normalized());
      EXPECT_LE((read.inverse() * X.R_AB).to_rotation_vector().norm(), 1e-4);
    }
}

// Quaternions of a body that spins many turns do not jump between neighbours.
TEST(Page, WritesQuaternionsWithoutJumps) {
  Report report;
  Recording recording{"spin", Recording::Role::kMotion, {}, {}, Motion{}, {}, {}};
  for (int k = 0; k < 400; ++k) {
    recording.motion->times.push_back(0.01 * k);
    recording.motion->X_WB.push_back({{core::Rotation<double>::about_z(0.1 * k), Eigen::Vector3d::Zero()}});
  }
  report.recordings = {recording};
  const json poses = test::data_of(make_page(report, "x").html)["recordings"][0]["motion"]["poses"];
  const std::vector<double> w = test::unpacked(poses[3]);
  const std::vector<double> z = test::unpacked(poses[6]);
  for (std::size_t k = 1; k < w.size(); ++k) EXPECT_LT(std::hypot(w[k] - w[k - 1], z[k] - z[k - 1]), 0.06);
  EXPECT_TRUE(poses[4].contains("same"));
}

TEST(Page, HoldsHypotheses_TheHeaviestOfEachInstantAsOne) {
  Report report = small_report();
  Cloud cloud{"pf", {}};
  for (int i = 0; i < 3; ++i) {
    cloud.instants.push_back({0.5 * i, {}, {}});
    for (int p = 0; p < 4 + i; ++p) {
      cloud.instants.back().weights.push_back(0.01 * (p + 1));
      cloud.instants.back().X_WB.push_back({swinging(1, p), swinging(2, i)});
    }
  }
  report.clouds = {cloud};
  const json data = test::data_of(make_page(report, "x").html)["clouds"][0];
  EXPECT_EQ(data["name"], "pf");
  EXPECT_EQ(test::unpacked(data["counts"]), (std::vector{4.0, 5.0, 6.0}));
  const std::vector<double> weights = test::unpacked(data["weights"]);
  ASSERT_EQ(weights.size(), 15u);
  EXPECT_NEAR(weights[0], 0.25, 1.0 / 510.0);
  EXPECT_NEAR(weights[3], 1.0, 1e-12);
  EXPECT_NEAR(weights[14], 1.0, 1e-12);
  ASSERT_EQ(data["poses"].size(), 14u);
  EXPECT_NEAR(test::unpacked(data["poses"][0])[6], swinging(1, 2).p_AB_A(0), 1e-4);
}

// A name is text wherever it stands: the page has the same tags as one with a harmless name.
TEST(Page, NeverTakesANameForMarkup) {
  const auto tags = [](const std::string& html) { return std::count(html.begin(), html.end(), '<'); };
  const auto named = [](const std::string& name) {
    Report report = small_report();
    report.title = report.subtitle = name;
    report.facts = {{name, name}};
    report.notes = {name};
    report.recordings[0].name = report.recordings[0].channels[0].name =
        report.recordings[0].channels[0].unit = name;
    report.recordings[0].arrows[0].name = name;
    report.recordings[0].marks = {{0.0, Mark::Kind::kRejected, name, name}};
    report.clouds = {{name, {}}};
    report.charts = {
        {name, Chart::Kind::kLines, {name, name, false}, {name, name, false}, {{name, {}, {}, {}, {}}}}};
    report.tables = {{name, {{name, name}}, {{name}}}};
    return make_page(report, name).html;
  };
  const std::string harmless = named("harmless");
  for (const std::string& name :
       {std::string("</script><img src=x onerror=alert(1)>"), std::string("<!--<script>"),
        std::string("]]>&lt;\"'"), std::string("%DATA%%TITLE%"), std::string("\\u003c/script>"),
        std::string("caña \xe2\x80\xa8 \xf0\x9f\x98\x80")}) {
    const std::string html = named(name);
    EXPECT_EQ(tags(html), tags(harmless)) << name;
    EXPECT_THAT(test::data_text(html),
                AllOf(Not(HasSubstr("<")), Not(HasSubstr(">")), Not(HasSubstr("\xe2"))));
    const json data = test::data_of(html);
    EXPECT_EQ(data["title"], name);
    EXPECT_EQ(data["recordings"][0]["marks"][0]["channel"], name);
    EXPECT_EQ(data["tables"][0]["rows"][0][0], name);
    EXPECT_EQ(data["made_by"], name);
  }
  EXPECT_THAT(named("</title><b>&'\""), HasSubstr("<title>&lt;/title&gt;&lt;b&gt;&amp;&#39;&quot;</title>"));
}

TEST(Page, ReplacesWhatIsNoUtf8) {
  Report report = small_report();
  report.title =
      "a\xff\xc0\xaf"
      "b";
  report.recordings[0].channels[0].name = "x\xed\xa0\x80";
  const Page page = make_page(report, "x");
  EXPECT_THAT(page.html, HasSubstr("<title>a\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd"
                                   "b</title>"));
  EXPECT_THAT(test::data_of(page.html)["recordings"][0]["channels"][0]["name"].get<std::string>(),
              HasSubstr("x\xef\xbf\xbd"));
}

// Halves of surrogate pairs, forms that are too long, characters cut short: each byte is one that is no UTF-8. What XML has none of, too.
TEST(Page, ReplacesWhatLooksLikeUtf8InATitle) {
  for (const std::string& bytes :
       {std::string("\xed\xa0\x80"), std::string("\xe0\x80\xaf"), std::string("\xf4\x90\x80\x80"),
        std::string("\xe2\x82"), std::string("\x01\x1b")}) {
    Report report = small_report();
    report.title = bytes;
    std::string replaced;
    for (std::size_t k = 0; k < bytes.size(); ++k) replaced += "\xef\xbf\xbd";
    EXPECT_THAT(make_page(report, "x").html, HasSubstr("<title>" + replaced + "</title>"));
  }
}

TEST(Page, IsTheSame_ForTheSameReport) {
  EXPECT_EQ(make_page(small_report(), "x").html, make_page(small_report(), "x").html);
}

// The promise of a size: 60 s of 20 bodies at 60 Hz, with 30 channels and a reaction in every joint, in 5 MB as a whole file.
TEST(Page, HoldsAMinuteOfTwentyBodiesInFiveMegabytes) {
  Report report;
  report.mechanism = chain(20);
  report.recordings = {swinging_recording(20, 3601, 1.0 / 60.0, 30, 20)};
  const Page page = make_page(report, "x");
  EXPECT_THAT(page.warnings, IsEmpty());
  EXPECT_LE(page.html.size(), 5e6);
  RecordProperty("bytes", std::to_string(page.html.size()));
}

/// Noise with one spike in each column.
Report long_report(std::size_t rows, std::size_t columns) {
  Report report;
  report.recordings.push_back({"long", Recording::Role::kMotion, {}, {}, {}, {}, {}});
  Recording& recording = report.recordings[0];
  core::Rng rng(5);
  for (std::size_t k = 0; k < rows; ++k) recording.times.push_back(1e-3 * static_cast<double>(k));
  for (std::size_t c = 0; c < columns; ++c) {
    recording.channels.push_back({"c" + std::to_string(c), "m", std::vector<double>(rows), {}, {}});
    for (double& value : recording.channels.back().values) value = rng.uniform();
    recording.channels.back().values[(c * 7919 + 13) % rows] = 100.0 + static_cast<double>(c);
  }
  return report;
}

double megabytes_after(const std::string& words, const std::string& sentence) {
  return std::stod(sentence.substr(sentence.find(words) + words.size()));
}

// A million rows of thirty columns: a warning with the numbers, 50 MB, every spike. A fifth of it without ESLABON_FULL_SWEEPS=1.
TEST(Page, LeavesOutRowsOfMany_AndSaysSo) {
  const double part = std::getenv("ESLABON_FULL_SWEEPS") != nullptr ? 1.0 : 0.2;
  const auto rows = static_cast<std::size_t>(1e6 * part);
  const Report report = long_report(rows, 30);
  const Page page = make_page(report, "x", {50e6 * part, 12e6});
  EXPECT_LE(static_cast<double>(page.html.size()), 50e6 * part);
  EXPECT_GE(static_cast<double>(page.html.size()), 15e6 * part);
  ASSERT_EQ(page.warnings.size(), 1u);
  const json data = test::data_of(page.html);
  EXPECT_EQ(data["notes"], json(page.warnings));
  const std::vector<double> times = test::unpacked(data["recordings"][0]["times"]);
  EXPECT_THAT(page.warnings[0], AllOf(HasSubstr(part == 1.0 ? "more than 50 MB" : "more than 10 MB"),
                                      HasSubstr("of 'long' " + std::to_string(times.size()) + " of " +
                                                std::to_string(rows) + " rows")));
  // analytic: 4 bytes of 30 columns in base64. The size that it says is the size that it has.
  EXPECT_NEAR(megabytes_after("would have ", page.warnings[0]),
              160.0 * part + 1e-6 * static_cast<double>(viewer_template().size()), 0.6);
  EXPECT_NEAR(megabytes_after("it has ", page.warnings[0]), 1e-6 * static_cast<double>(page.html.size()),
              0.06);
  EXPECT_EQ(times.front(), 0.0);
  EXPECT_EQ(times.back(), report.recordings[0].times.back());
  for (std::size_t c = 0; c < 30; ++c) {
    const std::vector<double> values = test::unpacked(data["recordings"][0]["channels"][c]["values"]);
    ASSERT_EQ(values.size(), times.size());
    const auto spike = std::max_element(values.begin(), values.end());
    EXPECT_EQ(*spike, 100.0 + static_cast<double>(c));
    EXPECT_EQ(times[static_cast<std::size_t>(spike - values.begin())],
              report.recordings[0].times[(c * 7919 + 13) % rows]);
  }
}

// invariant: under any limit that can be kept the page is under it, and says its size to 3 digits.
TEST(Page, StaysUnderItsLimit) {
  Report report = long_report(20000, 3);
  Recording estimate = swinging_recording(3, 2000, 0.01, 4, 2);
  estimate.name = "estimate";
  for (Channel& channel : estimate.channels) channel.sigma.assign(2000, 0.1);
  estimate.channels[2].sigma[777] = 9.0;
  estimate.channels.push_back({"imu", "m", std::vector<double>(9999, 1.5), {}, std::vector<double>(9999)});
  for (std::size_t k = 0; k < 9999; ++k)
    estimate.channels.back().times[k] = std::sqrt(static_cast<double>(k));
  report.recordings.push_back(estimate);
  const double viewer = static_cast<double>(viewer_template().size());
  for (const double room : {500e3, 300e3, 150e3, 80e3}) {
    const Page page = make_page(report, "x", {viewer + room, 12e6});
    EXPECT_LE(static_cast<double>(page.html.size()), viewer + room);
    EXPECT_GE(static_cast<double>(page.html.size()), viewer + 0.25 * room);
    ASSERT_EQ(page.warnings.size(), 1u);
    const json data = test::data_of(page.html);
    const std::vector<double> sigma = test::unpacked(data["recordings"][1]["channels"][2]["sigma"]);
    EXPECT_EQ(*std::max_element(sigma.begin(), sigma.end()), 9.0);
    EXPECT_EQ(test::unpacked(data["recordings"][1]["motion"]["times"]).size(),
              test::unpacked(data["recordings"][1]["arrows"][1]["vector"][0]).size());
    EXPECT_EQ(test::unpacked(data["recordings"][1]["channels"][4]["times"]).back(), std::sqrt(9998.0));
  }
}

TEST(Page, SaysSo_WhenItCannotBeMadeSmallEnough) {
  Report report = small_report();
  const Page page = make_page(report, "x", {1000.0, 1000.0});
  ASSERT_FALSE(page.warnings.empty());
  EXPECT_THAT(page.warnings.back(), HasSubstr("cannot be thinned"));
}

TEST(Page, LeavesOutInstantsOfHypothesesEvenly_AndSaysSo) {
  Report report = small_report();
  report.clouds = {{"pf", {}}};
  for (int i = 0; i < 401; ++i) {
    report.clouds[0].instants.push_back({0.1 * i, std::vector<double>(50, 1.0), {}});
    for (int p = 0; p < 50; ++p)
      report.clouds[0].instants.back().X_WB.push_back({swinging(1, 0.1 * i + p), swinging(2, 0.3 * p)});
  }
  const Page whole = make_page(report, "x");
  EXPECT_THAT(whole.warnings, IsEmpty());
  const Page page = make_page(report, "x", {50e6, 200e3});
  EXPECT_LE(page.html.size(), whole.html.size() - 500000);
  ASSERT_EQ(page.warnings.size(), 1u);
  const std::vector<double> times = test::unpacked(test::data_of(page.html)["clouds"][0]["times"]);
  EXPECT_THAT(page.warnings[0],
              HasSubstr("of 'pf' " + std::to_string(times.size()) + " of 401 instants are kept, evenly"));
  EXPECT_GT(times.size(), 60u);
  EXPECT_EQ(times.front(), 0.0);
  EXPECT_EQ(times.back(), 0.1 * 400);
}

// Nothing that does not fit together, nothing that is not finite reaches a page; the sentence names the part.
TEST(Page, RefusesWhatDoesNotFitTogether) {
  const auto sentence = [](auto change) {
    Report report = small_report();
    change(report);
    return test::sentence_of<core::ContractError>([&] { make_page(report, "x"); });
  };
  const auto recording = [&](auto change) {
    return sentence([&](Report& report) { change(report.recordings[0]); });
  };
  EXPECT_THAT(recording([](Recording& r) { r.channels[0].values.pop_back(); }),
              HasSubstr("'c0' of the recording 'motion': expected 50 values, got 49"));
  EXPECT_THAT(recording([](Recording& r) { r.channels[0].sigma = {1.0}; }), HasSubstr("50 deviations"));
  EXPECT_THAT(recording([](Recording& r) { r.channels[1].values[3] = kNaN; }),
              HasSubstr("'c1': expected finite numbers, got nan in row 4"));
  EXPECT_THAT(recording([](Recording& r) { r.times[3] = kNaN; }), HasSubstr("finite"));
  EXPECT_THAT(recording([](Recording& r) { r.times[3] = 0.0; }), HasSubstr("do not decrease"));
  EXPECT_THAT(recording([](Recording& r) { r.motion->X_WB.pop_back(); }), HasSubstr("50 frames"));
  EXPECT_THAT(recording([](Recording& r) { r.motion->X_WB[4].pop_back(); }), HasSubstr("2 bodies, got 1"));
  EXPECT_THAT(recording([](Recording& r) { r.motion->X_WB[4][0].p_AB_A(1) = kNaN; }), HasSubstr("finite"));
  EXPECT_THAT(recording([](Recording& r) { *r.motion = {}; }), HasSubstr("at least one frame"));
  EXPECT_THAT(recording([](Recording& r) { r.motion.reset(); }), HasSubstr("a motion beside it"));
  EXPECT_THAT(recording([](Recording& r) { r.arrows[0].vector_W.pop_back(); }), HasSubstr("'J1'"));
  EXPECT_THAT(recording([](Recording& r) { r.arrows[0].vector_W[7](2) = HUGE_VAL; }), HasSubstr("'J1'"));
  EXPECT_THAT(recording([](Recording& r) {
                r.contacts = {{"left", {}}};
              }),
              HasSubstr("the contact of 'left'"));
  EXPECT_THAT(recording([](Recording& r) {
                const Eigen::Vector3d zero = Eigen::Vector3d::Zero();
                r.contacts = {{"left", std::vector<Contact::Instant>(50, {zero, zero, zero})}};
              }),
              HasSubstr("expected 0 tyres, got 1"));
  EXPECT_THAT(recording([](Recording& r) { r.arrows[0].body = model::BodyIndex(3); }),
              HasSubstr("a body from 0 to 2"));
  EXPECT_THAT(recording([](Recording& r) {
                r.marks = {{kNaN, Mark::Kind::kEvent, "", ""}};
              }),
              HasSubstr("mark"));
  EXPECT_THAT(sentence([](Report& r) { r.clouds = {{"pf", {{0.0, {1.0}, {}}}}}; }), HasSubstr("'pf'"));
  EXPECT_THAT(sentence([](Report& r) {
                r.clouds = {{"pf", {{0.0, {0.0}, {{swinging(1, 0), swinging(2, 0)}}}}}};
              }),
              HasSubstr("one above 0"));
  EXPECT_THAT(sentence([](Report& r) {
                r.clouds = {{"pf", {{0.0, {-1.0}, {{swinging(1, 0), swinging(2, 0)}}}}}};
              }),
              HasSubstr("not negative"));
  EXPECT_THAT(sentence([](Report& r) {
                r.charts = {{"c", Chart::Kind::kBars, {}, {}, {{"s", {1.0}, {1.0}, {}, {}}}}};
              }),
              HasSubstr("2 abscissae"));
  EXPECT_THAT(sentence([](Report& r) {
                r.charts = {{"c", Chart::Kind::kLines, {}, {}, {{"s", {1.0}, {kNaN}, {}, {}}}}};
              }),
              HasSubstr("'s' of the chart 'c'"));
  EXPECT_THAT(sentence([](Report& r) {
                r.charts = {{"c", Chart::Kind::kLines, {}, {}, {{"s", {1.0}, {1.0}, {1.0}, {}}}}};
              }),
              HasSubstr("limits"));
  EXPECT_THAT(sentence([](Report& r) {
                r.tables = {{"t", {{"a", ""}}, {{"1", "2"}}}};
              }),
              HasSubstr("1 cells, got 2"));
  EXPECT_THAT(sentence([](Report& r) { r.structure.emplace(); }), HasSubstr("3 bodies, got 0"));
  EXPECT_THAT(sentence([](Report& r) {
                r.structure.emplace();
                r.structure->group_of_body = {-1, 0, 1};
                r.structure->groups.resize(1);
              }),
              HasSubstr("a group from -1 to 0, got 1"));
}

}  // namespace
}  // namespace eslabon::report
