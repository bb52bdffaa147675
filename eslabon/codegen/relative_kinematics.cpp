#include "eslabon/codegen/relative_kinematics.hpp"

#include <algorithm>

#include "eslabon/codegen/reduced_equations.hpp"
#include "eslabon/codegen/traced_equations.hpp"
#include "eslabon/core/index.hpp"
#include "eslabon/core/text/name_list.hpp"
#include "eslabon/dynamics/formulations/state_of_bodies.hpp"

namespace eslabon::codegen {

using core::index;
using core::Traced;
using dynamics::TracedMatrix;
using dynamics::TracedMotion;
using dynamics::TracedVector;
using Eigen::Index;

RelativeKinematics::RelativeKinematics(dynamics::ReducedMotion& motion, int newton_steps)
    : motion_(motion), written_(&motion), newton_steps_(newton_steps), partition_(motion) {
  scales_.length = motion.length();
  const coordinates::Layout& layout = motion.system().layout();
  driver_of_.assign(index(motion.system().num_coordinates()), -1);
  const std::vector<model::Driver>& drivers = motion.model().mechanism().drivers();
  for (std::size_t k = 0; k < drivers.size(); ++k)
    if (const auto column = layout.column_of(drivers[k].target))
      if (std::ranges::find(partition_.dependent(), *column) != partition_.dependent().end())
        driver_of_[index(*column)] = static_cast<int>(k);
  for (const int column : partition_.dependent())
    if (driver_of_[index(column)] < 0) searched_.push_back(column);
}

RelativeKinematics::RelativeKinematics(const RelativeKinematics& planned,
                                       const dynamics::ReducedMotion& written)
    : RelativeKinematics(planned) {
  written_ = &written;
}

std::string RelativeKinematics::description() const {
  const std::string text = "independent coordinates z, of the relative ones along the spanning tree";
  if (searched_.empty()) return text;
  return text + ", the dependent ones by " + core::counted(index(newton_steps_), "Newton step") +
         (partition_.plan().method == EliminationPlan::Method::kPivots ? ", pivots in a fixed order"
                                                                       : ", columns made orthogonal");
}

std::vector<coordinates::Coordinate> RelativeKinematics::freedoms() const {
  std::vector<coordinates::Coordinate> list;
  for (Index k = 0; k < motion_.num_freedoms(); ++k) list.push_back(motion_.coordinate(k));
  return list;
}

std::vector<core::Column> RelativeKinematics::position_names() const {
  std::vector<core::Column> list;
  for (const int column : searched_) {
    const coordinates::Coordinate& coordinate = motion_.system().coordinates()[index(column)];
    list.push_back({coordinate.name, core::si_unit(coordinate.dimension)});
  }
  return list;
}

FreedomValues RelativeKinematics::start() const {
  const dynamics::DynamicModel& model = motion_.model();
  const dynamics::State state = state_of_bodies(model, motion_.system(), model.start(), 0.0);
  FreedomValues out;
  for (const int column : motion_.chosen()) {
    out.z.push_back(state.q[index(column)]);
    out.z_dot.push_back(state.v[index(column)]);
  }
  for (const int column : searched_) out.positions.push_back(state.q[index(column)]);
  return out;
}

TracedVector RelativeKinematics::guess(const TracedFreedoms& freedoms) const {
  TracedVector q(driver_of_.size());
  for (std::size_t c = 0; c < q.size(); ++c)
    if (driver_of_[c] >= 0) q[c] = freedoms.drivers.position[index(driver_of_[c])];
  for (std::size_t k = 0; k < freedoms.z.size(); ++k) q[index(motion_.chosen()[k])] = freedoms.z[k];
  for (std::size_t k = 0; k < searched_.size(); ++k) q[index(searched_[k])] = freedoms.near[k];
  return q;
}

TracedBodies RelativeKinematics::write(const TracedFreedoms& freedoms) const {
  const TracedMotion traced(*written_, scales_, freedoms.drivers);
  TracedVector q = guess(freedoms);
  if (!searched_.empty())
    for (int k = 0; k < newton_steps_; ++k) {
      const CoordinatePartition::At at(partition_, traced, traced.position(q));
      const TracedVector step = at.solve(at.position().Phi);
      for (std::size_t d = 0; d < step.size(); ++d) q[index(partition_.dependent()[d])] -= step[d];
    }
  const CoordinatePartition::At at(partition_, traced, traced.position(q));
  const TracedMatrix R = at.R();
  const TracedVector v = at.v(R, freedoms.z_dot);
  const TracedVector zero(q.size(), Traced(0.0));
  TracedBodies out;
  out.q = at.position().q;
  out.v = v;
  out.b = at.b(v);
  out.R = R;
  out.bodies = traced.bodies(at.position(), v, out.b);
  for (Index k = 0; k < R.cols(); ++k) {
    TracedVector column(q.size());
    for (Index c = 0; c < R.rows(); ++c) column[index(c)] = R(c, k);
    out.units.push_back(traced.bodies(at.position(), column, zero));
  }
  for (const int column : searched_) out.positions.push_back(q[index(column)]);
  out.closure_error = max_abs(traced.all_rows(q));
  out.margin = at.margin();
  add_known(at, R, freedoms, out);
  return out;
}

std::vector<TracedVector> RelativeKinematics::by_parameters(const CoordinatePartition::At& at,
                                                            const TracedFreedoms& freedoms) const {
  std::vector<TracedVector> out(freedoms.parameters.size(),
                                TracedVector(at.position().q.size(), Traced(0.0)));
  if (out.empty()) return out;
  core::Trace& trace = core::Trace::listening();
  std::vector<KnownDerivative> known = by_themselves(freedoms.parameters);
  for (const TracedVector& held : {at.position().q, freedoms.drivers.position})
    for (const Traced& one : held)
      if (!one.is_constant()) known.push_back({one, {}});
  std::vector<TracedVector> rows(out.size(), TracedVector(at.position().Phi.size(), Traced(0.0)));
  for (const Entry& entry : derivative(trace, at.position().Phi, {}, known))
    rows[index(entry.column)][index(entry.row)] = -entry.value;
  for (std::size_t k = 0; k < out.size(); ++k) {
    const TracedVector dependent = at.solve(rows[k]);
    for (std::size_t d = 0; d < dependent.size(); ++d)
      out[k][index(partition_.dependent()[d])] = dependent[d];
  }
  return out;
}

void RelativeKinematics::add_known(const CoordinatePartition::At& at, const TracedMatrix& R,
                                   const TracedFreedoms& freedoms, TracedBodies& out) const {
  const std::size_t num_drivers = freedoms.drivers.position.size();
  std::vector<TracedVector> by_driver;
  for (std::size_t k = 0; k < num_drivers; ++k) {
    TracedMotion::Drivers unit{freedoms.drivers.position, TracedVector(num_drivers, Traced(0.0)),
                               TracedVector(num_drivers, Traced(0.0))};
    unit.velocity[k] = 1.0;
    const TracedMotion traced(*written_, scales_, unit);
    TracedVector z_dot(freedoms.z.size(), Traced(0.0));
    by_driver.push_back(CoordinatePartition::At(partition_, traced, at.position()).v(R, z_dot));
  }
  const std::vector<TracedVector> by_parameter = by_parameters(at, freedoms);
  for (const int column : searched_) {
    TracedBodies::Known one{.number = at.position().q[index(column)], .by_z = {}, .by_drivers = {}};
    for (const TracedVector& by : by_parameter) one.by_parameters.push_back(by[index(column)]);
    for (Index k = 0; k < R.cols(); ++k) one.by_z.push_back(R(column, k));
    for (const TracedVector& by : by_driver) one.by_drivers.push_back(by[index(column)]);
    out.known.push_back(std::move(one));
  }
}

}  // namespace eslabon::codegen
