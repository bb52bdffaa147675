#include "eslabon/vehicle/manoeuvre_run.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include <fmt/format.h>

#include "eslabon/core/text/name_list.hpp"
#include "eslabon/core/text/number_text.hpp"
#include "eslabon/runs/request_error.hpp"
#include "eslabon/vehicle/manoeuvre_mechanism.hpp"
#include "eslabon/vehicle/manoeuvre_outputs.hpp"

namespace eslabon::vehicle {

namespace {

constexpr double kDegree = std::numbers::pi / 180.0;
constexpr double kCoarse = 1e-6;  // relative tolerance of a run that only looks for an angle

/// Rows that are kept and handed on.
class Tee final : public runs::RowSink {
 public:
  Tee(runs::RowSink& kept, runs::RowSink& next) : kept_(kept), next_(next) {}
  void begin(const std::vector<core::Column>& columns) override {
    kept_.begin(columns);
    next_.begin(columns);
  }
  void add(const runs::Row& row) override {
    kept_.add(row);
    next_.add(row);
  }
  void finish() override {
    kept_.finish();
    next_.finish();
  }

 private:
  runs::RowSink& kept_;
  runs::RowSink& next_;
};

/// Only asks whether it must stop.
class Quiet final : public runs::RunObserver {
 public:
  explicit Quiet(runs::RunObserver& of) : of_(of) {}
  void marked_note(const std::string&) override {}
  bool must_stop(std::int64_t steps) override { return of_.must_stop(steps); }

 private:
  runs::RunObserver& of_;
};

std::unique_ptr<runs::SimulationRun> simulation_of(const model::Mechanism& mechanism,
                                                   const VehicleLayout& layout, const ManoeuvrePlan& plan,
                                                   runs::SimulationRequest request,
                                                   runs::RunObserver& observer) {
  const auto default_time = [](double seconds) { return core::Duration::from_seconds(seconds); };
  if (request.until == core::Duration()) request.until = default_time(plan.until);
  if (!request.every) request.every = default_time(plan.every);
  const std::vector<std::string> more = request.outputs.value_or(std::vector<std::string>());
  const model::Mechanism driven = with_manoeuvre_outputs(manoeuvre_mechanism(mechanism, layout, plan), layout,
                                                         steering_effort(layout, plan), more);
  std::vector<std::string> outputs;
  for (const model::Variable& output : driven.outputs()) outputs.push_back(model::name(driven, output));
  request.outputs = outputs;
  return std::make_unique<runs::SimulationRun>(driven, request, observer);
}

/// The angle of the steering wheel for a lateral acceleration: by the slope of the straight line through what a run with steering that grows slowly
/// told, beyond a quarter of that. What lags behind the steering shifts the line, and does not turn it.
double amplitude_for(double lateral_acceleration, const model::Mechanism& mechanism,
                     const VehicleLayout& layout, double speed, const tyres::Road& road,
                     runs::SimulationRequest request, runs::RunObserver& observer) {
  const ManoeuvrePlan plan = slow_steering(layout, speed, lateral_acceleration, road);
  // The angle is wanted to a part in ten thousand, and no row of this run is seen.
  if (request.rtol.value_or(0.0) < kCoarse) request.rtol = kCoarse;
  if (request.atol.value_or(0.0) < 1e-2 * kCoarse) request.atol = 1e-2 * kCoarse;
  request.until = {};
  request.every = {};
  request.outputs = {};
  request.verify = false;
  Quiet quiet(observer);
  const auto run = simulation_of(mechanism, layout, plan, request, quiet);
  runs::Result rows;
  runs::ResultSink sink(rows);
  static_cast<void>(run->run(sink));
  const runs::SimulationSummary summary = run->summary();
  if (summary.rows.failure) {
    core::ErrorText text = *summary.rows.failure;
    text.next +=
        " It was looking for the angle of the steering wheel; " + runs::field("steering") + " gives it.";
    throw core::ModelError(text);
  }
  const std::span<const double> wheel = rows.column(kSteeringWheel), v = rows.column(kSpeed),
                                yaw = rows.column(layout.chassis.yaw_rate());
  double n = 0.0, sx = 0.0, sy = 0.0, sxx = 0.0, sxy = 0.0, most = 0.0;
  for (std::size_t k = 0; k < rows.t.size(); ++k) {
    const double x = wheel[k] - wheel[0], y = v[k] * yaw[k];
    most = std::max(most, y);
    if (y < 0.25 * lateral_acceleration) continue;
    n += 1.0;
    sx += x;
    sy += y;
    sxx += x * x;
    sxy += x * y;
  }
  const double slope = (n * sxy - sx * sy) / (n * sxx - sx * sx);
  if (n >= 3.0 && slope > 0.0 && most >= 0.9 * lateral_acceleration) return lateral_acceleration / slope;
  throw core::ModelError({.what = "the vehicle does not come to the lateral acceleration of the manoeuvre",
                          .where = runs::field("lateral_acceleration"),
                          .expected = core::rounded_text(lateral_acceleration) + " m/s^2 at " +
                                      core::rounded_text(speed) + " m/s",
                          .actual = core::rounded_text(most) + " m/s^2 with the steering wheel at " +
                                    core::rounded_text((wheel.back() - wheel[0]) / kDegree) + " deg",
                          .next = "Ask for less, or give the angle by " + runs::field("steering") + "."});
}

const ManoeuvreRequest& checked(const ManoeuvreRequest& request) {
  check(request);
  if (!request.simulation.release.empty())
    throw runs::RequestError({.what = "a manoeuvre releases drivers by itself",
                              .where = runs::field("release"),
                              .expected = "none",
                              .actual = core::quoted(request.simulation.release.front()),
                              .next = "Leave " + runs::field("release") + " out."});
  return request;
}

VehicleLayout checked_layout(const model::Mechanism& mechanism, const ManoeuvreFacts& facts) {
  for (const char* name : {"vehicle", "manoeuvre"})
    if (mechanism.find(name))
      throw core::ModelError({.what = "an element has a name that manoeuvres begin theirs with",
                              .where = "",
                              .expected = "no element called 'vehicle' or 'manoeuvre'",
                              .actual = core::quoted(name),
                              .next = "Rename it."});
  VehicleLayout layout = layout_of(mechanism);
  if (facts.steers && !layout.steering)
    throw core::ModelError(
        {.what = "nothing steers the vehicle",
         .where = "vehicle",
         .expected = "'steering: {driver: …, ratio: …}' for the manoeuvre '" + std::string(facts.name) + "'",
         .actual = "none",
         .next = "Name the driver that steers, or take a manoeuvre that goes straight on."});
  if (facts.steers && layout.axles.size() < 2)
    throw core::ModelError({.what = "a vehicle of one axle cannot be steered",
                            .where = "vehicle, axles",
                            .expected = "two axles or more",
                            .actual = "one",
                            .next = "List all axles, front to rear."});
  return layout;
}

bool is_linear(const tyres::FittedTyre& tyre) {
  const auto* plain = std::get_if<tyres::PlainTyre>(&tyre.model);
  return plain != nullptr && std::holds_alternative<tyres::LinearTyre>(plain->curves);
}

/// Linear tyres have friction without end: where friction is all that a manoeuvre is about, a vehicle must have others.
void check_feels_friction(const model::Mechanism& mechanism, const ManoeuvreFacts& facts,
                          const VehicleLayout& layout) {
  if (facts.kind != ManoeuvreKind::kBrakingOnSplitFriction) return;
  std::vector<std::string> linear;
  for (const Wheel& wheel : layout.wheels())
    if (is_linear(std::ranges::find(mechanism.tyres(), wheel.tyre, &model::Tyre::name)->fitted))
      linear.push_back(wheel.tyre);
  if (linear.size() < layout.wheels().size()) return;
  throw core::ModelError(
      {.what = "linear tyres do not feel the friction of the road",
       .where = "vehicle, axles",
       .expected = "tyres with friction for '" + std::string(facts.name) + "': 'fiala', or a 'file'",
       .actual = "'linear' of " + core::listed(linear),
       .next = "Give them another model, or take 'braking'."});
}

}  // namespace

ManoeuvreRun::ManoeuvreRun(const model::Mechanism& mechanism, const ManoeuvreRequest& request,
                           runs::RunObserver& observer)
    : request_(checked(request)), layout_(checked_layout(mechanism, facts_of(request.manoeuvre))) {
  const ManoeuvreFacts& facts = facts_of(request.manoeuvre);
  check_feels_friction(mechanism, facts, layout_);
  const tyres::Road road = level_road(request, mechanism.road());
  const ManoeuvreDefaults& defaults = facts.defaults(layout_.mass);
  const double speed = request.speed.value_or(defaults.speed);
  if (layout_.steering) {
    const double sign = backs_up(facts.kind, layout_) ? -1.0 : 1.0;
    layout_.steering->straight = coordinate_straight_on(mechanism, layout_, sign * speed, road);
  }
  double amplitude = request.steering.value_or(0.0);
  if (!request.steering && defaults.lateral_acceleration) {
    const double wanted = request.lateral_acceleration.value_or(*defaults.lateral_acceleration);
    amplitude = amplitude_for(wanted, mechanism, layout_, speed, road, request.simulation, observer);
    notes_.push_back(fmt::format(
        "the steering wheel turns by {} deg, which a run with slowly growing steering gives {} m/s^2 for.",
        core::rounded_text(amplitude / kDegree, 4), core::rounded_text(wanted)));
    if (facts.kind == ManoeuvreKind::kSineWithDwell) {
      constexpr double kTimes = 5.0;
      amplitude *= kTimes;
      notes_.back() = fmt::format(
          "the steering wheel turns by {} deg, five times what gives {} m/s^2 with slowly growing steering.",
          core::rounded_text(amplitude / kDegree, 4), core::rounded_text(wanted));
    }
    observer.note(notes_.back());
  }
  if (facts.kind == ManoeuvreKind::kParking && !request.steering)
    amplitude = 25.0 * kDegree * layout_.steering->ratio();
  plan_ = plan_of(request, layout_, road, amplitude);
  if (plan_.course) {
    // δ = (L/v² + K) a of the front wheels: a driver knows his vehicle.
    constexpr double kTried = 2.0;  // m/s²
    const double angle = amplitude_for(kTried, mechanism, layout_, speed, road, request.simulation, observer);
    plan_.understeer = angle / layout_.steering->ratio() / kTried - layout_.wheelbase / (speed * speed);
  }
  simulation_ = simulation_of(mechanism, layout_, plan_, request.simulation, observer);
}

bool ManoeuvreRun::run(runs::RowSink& sink) {
  runs::ResultSink kept(rows_);
  Tee tee(kept, sink);
  return simulation_->run(tee);
}

ManoeuvreSummary ManoeuvreRun::summary() const {
  const ManoeuvreFacts& facts = facts_of(request_.manoeuvre);
  ManoeuvreSummary summary{.manoeuvre = request_.manoeuvre,
                           .title = std::string(facts.title),
                           .direction = facts.may_be_mirrored ? request_.direction : "",
                           .speed = plan_.speed,
                           .friction = plan_.road.friction,
                           .road_height = plan_.road.height,
                           .figures = {},
                           .cones = {},
                           .notes = notes_,
                           .simulation = simulation_->summary()};
  if (!rows_.t.empty()) summary.figures = figures_of(plan_, layout_, rows_);
  if (plan_.course)
    for (std::size_t c = 0; c < plan_.course->cones.size(); ++c) {
      Cone cone = plan_.course->cones[c];
      cone.at = layout_.start + Eigen::Vector2d(cone.at.x(), plan_.side * cone.at.y());
      cone.is_hit = c < summary.figures.hit_cones.size() && summary.figures.hit_cones[c];
      summary.cones.push_back(std::move(cone));
    }
  return summary;
}

ManoeuvreResult drive(const model::Mechanism& mechanism, const ManoeuvreRequest& request,
                      runs::RunObserver& observer) {
  runs::Result heard;
  runs::NoteKeeper keeper(heard, observer);
  ManoeuvreRun run(mechanism, request, keeper);
  runs::Result table;
  runs::ResultSink sink(table);
  static_cast<void>(run.run(sink));
  ManoeuvreSummary summary = run.summary();
  table.notes = heard.notes;
  for (const integration::LogEntry& entry : summary.simulation.log)
    table.events.push_back({entry.t, entry.text});
  runs::tell_end(summary.simulation.rows, table);
  return {std::move(table), std::move(summary)};
}

}  // namespace eslabon::vehicle
