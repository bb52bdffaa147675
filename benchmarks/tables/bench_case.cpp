#include "benchmarks/tables/bench_case.hpp"

#include <charconv>
#include <cmath>
#include <vector>

#include "benchmarks/tables/robots.hpp"
#include "benchmarks/tables/vehicle_like.hpp"

#include "eslabon/core/text/error.hpp"
#include "eslabon/dynamics/formulations/formulation_choice.hpp"
#include "eslabon/io/mechanism/model_source.hpp"
#include "eslabon/kinematics/drivers/driven_structure.hpp"
#include "eslabon/model/mechanism_builder.hpp"
#include "eslabon/model/mechanism_variant.hpp"

namespace eslabon::benchmarks {

namespace {

constexpr std::string_view kChain = "chain:";
constexpr std::string_view kVanLike = "van-like:";
constexpr std::string_view kTruckLike = "truck-like";
constexpr std::string_view kDelta = "delta";
constexpr std::string_view kStewart = "stewart";
constexpr std::string_view kTrack = "four-bar-track:";
constexpr int kMostTrack = 1000;
constexpr int kMostRevolutes = 10'000, kMostVans = 1000;

model::Mechanism chain(int revolutes) {
  model::MechanismBuilder builder("chain", model::Space::kSpatial);
  builder.set_gravity({0.0, 0.0, -9.81});
  builder.add_ground_point("O", Eigen::Vector3d::Zero());
  std::string before = "ground.O";
  for (int i = 1; i <= revolutes; ++i) {
    const std::string name = "bar" + std::to_string(i);
    builder.add_body({.name = name,
                      .mass = 1.0,
                      .center_of_mass = Eigen::Vector3d(0.25, 0.02, -0.01),
                      .inertia = Eigen::Vector3d(0.02, 0.05, 0.06).asDiagonal().toDenseMatrix(),
                      .points = {{"A", Eigen::Vector3d::Zero()}, {"B", Eigen::Vector3d(0.5, 0.05, 0.02)}}});
    const Eigen::Vector3d axis = i % 2 == 0 ? Eigen::Vector3d(1.0, 0.1, 0.0) : Eigen::Vector3d(0.0, 0.2, 1.0);
    builder.add_joint({"J" + std::to_string(i), model::JointType::kRevolute, before, name + ".A",
                       model::AxisPair{axis, axis}});
    before = name + ".B";
  }
  return builder.build();
}

int read_size(const std::string& model, std::string_view prefix, int most, const std::string& things) {
  const std::string_view number = std::string_view(model).substr(prefix.size());
  int value = 0;
  const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), value);
  if (error != std::errc() || end != number.data() + number.size() || value < 1 || value > most)
    throw core::ModelError({.what = "the size of the mechanism is wrong",
                            .where = model,
                            .expected = "1 to " + std::to_string(most) + " " + things,
                            .actual = "'" + std::string(number) + "'",
                            .next = "Write, for example, " + std::string(prefix) + "20."});
  return value;
}

[[noreturn]] void refuse_singular(const std::string& formulation) {
  throw core::ModelError({.what = "the mechanism cannot be set in motion where it starts",
                          .where = "formulation '" + formulation + "'",
                          .expected = "a position that is not singular",
                          .actual = "",
                          .next = "Change its start values."});
}

coordinates::MechanismMotion set_moving(const dynamics::DynamicModel& model, bool is_open) {
  const std::string name = dynamics::choose_formulation(model).formulation;
  const auto formulation = dynamics::make_formulation(name, model);
  dynamics::State state = formulation->start();
  std::vector<double> z(static_cast<std::size_t>(formulation->num_integrated())), z_dot(z.size());
  formulation->read(state, z, z_dot);
  for (std::size_t i = 0; i < z.size(); ++i) {
    const auto k = static_cast<double>(i);
    if (is_open) z[i] += 0.4 * std::sin(k + 1.0);
    z_dot[i] = std::cos(0.7 * k);
  }
  if (formulation->complete(0.0, z, z_dot, state) != dynamics::DynamicsStatus::kSolved) refuse_singular(name);
  coordinates::MechanismMotion bodies(model.mechanism().bodies().size());
  formulation->evaluate_bodies(state, std::vector<double>(state.q.size(), 0.0), bodies);
  return bodies;
}

coordinates::MechanismMotion at_rest(const coordinates::MechanismMotion& bodies) {
  coordinates::MechanismMotion rest(bodies.size());
  for (std::size_t b = 0; b < rest.size(); ++b) rest[b].X_WB = bodies[b].X_WB;
  return rest;
}

}  // namespace

std::string fourbar_model(int dyads) { return "family:scalable-fourbar,dyads=" + std::to_string(dyads); }
std::string chain_model(int revolutes) { return std::string(kChain) + std::to_string(revolutes); }

std::string van_model(int sets) { return std::string(kVanLike) + std::to_string(sets); }
std::string truck_model() { return std::string(kTruckLike); }
std::string delta_model() { return std::string(kDelta); }
std::string stewart_model() { return std::string(kStewart); }
std::string track_model(int four_bars) { return std::string(kTrack) + std::to_string(four_bars); }

model::Mechanism bench_mechanism(const std::string& model) {
  if (model.starts_with(kChain)) return chain(read_size(model, kChain, kMostRevolutes, "revolutes"));
  if (model.starts_with(kVanLike)) return van_like(read_size(model, kVanLike, kMostVans, "suspensions"));
  if (model == kTruckLike) return truck_like();
  if (model == kDelta) return delta_robot();
  if (model == kStewart) return stewart_platform();
  if (model.starts_with(kTrack)) return four_bar_track(read_size(model, kTrack, kMostTrack, "four-bars"));
  return model::without_all_drivers(io::load_model(model));
}

kinematics::AssemblyReport assembled_or_throw(const model::Mechanism& mechanism,
                                              const structure::Structure& structure) {
  kinematics::AssemblyReport report = kinematics::assemble(mechanism, structure);
  if (!report.usable()) throw core::ModelError(report.error_text());
  return report;
}

BenchCase::BenchCase(const model::Mechanism& mechanism_)
    : mechanism(mechanism_),
      structure(kinematics::analyse_driven_structure(mechanism)),
      model(mechanism, structure, assembled_or_throw(mechanism, structure)),
      moving(set_moving(model, !has_loops())),
      resting(at_rest(moving)) {}

coordinates::MechanismMotion accelerated(const BenchCase& at, const coordinates::MechanismMotion& bodies) {
  const std::string name = dynamics::choose_formulation(at.model).formulation;
  const auto formulation = dynamics::make_formulation(name, at.model);
  const dynamics::State state = formulation->state_of(bodies, 0.0);
  std::vector<double> a(state.q.size()), z_ddot(static_cast<std::size_t>(formulation->num_integrated()));
  if (formulation->accelerate(state, a, z_ddot) != dynamics::DynamicsStatus::kSolved) refuse_singular(name);
  coordinates::MechanismMotion motion(bodies.size());
  formulation->evaluate_bodies(state, a, motion);
  return motion;
}

BenchEvaluation::BenchEvaluation(const BenchCase& at, const std::string& formulation, const std::string& kind)
    : formulation_(dynamics::make_formulation(formulation, at.model, {.kind = kind})),
      state_(formulation_->state_of(at.moving, 0.0)),
      a_(formulation == "groups" ? 0 : state_.q.size()),
      z_ddot_(static_cast<std::size_t>(formulation_->num_integrated())) {}

void BenchEvaluation::evaluate() {
  state_.t = 1.0 - state_.t;  // another instant: what a formulation knows of the last one is of no use
  if (formulation_->accelerate(state_, a_, z_ddot_) != dynamics::DynamicsStatus::kSolved)
    refuse_singular(std::string(formulation_->name()));
}

}  // namespace eslabon::benchmarks
