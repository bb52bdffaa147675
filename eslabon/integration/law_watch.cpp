#include "eslabon/integration/law_watch.hpp"

#include <cmath>

#include "eslabon/core/text/error.hpp"
#include "eslabon/core/text/number_text.hpp"

namespace eslabon::integration {

LawWatch::LawWatch(const model::Mechanism& mechanism, const kinematics::AssemblyReport& assembly)
    : mechanism_(mechanism) {
  const coordinates::CoupledCoordinates coordinates(mechanism);
  std::vector<std::optional<double>> near(coordinates.size());
  for (std::size_t k = 0; k < coordinates.size(); ++k)
    near[k] = kinematics::start_hint(
        mechanism, assembly,
        {model::VariableKind::kJointPosition, coordinates[k].joint, coordinates[k].component});
  const std::vector<coordinates::CoordinateValue> values = coordinates.read(assembly.bodies, near);
  for (std::size_t c = 0; c < mechanism.couplings().size(); ++c) {
    const model::Coupling& coupling = mechanism.couplings()[c];
    if (!coupling.law) continue;
    const coordinates::LinearRelation::Term& term = coordinates.relations()[c].terms[1];
    followed_.push_back({&coupling, term.is_angle, values[static_cast<std::size_t>(term.place)].position});
  }
}

void LawWatch::look(double t, const coordinates::MechanismMotion& bodies) {
  for (Followed& one : followed_) {
    const model::JointCoordinate& of = one.coupling->terms[1].coordinate;
    const double now =
        coordinates::joint_coordinate(mechanism_.joint(of.joint), of.component, bodies).position;
    one.position = one.is_angle ? coordinates::unwrapped(now, one.position) : now;
    check(t, one);
  }
}

void LawWatch::check(double t, const Followed& one) const {
  const model::CouplingLaw& law = *one.coupling->law;
  const bool reaches = law.reaches(one.position);
  if (reaches && std::isfinite(law.value.evaluate(one.position))) return;
  const model::JointCoordinate& of = one.coupling->terms[1].coordinate;
  const model::Variable variable{model::VariableKind::kJointPosition, of.joint, of.component};
  const std::string unit(model::unit(mechanism_, variable)),
      name = "'" + model::name(mechanism_, variable) + "'";
  const core::CubicTable* const table = law.value.whole_table();
  throw core::ModelError(
      {.what = reaches ? "the law of a follower has no value" : "a follower leaves its table",
       .where = "coupling '" + one.coupling->name + "', t = " + core::number_text(t) + " s",
       .expected = reaches ? "a function with a finite value wherever " + name + " is"
                           : name + " from " + core::rounded_text(table->first(), 6) + " to " +
                                 core::rounded_text(table->last(), 6) + " " + unit,
       .actual = core::rounded_text(one.position, 6) + " " + unit,
       .next = reaches ? "Change the law, or where it goes."
                       : "Give the table more rows or a 'period:', or end the run before that."});
}

}  // namespace eslabon::integration
