#include "eslabon/recording/facts/mechanism_facts_json.hpp"

#include <algorithm>
#include <array>
#include <span>

#include <nlohmann/json.hpp>

#include "eslabon/io/mechanism/read_formulas.hpp"
#include "eslabon/kinematics/assembly/given_start.hpp"
#include "eslabon/recording/facts/json_parts.hpp"
#include "eslabon/recording/pages/element_texts.hpp"

namespace eslabon::recording {

namespace {

using Json = nlohmann::ordered_json;
using runs::Placement;
using structure::Structure;

Json text_or_null(const std::string& text) { return text.empty() ? Json(nullptr) : Json(text); }

Json names(const model::Mechanism& mechanism, const std::vector<model::BodyIndex>& bodies) {
  Json list = Json::array();
  for (const model::BodyIndex body : bodies) list.push_back(mechanism.body(body).name);
  return list;
}

Json names(const model::Mechanism& mechanism, const std::vector<model::JointIndex>& joints) {
  Json list = Json::array();
  for (const model::JointIndex joint : joints) list.push_back(mechanism.joint(joint).name);
  return list;
}

std::vector<std::string> coupling_names(const model::Mechanism& mechanism,
                                        const std::vector<model::CouplingIndex>& couplings) {
  std::vector<std::string> list;
  for (const model::CouplingIndex coupling : couplings) list.push_back(mechanism.coupling(coupling).name);
  return list;
}

Json inputs_json(const Structure& structure) {
  Json list = Json::array();
  for (const structure::Input& input : structure.inputs) {
    Json entry{{"name", input.name}, {"origin", structure::name(input.origin)}};
    if (input.origin == structure::InputOrigin::kDriver) entry["driver"] = input.driver;
    list.push_back(entry);
  }
  return list;
}

Json loops_json(const model::Mechanism& mechanism, const Structure& structure) {
  Json list = Json::array();
  for (const structure::Loop& loop : structure.tree.loops)
    list.push_back(
        {{"closed_by", mechanism.joint(loop.closing_joint).name}, {"joints", names(mechanism, loop.joints)}});
  return list;
}

Json groups_json(const model::Mechanism& mechanism, const Structure& structure) {
  Json list = Json::array();
  for (const structure::StructuralGroup& group : structure.groups) {
    Json inputs = Json::array();
    for (const int i : group.inputs) inputs.push_back(structure.inputs[static_cast<std::size_t>(i)].name);
    Json entry{{"type", group.type},
               {"bodies", names(mechanism, group.bodies)},
               {"inputs", inputs},
               {"joints", names(mechanism, group.joints)},
               {"couplings", coupling_names(mechanism, group.couplings)},
               {"needs", group.depends_on},
               {"idle", group.idle},
               {"redundant", group.redundant}};
    entry["assur"] = text_or_null(group.assur);
    list.push_back(entry);
  }
  return list;
}

Json rows_json(const model::Mechanism& mechanism, const std::vector<kinematics::RedundantRow>& rows) {
  Json list = Json::array();
  for (const kinematics::RedundantRow& row : rows)
    list.push_back({{row.coupling ? "coupling" : "joint",
                     row.coupling ? mechanism.coupling(*row.coupling).name : mechanism.joint(row.joint).name},
                    {"direction", row.direction},
                    {"repeats", names(mechanism, row.repeats)}});
  return list;
}

Json grashof_json(const model::Mechanism& mechanism, const structure::FourBar& bars) {
  const auto& l = bars.lengths;
  Json ranges = Json::array();
  for (const structure::AngleRange& range : structure::input_ranges(l))
    ranges.push_back({range.first, range.last});
  return {
      {"class", structure::can_close(l) ? structure::name(structure::classify(l)) : "cannot be assembled"},
      {"is_grashof", structure::is_grashof(l)},
      {"input_joint", mechanism.joint(bars.input_joint).name},
      {"lengths", {{"ground", l.ground}, {"input", l.input}, {"floating", l.floating}, {"output", l.output}}},
      {"input_ranges_rad", ranges}};
}

/// By rank where it is known, otherwise as far as counting goes.
Json redundant_json(const runs::MechanismFacts& facts) {
  if (facts.placement.redundancy) return rows_json(facts.mechanism, facts.placement.redundancy->redundant);
  Json list = Json::array();
  for (const structure::RedundantRows& rows : facts.structure.redundant)
    for (int i = 0; i < rows.count; ++i)
      list.push_back({{"joint", facts.mechanism.joint(rows.joint).name},
                      {"direction", nullptr},
                      {"repeats", Json::array()}});
  for (const std::string& name : coupling_names(facts.mechanism, facts.structure.redundant_couplings))
    list.push_back({{"coupling", name}, {"direction", nullptr}, {"repeats", Json::array()}});
  return list;
}

Json shifts_json(const runs::MechanismFacts& facts) {
  Json list = Json::array();
  for (const kinematics::StartShift& shift :
       kinematics::start_shifts(facts.mechanism, *facts.placement.bodies))
    list.push_back({{"start", shift.name}, {"move", shift.move}});
  return list;
}

Json assembly_json(const runs::MechanismFacts& facts) {
  const Placement& placement = facts.placement;
  switch (placement.status) {
    case Placement::Status::kClosed:
      return {{"closed", true},
              {"residual", placement.residual},
              {"singular", placement.redundancy->is_singular_at_start()},
              {"shaky", placement.redundancy->is_shaky},
              {"moved", shifts_json(facts)},
              {"start", text_or_null(placement.start)}};
    case Placement::Status::kOpen:
      return {{"closed", false}, {"message", placement.message}};
    case Placement::Status::kNotComputed:
      break;
  }
  return {{"closed", nullptr}, {"message", placement.message}};
}

Json parameters_json(const std::vector<io::ParameterFact>& parameters) {
  Json list = Json::array();
  for (const io::ParameterFact& parameter : parameters)
    list.push_back({{"name", parameter.name},
                    {"value", parameter.value},
                    {"unit", text_or_null(parameter.unit)},
                    {"text", parameter.text}});
  return list;
}

Json drivers_json(const model::Mechanism& mechanism) {
  Json list = Json::array();
  for (const DriverText& driver : driver_texts(mechanism))
    list.push_back({{"name", driver.name},
                    {"moves", driver.target},
                    {"prescribes", driver.level},
                    {"law", driver.law},
                    {"unit", driver.unit},
                    {"start", or_null<Json>(driver.start)}});
  return list;
}

Json loads_json(const model::Mechanism& mechanism) {
  Json list = Json::array();
  for (const LoadText& load : load_texts(mechanism))
    list.push_back({{"name", load.name},
                    {"kind", load.kind},
                    {"on", load.on},
                    {"components", load.components},
                    {"unit", load.unit},
                    {"axes", load.in_body_axes ? "body" : "world"}});
  return list;
}

Json states_json(const model::Mechanism& mechanism) {
  Json list = Json::array();
  for (const model::AuxiliaryState& state :
       std::span(mechanism.states()).first(mechanism.num_described_states()))
    list.push_back(
        {{"name", state.name},
         {"unit", core::si_unit(state.dimension)},
         {"start", state.start},
         {"size", state.size},
         {"rate", io::formula_text(mechanism, {state.name, state.rate.function, state.rate.variables, {}})}});
  return list;
}

Json tyres_json(const model::Mechanism& mechanism) {
  Json list = Json::array();
  const auto model_of = [](const tyres::FittedTyre& tyre) -> std::string {
    if (const auto* magic = std::get_if<tyres::MagicFormula>(&tyre.model))
      return "Magic Formula " + std::string(tyres::name(magic->version));
    constexpr std::array kNames{"linear", "Fiala", "Magic Formula 1989"};
    return kNames[std::get<tyres::PlainTyre>(tyre.model).curves.index()];
  };
  for (const model::Tyre& tyre : mechanism.tyres())
    list.push_back({{"name", tyre.name},
                    {"wheel", mechanism.name_of(tyre.center)},
                    {"model", model_of(tyre.fitted)},
                    {"radius", tyres::unloaded_radius(tyre.fitted)},
                    {"mirrored", tyre.fitted.is_mirrored}});
  return list;
}

Json bushings_json(const model::Mechanism& mechanism) {
  Json list = Json::array();
  for (const model::Bushing& bushing : mechanism.bushings())
    list.push_back({{"name", bushing.name}, {"stiffness", bushing.stiffness}, {"damping", bushing.damping}});
  return list;
}

Json couplings_json(const model::Mechanism& mechanism) {
  Json list = Json::array();
  for (const model::Coupling& coupling : mechanism.couplings()) {
    Json terms = Json::array();
    for (const model::CouplingTerm& term : coupling.terms)
      terms.push_back(
          {{"coordinate", model::name(mechanism, {model::VariableKind::kJointPosition, term.coordinate.joint,
                                                  term.coordinate.component})},
           {"factor", term.factor}});
    list.push_back({{"name", coupling.name},
                    {"kind", model::name(coupling.kind)},
                    {"terms", terms},
                    {"offset", coupling.offset}});
  }
  return list;
}

}  // namespace

std::string mechanism_facts_json(const runs::MechanismFacts& facts,
                                 const std::vector<io::ParameterFact>& parameters,
                                 const Provenance& provenance) {
  const auto& [mechanism, structure, placement] = facts;
  const auto& rank = placement.redundancy;
  Json idle = Json::array(), free = Json::array();
  for (const structure::IdleFreedom& freedom : structure.idle)
    (freedom.matters ? free : idle)
        .push_back(
            {{"body", mechanism.body(structure.topology.links[freedom.links.front().slot()].front()).name},
             {"direction", structure::direction(freedom)}});

  Json json{
      {"command", "info"},
      {"name", mechanism.name()},
      {"planar", mechanism.is_planar()},
      {"bodies", mechanism.bodies().size() - 1},
      {"bodies_with_ground", mechanism.bodies().size()},
      {"joints", mechanism.joints().size()},
      {"loops", structure.tree.num_loops()},
      {"inputs", inputs_json(structure)},
      {"mobility", {{"gruebler", structure.mobility}, {"rank", rank ? Json(rank->mobility) : Json(nullptr)}}},
      {"groups", groups_json(mechanism, structure)},
      {"redundant", redundant_json(facts)},
      {"redundant_here", rank ? rows_json(mechanism, rank->redundant_here) : Json::array()},
      {"idle", idle},
      {"free", free},
      {"assembly", assembly_json(facts)},
      {"branches", placement.branches},
      {"drivers", {{"message", text_or_null(placement.drivers)}}},
      {"loop_list", loops_json(mechanism, structure)},
      {"parameters", parameters_json(parameters)},
      {"driver_list", drivers_json(mechanism)},
      {"loads", loads_json(mechanism)},
      {"states", states_json(mechanism)},
      {"tyres", tyres_json(mechanism)},
      {"bushings", bushings_json(mechanism)},
      {"couplings", couplings_json(mechanism)}};
  if (std::ranges::any_of(mechanism.joints(),
                          [](const model::Joint& joint) { return model::is_nonholonomic(joint.type); }))
    json["mobility"]["velocity"] = rank ? Json(rank->mobility - placement.rolling) : Json(nullptr);
  json["grashof"] = structure.four_bar ? grashof_json(mechanism, *structure.four_bar) : Json(nullptr);
  return json_text(json, provenance);
}

}  // namespace eslabon::recording
