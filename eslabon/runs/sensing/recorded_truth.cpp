#include "eslabon/runs/sensing/recorded_truth.hpp"

#include <algorithm>

#include "eslabon/core/text/error.hpp"
#include "eslabon/kinematics/drivers/driven_structure.hpp"
#include "eslabon/kinematics/variable_value.hpp"
#include "eslabon/runs/request_error.hpp"
#include "eslabon/runs/start/released_start.hpp"
#include "eslabon/runs/start/state_outputs.hpp"

namespace eslabon::runs {

namespace {

/// Coordinates of which the file has position, rate and acceleration, or the position alone where that is enough.
std::vector<std::string> complete_coordinates(const core::ResultTable& table, RecordedTruth::Use use) {
  std::vector<std::string> names;
  for (const core::Column& column : table.columns) {
    const std::string v = rate_name(column.name), a = acceleration_name(column.name);
    if (v.empty()) continue;
    if (use == RecordedTruth::Use::kPositions || (table.find(v) && table.find(a)))
      names.push_back(column.name);
  }
  return names;
}

/// The angle of a planar body in a file; nothing where the file does not tell it. `values`: (rows)
std::optional<std::vector<double>> angles_of(const core::ResultTable& table,
                                             const model::Mechanism& mechanism, model::BodyIndex body) {
  if (body == model::kGround) return std::vector<double>(table.t.size(), 0.0);
  const auto column = table.find(mechanism.body(body).name + ".angle");
  if (!column) return std::nullopt;
  return table.values[*column];
}

/// Adds the coordinates of hinges that the file does not have but the angles of their two bodies: in the plane
///   q = θ₂ − θ₁ + c,  c from the assembly.                                                                    (1)
void add_hinge_coordinates(core::ResultTable& table, const model::Mechanism& mechanism,
                           const coordinates::MechanismMotion& start) {
  using model::VariableKind;
  if (!mechanism.is_planar()) return;
  const auto start_angle = [&](model::BodyIndex body) {
    return body == model::kGround
               ? 0.0
               : kinematics::value_of(mechanism, {VariableKind::kBodyAngle, body, 0}, start);
  };
  for (std::size_t j = 0; j < mechanism.joints().size(); ++j) {
    const model::Joint& joint = mechanism.joints()[j];
    const model::Variable q{VariableKind::kJointPosition, model::JointIndex(static_cast<int>(j)), 0};
    if (joint.type != model::JointType::kRevolute || table.find(model::name(mechanism, q))) continue;
    const auto first = angles_of(table, mechanism, joint.first());
    const auto second = angles_of(table, mechanism, joint.second());
    if (!first || !second) continue;
    const double c = kinematics::value_of(mechanism, q, start) -
                     (start_angle(joint.second()) - start_angle(joint.first()));
    std::vector<double> values(table.t.size());
    for (std::size_t k = 0; k < values.size(); ++k) values[k] = (*second)[k] - (*first)[k] + c;
    table.columns.push_back({model::name(mechanism, q), "rad"});
    table.values.push_back(std::move(values));
  }
}

core::ResultTable checked(core::ResultTable table) {
  table.check();
  return table;
}

std::vector<std::string> told_coordinates(core::ResultTable& table, const model::Mechanism& mechanism,
                                          const coordinates::MechanismMotion& start, RecordedTruth::Use use) {
  if (use == RecordedTruth::Use::kPositions) add_hinge_coordinates(table, mechanism, start);
  return complete_coordinates(table, use);
}

}  // namespace

RecordedTruth::RecordedTruth(core::ResultTable table, const model::Mechanism& with_drivers,
                             const model::Mechanism& released, Use use,
                             const std::optional<std::string>& branch, RunObserver& observer)
    : table_(checked(std::move(table))),
      structure_(kinematics::analyse_driven_structure(released)),
      assembly_(assembled_as_driven(with_drivers, released, structure_, branch, observer)),
      names_(told_coordinates(table_, released, assembly_.bodies, use)),
      model_(released, structure_, assembly_),
      reduced_(model_, {}, dynamics::ReducedMotion::Use::kKinematics, names_) {
  model_.prepare_drivers(std::max(table_.t.back(), 1.0));
  check_columns(use);
  motion_ = std::make_unique<sensing::RecordedMotion>(reduced_, record(1));
  for (const model::AuxiliaryState& state : released.states()) {
    const std::string name = state.name + ".value";
    const auto found = table_.find(name);
    if (!found) {
      missing_state_ = name;
      break;
    }
    check_unit(name);
    states_.emplace_back(table_.t, table_.values[*found], std::span<const double>(),
                         std::span<const double>());
  }
}

const dynamics::ReducedPoint& RecordedTruth::at(double t) {
  const dynamics::ReducedPoint& point = motion_->at(t);
  if (states_.empty() || !missing_state_.empty()) return point;
  point_ = point;
  for (std::size_t k = 0; k < states_.size(); ++k) point_.memory.states[k] = states_[k].at(t);
  return point_;
}

sensing::RecordedCoordinates RecordedTruth::record(std::size_t every) const {
  sensing::RecordedCoordinates record;
  for (std::size_t row = 0; row < table_.t.size(); row += every) record.t.push_back(table_.t[row]);
  record.names = names_;
  const auto rows = static_cast<Eigen::Index>(record.t.size()), m = static_cast<Eigen::Index>(names_.size());
  for (Eigen::MatrixXd* matrix : {&record.q, &record.q_dot, &record.q_ddot}) matrix->setZero(rows, m);
  for (Eigen::Index c = 0; c < m; ++c) {
    const auto copy = [&](const std::string& name, Eigen::MatrixXd& to) {
      const auto found = table_.find(name);
      if (!found) return;  // of kPositions: rows do not need it
      for (Eigen::Index k = 0; k < rows; ++k)
        to(k, c) = table_.values[*found][static_cast<std::size_t>(k) * every];
    };
    const std::string& q = names_[static_cast<std::size_t>(c)];
    copy(q, record.q);
    copy(rate_name(q), record.q_dot);
    copy(acceleration_name(q), record.q_ddot);
  }
  return record;
}

std::unique_ptr<ThinnedMotion> RecordedTruth::thinned(std::size_t every) const {
  return std::make_unique<ThinnedMotion>(model_, record(every));
}

double RecordedTruth::largest_distance() const {
  double largest = 0.0;
  for (std::size_t k = 0; k + 1 < table_.t.size(); ++k)
    largest = std::max(largest, table_.t[k + 1] - table_.t[k]);
  return largest;
}

void RecordedTruth::check_unit(const std::string& name) const {
  const model::Mechanism& mechanism = model_.mechanism();
  const auto found = table_.find(name);
  if (!found) return;
  const std::string unit(model::unit(mechanism, model::find_variable(mechanism, name)));
  if (table_.columns[*found].unit == unit) return;
  throw core::DataError({.what = "a column is in the wrong unit",
                         .where = table_.path,
                         .expected = "'" + name + "' in " + unit,
                         .actual = "'" + table_.columns[*found].unit + "'",
                         .next = "Write the column in " + unit + ", as 'simulate' does."});
}

void RecordedTruth::check_columns(Use use) const {
  std::string missing, wanted;
  for (Eigen::Index k = 0; k < reduced_.num_freedoms(); ++k) {
    const std::string q = reduced_.coordinate(k).name;
    if (rate_name(q).empty())
      throw core::DataError({.what = "results cannot describe this motion",
                             .where = table_.path,
                             .expected = "degrees of freedom that are coordinates of joints",
                             .actual = "'" + q + "', of a ball or a free body",
                             .next = "Leave " + field("truth") + " out and give " + field("until") +
                                     ": then 'sense' simulates the mechanism itself."});
    std::vector<std::string> names{q};
    if (use == Use::kMotion) names.insert(names.end(), {rate_name(q), acceleration_name(q)});
    for (const std::string& name : names) {
      wanted += (wanted.empty() ? "" : ",") + name;
      check_unit(name);
      if (!table_.find(name)) missing += (missing.empty() ? "'" : ", '") + name + "'";
    }
  }
  if (!missing.empty())
    throw core::DataError({.what = "the results do not describe the whole motion",
                           .where = table_.path,
                           .expected = use == Use::kMotion
                                           ? "position, rate and acceleration of each degree of freedom"
                                           : "the position of each degree of freedom",
                           .actual = "results without " + missing,
                           .next = "Compute them with " + field("outputs") + " " + wanted +
                                   " beside the outputs you want; 'simulate' without " + field("outputs") +
                                   " writes them by itself."});
}

}  // namespace eslabon::runs
