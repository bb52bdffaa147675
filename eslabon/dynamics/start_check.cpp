#include "eslabon/dynamics/start_check.hpp"

#include "eslabon/coordinates/constraint_system.hpp"
#include "eslabon/core/text/error.hpp"
#include "eslabon/kinematics/freedoms/redundancy.hpp"
#include "eslabon/kinematics/freedoms/row_rank.hpp"
#include "eslabon/kinematics/global/sparse_elimination.hpp"

namespace eslabon::dynamics {

void check_start(const model::Mechanism& mechanism, const structure::Structure& structure,
                 const coordinates::MechanismMotion& bodies) {
  const coordinates::ConstraintSystem system("relative", mechanism, structure, {});
  if (system.num_rows() == 0 || system.num_rows() > kinematics::kMostDenseRows) return;
  const auto n = static_cast<std::size_t>(system.num_coordinates());
  std::vector<double> q(n), v(n), a(n);
  system.read_bodies(bodies, {q, v, a});
  coordinates::PositionLevel level;
  system.evaluate_positions(q, {}, level);
  if (kinematics::rank_rows_in_order(system, level.Phi_q).repeated_rows.empty()) return;
  const kinematics::RedundancyReport report = kinematics::explain_redundancy(system, bodies);
  if (!report.is_singular_at_start() && !report.is_shaky) return;
  const std::vector<std::string> rows = kinematics::describe_redundancy(mechanism, report.redundant_here);
  throw core::ModelError({.what = "the run starts in a singular position",
                          .where = rows.empty() ? "mechanism '" + mechanism.name() + "'" : rows.front(),
                          .expected = "one from which the motion is decided, with " +
                                      std::to_string(report.mobility) +
                                      (report.mobility == 1 ? " degree of freedom" : " degrees of freedom"),
                          .actual = "one with " + std::to_string(report.coordinates - report.rank_at_start) +
                                    ", where branches of the mechanism meet",
                          .next = "Start a little beside it: change a value under 'assembly:'."});
}

}  // namespace eslabon::dynamics
