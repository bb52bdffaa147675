#include "eslabon/kinematics/assembly/held_closing.hpp"

#include <utility>

namespace eslabon::kinematics {

void HeldValues::add(coordinates::Prescribed prescribed, double value) {
  what.push_back(std::move(prescribed));
  values.push_back({value, 0.0, 0.0});
  near.push_back(value);
}

RowChoice HeldValues::rows(const model::Mechanism& mechanism) const {
  constexpr int kColumnsPerBody = 7;  // x, y, z and four Euler parameters; the ground has none
  RowChoice choice;
  for (const Origin& origin : origins)
    for (int c = 0; c < 3; ++c)
      choice.origins.push_back({(origin.body.value() - 1) * kColumnsPerBody,
                                mechanism.body(origin.body).mass_properties.p_BC_B, c, origin.p_WB_W[c]});
  return choice;
}

ClosingAttempt close_held(const model::Mechanism& mechanism, const structure::Structure& structure,
                          const HeldValues& held, const coordinates::MechanismMotion& guess) {
  const coordinates::ConstraintSystem system("reference-point", mechanism, structure, held.what);
  const auto n = static_cast<std::size_t>(system.num_coordinates());
  std::vector<double> q(n), v(n), a(n);
  system.read_bodies(guess, {q, v, a}, held.near);
  const ClosingReport closing = close_by_least_squares(system, held.values, q, held.rows(mechanism));
  return {closing, bodies_at_rest(system, q)};
}

coordinates::MechanismMotion bodies_at_rest(const coordinates::ConstraintSystem& system,
                                            const std::vector<double>& q) {
  const std::vector<double> zero(q.size(), 0.0);
  coordinates::BodiesWorkspace workspace;
  coordinates::MechanismMotion bodies(system.mechanism().bodies().size());
  system.evaluate_bodies(q, zero, zero, workspace, bodies);
  return bodies;
}

}  // namespace eslabon::kinematics
