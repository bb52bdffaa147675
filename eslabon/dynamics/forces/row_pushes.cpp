#include "eslabon/dynamics/forces/row_pushes.hpp"

#include <algorithm>
#include <cmath>

#include "eslabon/coordinates/joint_rows.hpp"
#include "eslabon/coordinates/layout.hpp"
#include "eslabon/coordinates/row_kernel.hpp"

namespace eslabon::dynamics {

namespace {

using coordinates::MechanismMotion;
using coordinates::RowForm;
using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::Vector3d;
using Eigen::VectorXd;

coordinates::Row row_of(const model::Mechanism& mechanism, const coordinates::Prescribed& actuator) {
  if (const auto* held = std::get_if<coordinates::HeldDirection>(&actuator.what))
    return {.form = RowForm::kDot,
            .features = {coordinates::Feature{held->body, false, held->u_B},
                         coordinates::Feature{model::kGround, false, held->d_W},
                         {}},
            .label = {held->body, "its spin"}};
  return coordinates::variable_row(mechanism, std::get<model::Variable>(actuator.what));
}

}  // namespace

RowPushes::RowPushes(const model::Mechanism& mechanism)
    : mechanism_(mechanism),
      length_(coordinates::length_scale(mechanism)),
      per_body_(mechanism.is_planar() ? 3 : 6),
      coupled_(mechanism),
      first_row_{0} {
  for (std::size_t j = 0; j < mechanism.joints().size(); ++j) {
    for (coordinates::Row& row : coordinates::joint_rows(mechanism, model::JointIndex(static_cast<int>(j))))
      rows_.push_back(std::move(row));
    for (coordinates::Row& row :
         coordinates::velocity_rows(mechanism, model::JointIndex(static_cast<int>(j))))
      rows_.push_back(std::move(row));
    first_row_.push_back(static_cast<Index>(rows_.size()));
  }
  pushes_.resize(rows_.size());
  for (const model::Coupling& coupling : mechanism.couplings()) add_coupling(coupling);
}

void RowPushes::add_coupling(const model::Coupling& coupling) {
  CouplingPush push{.is_length = false,
                    .rows = {},
                    .factors = {},
                    .mount = find_mesh_mount(mechanism_, coupling),
                    .mesh = {},
                    .pushes = {}};
  for (const model::CouplingTerm& term : coupling.terms) {
    push.rows.push_back(
        coordinates::joint_coordinate_row(mechanism_, term.coordinate.joint, term.coordinate.component));
    push.factors.push_back(term.factor / coupling.terms.front().factor);
  }
  push.is_length = coordinates::is_length(push.rows.front().form);
  couplings_.push_back(std::move(push));
}

void RowPushes::add(const coordinates::Prescribed& actuator) {
  rows_.push_back(row_of(mechanism_, actuator));
  pushes_.emplace_back();
}

std::optional<std::size_t> RowPushes::own_row(Index r) const {
  const Index first = first_row_.back(), couplings = static_cast<Index>(couplings_.size());
  if (r < first) return static_cast<std::size_t>(r);
  if (r < first + couplings) return std::nullopt;
  return static_cast<std::size_t>(r - couplings);
}

double RowPushes::unit(Index r) const {
  const std::optional<std::size_t> own = own_row(r);
  const bool is_length = own ? coordinates::is_length(rows_[*own].form)
                             : couplings_[static_cast<std::size_t>(r - first_row_.back())].is_length;
  return is_length ? 1.0 : length_;
}

RowPushes::Push RowPushes::push_of(const coordinates::Row& row) const {
  Push push;
  push.count = static_cast<std::size_t>(coordinates::feature_count(row.form));
  for (std::size_t f = 0; f < push.count; ++f) {
    const core::Pose<double>& X_WB = bodies_[row.features[f].body.slot()].X_WB;
    push.x[f] = row.features[f].is_point ? X_WB.apply_to_point(row.features[f].local_B)
                                         : X_WB.apply_to_direction(row.features[f].local_B);
  }
  double angle = 0.0;
  if (coordinates::measures_angle(row.form)) {
    const Vector3d seen = row.form == RowForm::kAngle ? push.x[2] : Vector3d(push.x[3] - push.x[2]);
    angle = std::atan2(push.x[1].dot(seen), push.x[0].dot(seen));
  }
  const coordinates::FeaturesOf<double> f{&push.x[0], &push.x[1], &push.x[2],
                                          &push.x[3], &push.x[4], &push.x[5]};
  if (coordinates::measures_place(row.form))
    angle = coordinates::measured_place<double>(row.form, f, row.constant);
  const auto gradient = coordinates::row_gradient<double>(row.form, f, row.constant, angle);
  push.gradient = gradient.by_feature;
  if (coordinates::measures_place(
          row.form))  // of the place itself; other forms change as much as what they measure
    for (Vector3d& by_feature : push.gradient) by_feature *= -1.0 / gradient.by_angle;
  return push;
}

void RowPushes::evaluate(const MechanismMotion& bodies) {
  bodies_ = bodies;
  for (std::size_t r = 0; r < rows_.size(); ++r) pushes_[r] = push_of(rows_[r]);
  for (std::size_t c = 0; c < couplings_.size(); ++c) {
    CouplingPush& coupling = couplings_[c];
    if (coupling.mount)
      coupling.mesh = find_mesh_force(mechanism_, mechanism_.couplings()[c], *coupling.mount, bodies);
    coupling.pushes.clear();
    for (const coordinates::Row& row : coupling.rows) coupling.pushes.push_back(push_of(row));
  }
  evaluate_laws();
}

void RowPushes::evaluate_laws() {
  const std::vector<model::Coupling>& couplings = mechanism_.couplings();
  if (std::ranges::none_of(couplings, [](const model::Coupling& c) { return c.law.has_value(); })) return;
  const std::vector<std::optional<double>> unknown(coupled_.size());
  const std::vector<coordinates::CoordinateValue> values = coupled_.read(bodies_, unknown);
  for (std::size_t c = 0; c < couplings.size(); ++c)
    for (std::size_t k = 0; k < couplings[c].terms.size(); ++k)
      if (const model::CouplingLaw* law = couplings[c].law_of_term(k)) {
        const auto place = static_cast<std::size_t>(coupled_.relations()[c].terms[k].place);
        couplings_[c].factors[k] =
            coupled_.relations()[c].terms[k].factor * law->slope.evaluate(values[place].position);
      }
}

// Seed000 eq. 74
void RowPushes::add_push(const coordinates::Row& row, const Push& push, std::size_t f, const Vector3d& about,
                         double weight, Wrench& wrench) {
  if (row.features[f].is_point)
    wrench.add_force(weight * push.gradient[f], push.x[f] - about);
  else
    wrench.torque += weight * push.x[f].cross(push.gradient[f]);
}

void RowPushes::write(const Wrench& wrench, Eigen::Ref<VectorXd> out) const {
  if (per_body_ == 3)
    out << wrench.force.x(), wrench.force.y(), wrench.torque.z() / length_;
  else
    out << wrench.force, wrench.torque / length_;
}

void RowPushes::add_to(model::BodyIndex body, const Wrench& wrench, Eigen::Ref<VectorXd> column) const {
  if (body == model::kGround) return;
  VectorXd part(per_body_);
  write(wrench, part);
  column.segment(per_body_ * static_cast<Index>(body.slot() - 1), per_body_) += part;
}

void RowPushes::write_coupling(const CouplingPush& coupling, double unit, Eigen::Ref<VectorXd> column) const {
  if (coupling.mesh) {
    const MeshForce& mesh = *coupling.mesh;
    for (const auto& [body, sign] : {std::pair(mesh.first, 1.0), std::pair(mesh.second, -1.0)}) {
      Wrench wrench;
      wrench.add_force(sign * unit * mesh.per_effort_W, mesh.place_W - bodies_[body.slot()].X_WB.p_AB_A);
      add_to(body, wrench, column);
    }
    return;
  }
  for (std::size_t k = 0; k < coupling.rows.size(); ++k)
    for (std::size_t f = 0; f < coupling.pushes[k].count; ++f) {
      const model::BodyIndex body = coupling.rows[k].features[f].body;
      Wrench wrench;
      add_push(coupling.rows[k], coupling.pushes[k], f, bodies_[body.slot()].X_WB.p_AB_A,
               unit * coupling.factors[k], wrench);
      add_to(body, wrench, column);
    }
}

MatrixXd RowPushes::matrix() const {
  MatrixXd G = MatrixXd::Zero(per_body_ * static_cast<Index>(bodies_.size() - 1), num_rows());
  for (Index r = 0; r < num_rows(); ++r) {
    const std::optional<std::size_t> own = own_row(r);
    if (!own) {
      write_coupling(couplings_[static_cast<std::size_t>(r - first_row_.back())], unit(r), G.col(r));
      continue;
    }
    for (std::size_t f = 0; f < pushes_[*own].count; ++f) {
      const model::BodyIndex body = rows_[*own].features[f].body;
      Wrench wrench;
      add_push(rows_[*own], pushes_[*own], f, bodies_[body.slot()].X_WB.p_AB_A, unit(r), wrench);
      add_to(body, wrench, G.col(r));
    }
  }
  return G;
}

VectorXd RowPushes::stacked(std::span<const Wrench> wrenches) const {
  VectorXd out(per_body_ * static_cast<Index>(wrenches.size() - 1));
  for (std::size_t b = 1; b < wrenches.size(); ++b)
    write(wrenches[b], out.segment(per_body_ * static_cast<Index>(b - 1), per_body_));
  return out;
}

MechanismMotion RowPushes::motion_along(const VectorXd& direction) const {
  MechanismMotion motion(bodies_.size());
  for (std::size_t b = 1; b < motion.size(); ++b) {
    const auto part = direction.segment(per_body_ * static_cast<Index>(b - 1), per_body_);
    motion[b].X_WB = bodies_[b].X_WB;
    if (per_body_ == 3) {
      motion[b].v_WB_W = Vector3d(part[0], part[1], 0.0);
      motion[b].w_WB_W = Vector3d(0.0, 0.0, part[2] / length_);
    } else {
      motion[b].v_WB_W = part.head<3>();
      motion[b].w_WB_W = part.tail<3>() / length_;
    }
  }
  return motion;
}

Wrench RowPushes::on_second_body(std::size_t j, const VectorXd& weights) const {
  const model::Joint& joint = mechanism_.joints()[j];
  const Vector3d origin = model::is_curve(joint.type, 1)
                              ? coordinates::contact_point(joint, bodies_)
                              : bodies_[joint.second().slot()].point_position(joint.ends[1].X_BF.p_AB_A);
  Wrench sum;
  for (Index row = first_row_[j]; row < first_row_[j + 1]; ++row) {
    const auto r = static_cast<std::size_t>(row);
    for (std::size_t f = 0; f < pushes_[r].count; ++f)
      if (rows_[r].features[f].body == joint.second())
        add_push(rows_[r], pushes_[r], f, origin, weights[row] * unit(row), sum);
  }
  // The friction of a circle that rolls on a circle is a part of its joint.
  for (std::size_t c = 0; c < couplings_.size(); ++c)
    if (mechanism_.couplings()[c].of_joint == model::JointIndex(static_cast<int>(j))) {
      const Index row = row_of_coupling(c);
      const MeshForce& mesh = *couplings_[c].mesh;
      sum.add_force(weights[row] * unit(row) * mesh.per_effort_W, mesh.place_W - origin);
    }
  return sum;
}

}  // namespace eslabon::dynamics
