#include "info.hpp"
#include "result_json.hpp"
#include <nlohmann/json.hpp>

#include "eslabon/kinematics/given_start.hpp"
#include "eslabon/recording/element_texts.hpp"

namespace eslabon::cli {

namespace {

using nlohmann::ordered_json;
using runs::Placement;
using structure::Structure;

ordered_json names(const model::Mechanism& mechanism, const std::vector<model::BodyIndex>& bodies) {
  ordered_json list = ordered_json::array();
  for (const model::BodyIndex body : bodies) list.push_back(mechanism.body(body).name);
  return list;
}

ordered_json names(const model::Mechanism& mechanism, const std::vector<model::JointIndex>& joints) {
  ordered_json list = ordered_json::array();
  for (const model::JointIndex joint : joints) list.push_back(mechanism.joint(joint).name);
  return list;
}

ordered_json inputs_json(const Structure& structure) {
  ordered_json list = ordered_json::array();
  for (const structure::Input& input : structure.inputs) {
    ordered_json entry{{"name", input.name}, {"origin", structure::name(input.origin)}};
    if (input.origin == structure::InputOrigin::kDriver) entry["driver"] = input.driver;
    list.push_back(entry);
  }
  return list;
}

ordered_json loops_json(const model::Mechanism& mechanism, const Structure& structure) {
  ordered_json list = ordered_json::array();
  for (const structure::Loop& loop : structure.tree.loops)
    list.push_back(
        {{"closed_by", mechanism.joint(loop.closing_joint).name}, {"joints", names(mechanism, loop.joints)}});
  return list;
}

ordered_json groups_json(const model::Mechanism& mechanism, const Structure& structure) {
  ordered_json list = ordered_json::array();
  for (const structure::StructuralGroup& group : structure.groups) {
    ordered_json inputs = ordered_json::array();
    for (const int i : group.inputs) inputs.push_back(structure.inputs[static_cast<std::size_t>(i)].name);
    ordered_json entry{{"type", group.type},
                       {"bodies", names(mechanism, group.bodies)},
                       {"inputs", inputs},
                       {"joints", names(mechanism, group.joints)},
                       {"needs", group.depends_on},
                       {"idle", group.idle},
                       {"redundant", group.redundant}};
    entry["assur"] = group.assur.empty() ? ordered_json(nullptr) : ordered_json(group.assur);
    list.push_back(entry);
  }
  return list;
}

ordered_json rows_json(const model::Mechanism& mechanism, const std::vector<kinematics::RedundantRow>& rows) {
  ordered_json list = ordered_json::array();
  for (const kinematics::RedundantRow& row : rows)
    list.push_back({{"joint", mechanism.joint(row.joint).name},
                    {"direction", row.direction},
                    {"repeats", names(mechanism, row.repeats)}});
  return list;
}

ordered_json grashof_json(const model::Mechanism& mechanism, const structure::FourBar& bars) {
  const auto& l = bars.lengths;
  ordered_json ranges = ordered_json::array();
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
ordered_json redundant_json(const runs::MechanismFacts& facts) {
  if (facts.placement.redundancy) return rows_json(facts.mechanism, facts.placement.redundancy->redundant);
  ordered_json list = ordered_json::array();
  for (const structure::RedundantRows& rows : facts.structure.redundant)
    for (int i = 0; i < rows.count; ++i)
      list.push_back({{"joint", facts.mechanism.joint(rows.joint).name},
                      {"direction", nullptr},
                      {"repeats", ordered_json::array()}});
  return list;
}

ordered_json shifts_json(const runs::MechanismFacts& facts) {
  ordered_json list = ordered_json::array();
  for (const kinematics::StartShift& shift :
       kinematics::start_shifts(facts.mechanism, *facts.placement.bodies))
    list.push_back({{"start", shift.name}, {"move", shift.move}});
  return list;
}

ordered_json assembly_json(const runs::MechanismFacts& facts) {
  const Placement& placement = facts.placement;
  switch (placement.status) {
    case Placement::Status::kClosed:
      return {{"closed", true},
              {"residual", placement.residual},
              {"singular", placement.redundancy->is_singular_at_start()},
              {"shaky", placement.redundancy->is_shaky},
              {"moved", shifts_json(facts)},
              {"start", placement.start.empty() ? ordered_json(nullptr) : ordered_json(placement.start)}};
    case Placement::Status::kOpen:
      return {{"closed", false}, {"message", placement.message}};
    case Placement::Status::kNotComputed:
      break;
  }
  return {{"closed", nullptr}, {"message", placement.message}};
}

ordered_json parameters_json(const std::vector<io::ParameterFact>& parameters) {
  ordered_json list = ordered_json::array();
  for (const io::ParameterFact& parameter : parameters)
    list.push_back({{"name", parameter.name},
                    {"value", parameter.value},
                    {"unit", parameter.unit.empty() ? ordered_json(nullptr) : ordered_json(parameter.unit)},
                    {"text", parameter.text}});
  return list;
}

ordered_json drivers_json(const model::Mechanism& mechanism) {
  ordered_json list = ordered_json::array();
  for (const recording::DriverText& driver : recording::driver_texts(mechanism))
    list.push_back({{"name", driver.name},
                    {"moves", driver.target},
                    {"prescribes", driver.level},
                    {"law", driver.law},
                    {"unit", driver.unit},
                    {"start", driver.start ? ordered_json(*driver.start) : ordered_json(nullptr)}});
  return list;
}

ordered_json loads_json(const model::Mechanism& mechanism) {
  ordered_json list = ordered_json::array();
  for (const recording::LoadText& load : recording::load_texts(mechanism))
    list.push_back({{"name", load.name},
                    {"kind", load.kind},
                    {"on", load.on},
                    {"components", load.components},
                    {"unit", load.unit},
                    {"axes", load.in_body_axes ? "body" : "world"}});
  return list;
}

}  // namespace

std::string info_json(const runs::MechanismFacts& facts, const std::vector<io::ParameterFact>& parameters) {
  const auto& [mechanism, structure, placement] = facts;
  const auto& rank = placement.redundancy;
  ordered_json idle = ordered_json::array();
  for (const structure::IdleFreedom& freedom : structure.idle)
    idle.push_back(
        {{"body", mechanism.body(structure.topology.links[freedom.links.front().slot()].front()).name},
         {"direction", structure::direction(freedom)}});

  ordered_json json{
      {"command", "info"},
      {"name", mechanism.name()},
      {"planar", mechanism.is_planar()},
      {"bodies", mechanism.bodies().size() - 1},
      {"bodies_with_ground", mechanism.bodies().size()},
      {"joints", mechanism.joints().size()},
      {"loops", structure.tree.num_loops()},
      {"inputs", inputs_json(structure)},
      {"mobility",
       {{"gruebler", structure.mobility},
        {"rank", rank ? ordered_json(rank->mobility) : ordered_json(nullptr)}}},
      {"groups", groups_json(mechanism, structure)},
      {"redundant", redundant_json(facts)},
      {"redundant_here", rank ? rows_json(mechanism, rank->redundant_here) : ordered_json::array()},
      {"idle", idle},
      {"assembly", assembly_json(facts)},
      {"branches", placement.branches},
      {"drivers",
       {{"message", placement.drivers.empty() ? ordered_json(nullptr) : ordered_json(placement.drivers)}}},
      {"loop_list", loops_json(mechanism, structure)},
      {"parameters", parameters_json(parameters)},
      {"driver_list", drivers_json(mechanism)},
      {"loads", loads_json(mechanism)}};
  json["grashof"] = structure.four_bar ? grashof_json(mechanism, *structure.four_bar) : ordered_json(nullptr);
  return text_of(json);
}

}  // namespace eslabon::cli
