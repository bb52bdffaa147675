#include "eslabon/runs/motion/inverse_run.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "eslabon/dynamics/mass/energy.hpp"
#include "eslabon/model/mechanism_variant.hpp"
#include "eslabon/runs/motion/force_notes.hpp"
#include "eslabon/runs/motion/small_turn.hpp"
#include "eslabon/runs/request_error.hpp"
#include "eslabon/runs/start/chosen_outputs.hpp"

namespace eslabon::runs {

namespace {

constexpr double kOpenEnergy = 1e-9;  // of its measure; more is worth a note
constexpr double kLeastPart = 1e-3;   // of the energy in play: what passes beside less is lost in roundoff
constexpr int kMostPanels = 400;      // of quadrature from row to row that its error alone may ask for

std::vector<core::Column> inverse_columns(const model::Mechanism& mechanism,
                                          const std::vector<core::Column>& efforts) {
  std::vector<core::Column> columns = integration::recorded_columns(mechanism);
  const std::vector<core::Column> last(columns.end() - 2, columns.end());  // energy, constraint_error
  columns.resize(columns.size() - 2);
  columns.insert(columns.end(), efforts.begin(), efforts.end());
  columns.push_back({"power", "W"});
  columns.push_back(last[0]);
  columns.push_back({"power_balance", "W"});
  columns.push_back(last[1]);
  return columns;
}

}  // namespace

void check(const InverseRequest& request) { check(request.motion); }

double InverseSummary::passed_energy() const {
  return std::max({energy.gross, std::abs(energy_change()), std::abs(energy.lost), std::abs(energy.loads)});
}

double InverseSummary::energy_measure() const {
  return std::max(passed_energy(), kLeastPart * of_rows.in_play);
}

/// Forces of the row that the run has come to: they are solved for already.
class InverseRun::Forces final : public RowForces {
 public:
  explicit Forces(const dynamics::InverseDynamics& inverse) : inverse_(inverse) {}
  const dynamics::ForceMemory& memory() const override { return inverse_.memory(); }
  bool is_solved() const override { return true; }
  ReactionSolution solve() override {
    return {inverse_.joints(), inverse_.efforts(), inverse_.are_efforts_unique(), inverse_.residual()};
  }

 private:
  const dynamics::InverseDynamics& inverse_;
};

InverseRun::Told InverseRun::told_outputs(const model::Mechanism& mechanism, const InverseRequest& request) {
  check(request);
  if (mechanism.drivers().empty())
    throw core::ModelError({.what = "inverse dynamics needs a motion that is prescribed",
                            .where = "",
                            .expected = "a driver for every degree of freedom",
                            .actual = "a mechanism without drivers",
                            .next = "Add drivers; 'simulate' does forward dynamics."});
  const ChosenOutputs chosen = choose_outputs(mechanism, request.motion.outputs, true);
  Told told{.mechanism = chosen.mechanism, .has_default_outputs = chosen.has_default_outputs};
  std::vector<std::string> others;
  for (const model::Variable& output : chosen.mechanism.outputs())
    (output.kind == model::VariableKind::kDriverEffort ? told.efforts : others)
        .push_back(model::name(mechanism, output));
  told.mechanism = model::with_outputs(told.mechanism, others);
  return told;
}

InverseRun::InverseRun(const model::Mechanism& mechanism, const InverseRequest& request,
                       RunObserver& observer)
    : observer_(observer),
      told_(told_outputs(mechanism, request)),
      grid_(grid_of(request.motion)),
      motion_(request.motion, told_.mechanism, grid_, observer),
      choice_(choose_actuators(motion_.driven(), request.actuators)),
      model_(told_.mechanism, motion_.structure(), motion_.assembly()),
      inverse_(model_, choice_.actuators),
      recorder_(model_.assembled()),
      laws_(told_.mechanism),
      forces_(model_, told_.mechanism.outputs()),
      row_forces_(std::make_unique<Forces>(inverse_)),
      bodies_(mechanism.bodies().size()),
      memory_(model_.start_memory()),
      totals_{.rows = {inverse_columns(told_.mechanism, choice_.columns), grid_.until()}, .actuators = {}} {
  model_.prepare_drivers(grid_.until());
  solve();  // what cannot be done is said before anything is told
  freedoms_ = inverse_.num_freedoms();
  check_idle_drivers(request);
  totals_.rows.has_default_outputs = told_.has_default_outputs;
  for (const core::Column& column : choice_.columns)
    totals_.actuators.push_back({.column = column, .effort = {}});
}

InverseRun::~InverseRun() = default;

void InverseRun::check_idle_drivers(const InverseRequest& request) {
  std::vector<std::string> idle;
  for (const std::string& effort : told_.efforts)
    if (std::ranges::find(choice_.columns, effort, &core::Column::name) == choice_.columns.end())
      idle.push_back(effort);
  if (idle.empty()) return;
  if (request.motion.outputs)
    throw RequestError({.what = "a driver that is not an actuator has no effort",
                        .where = field("outputs"),
                        .expected = "efforts of " + field("actuators"),
                        .actual = "'" + idle.front() + "'",
                        .next = "Leave it out, or add the driver to " + field("actuators") + "."});
  observer_.left_out(idle, "no actuator here");
}

void InverseRun::see_bodies() {
  motion_.evaluate_bodies(bodies_);
  model_.forces().follow_angles(bodies_, memory_.angles);
  t_seen_ = motion_.t();
}

void InverseRun::solve() {
  if (motion_.t() != t_seen_) see_bodies();  // between two steps
  inverse_.solve(motion_.t(), bodies_, memory_);
}

bool InverseRun::run(RowSink& sink) {
  sink.begin(totals_.rows.columns);
  motion_.observe([this] {
    see_bodies();
    recorder_.count_turns(motion_.t(), bodies_);
  });
  totals_.rows.is_complete = run_so_far(sink);
  sink.finish();
  return totals_.rows.is_complete;
}

bool InverseRun::run_so_far(RowSink& sink) {
  for (std::int64_t k = 0; k < grid_.rows(); ++k) {
    const double t = grid_[k];
    while (motion_.t() < t) {
      if (observer_.must_stop(motion_.motion().statistics().steps)) {
        totals_.rows.was_stopped = true;
        return false;
      }
      if (!take_panel(t, t - grid_[k - 1], sink)) {
        totals_.rows.failure = motion_.motion().events().back().error_text(told_.mechanism);
        return false;
      }
    }
    add_row(k, sink);
    observer_.progress(t / grid_.until());
  }
  return true;
}

bool InverseRun::take_panel(double t, double step, RowSink& sink) {
  constexpr double kPartOfSmallTurn = 0.2;
  const double start = motion_.t(), T_start = dynamics::kinetic_energy(told_.mechanism, bodies_);
  // A row that needs more panels has errors that are no matter of their length.
  const double by_error = ++panels_of_row_ <= kMostPanels ? panel_length_.longest() : HUGE_VAL;
  const double longest = std::min(kPartOfSmallTurn * time_of_small_turn(bodies_), by_error);
  const double end = motion_.next_instant(t, std::max(longest, 1e-6 * step)), length = end - start;
  keeping_rows(sink, [&] {
    if (const auto jump = model_.find_driver_jump(start, end)) throw core::ModelError(*jump);
  });
  double gained = 0.0, passed = 0.0;
  for (const dynamics::QuadratureNode& node : dynamics::gauss_nodes()) {
    if (!advance_to(start + node.place * length, sink)) return false;
    const dynamics::Powers& powers = inverse_.powers();
    since_row_.add(powers, node.weight * length);
    gained += node.weight * length * powers.kinetic;
    passed += node.weight * length * (std::abs(powers.actuators) + std::abs(powers.weights));
  }
  if (!advance_to(end, sink)) return false;
  // Powers must have made the kinetic energy what it is.
  const double T_end = dynamics::kinetic_energy(told_.mechanism, bodies_);
  panel_length_.adapt(length, std::abs(gained - (T_end - T_start)), std::max(T_start, T_end) + passed,
                      std::max(std::abs(gained), std::abs(T_end - T_start)) / std::min(T_start, T_end));
  return true;
}

bool InverseRun::advance_to(double t, RowSink& sink) {
  if (!motion_.advance_to(t, sink)) return false;
  keeping_rows(sink, [&] { solve(); });
  return true;
}

void InverseRun::add_row(std::int64_t k, RowSink& sink) {
  const double t = grid_[k], constraint_error = motion_.constraint_error();
  const std::span<const double> recorded = recorder_.record(t, bodies_, constraint_error);
  keeping_rows(sink, [&] {
    const auto broken = laws_.broken({t, bodies_, constraint_error, recorder_.stopped(), recorder_.driven(),
                                      motion_.motion().prescribed()});
    if (broken) throw core::ModelError(*broken);
  });
  forces_.record(t, inverse_.joints(), inverse_.couplings(), bodies_, inverse_.memory(), recorder_.outputs());
  const std::size_t outputs = recorded.size() - 2;
  row_.assign(recorded.begin(), recorded.begin() + static_cast<std::ptrdiff_t>(outputs));
  row_.insert(row_.end(), inverse_.efforts().begin(),
              inverse_.efforts().begin() + static_cast<std::ptrdiff_t>(choice_.columns.size()));
  const dynamics::Powers& powers = inverse_.powers();
  row_.insert(row_.end(), {powers.actuators, recorded[outputs], powers.balance(), recorded[outputs + 1]});
  sink.add({k, k + 1 == grid_.rows(), t, row_, bodies_, row_forces_.get()});
  summarise_row();
}

void InverseRun::summarise_row() {
  totals_.rows.add(row_);
  totals_.energy.add(std::exchange(since_row_, {}));
  panels_of_row_ = 0;
  totals_.of_rows = recorder_.energy();
  totals_.most_freedoms = std::max(totals_.most_freedoms, inverse_.num_freedoms());
  for (std::size_t k = 0; k < inverse_.efforts().size(); ++k) {
    const double effort = inverse_.efforts()[k];
    if (k >= totals_.actuators.size()) {
      totals_.largest_holding = std::max(totals_.largest_holding, std::abs(effort));
      continue;
    }
    ActuatorUse& use = totals_.actuators[k];
    use.effort.add(effort);
    use.square += effort * effort;
    const double power = effort * inverse_.rates()[k];
    if (std::abs(power) > std::abs(use.peak_power)) use.peak_power = power;
    use.was_unique = use.was_unique && inverse_.is_effort_unique(k);
  }
  const dynamics::Powers& powers = inverse_.powers();
  totals_.largest_balance = std::max(totals_.largest_balance, std::abs(powers.balance()));
  for (const double power : {powers.actuators, powers.weights, powers.springs, powers.loads, powers.dampers,
                             powers.friction, powers.kinetic})
    totals_.largest_power = std::max(totals_.largest_power, std::abs(power));
}

template <class Work>
void InverseRun::keeping_rows(RowSink& sink, Work work) {
  try {
    work();
  } catch (const core::ModelError& error) {
    sink.finish();
    core::ErrorText text = error.text();
    if (inverse_.num_freedoms() > freedoms_)
      text.next = fmt::format(
          "At the start there {} {}: here branches meet, and forces are not decided. Take another {}, so "
          "that no row falls on this place.",
          freedoms_ == 1 ? "is" : "are", freedoms_, field("step"));
    text.next += " Results up to there are kept.";
    throw core::ModelError(text);
  }
}

bool InverseRun::is_at_rest() const {
  return std::ranges::all_of(bodies_, [](const coordinates::BodyMotion& body) {
    return body.v_WB_W.isZero(0.0) && body.w_WB_W.isZero(0.0) && body.a_WB_W.isZero(0.0) &&
           body.alpha_WB_W.isZero(0.0);
  });
}

InverseSummary InverseRun::summary() const {
  InverseSummary summary{.motion = motion_.summary(totals_.rows),
                         .actuators = totals_.actuators,
                         .most_freedoms = totals_.most_freedoms,
                         .largest_holding = totals_.largest_holding,
                         .largest_balance = totals_.largest_balance,
                         .largest_power = totals_.largest_power,
                         .energy = totals_.energy,
                         .of_rows = totals_.of_rows};
  if (summary.open_energy() > kOpenEnergy * summary.energy_measure())
    summary.notes.push_back(
        fmt::format("of the {:.4g} J exchanged, {:.2g} J are not accounted for: forces change faster than "
                    "they are sampled, an acceleration jumps, or a singular position is near. A shorter {} "
                    "samples more often.",
                    summary.passed_energy(), summary.open_energy(), field("step")));
  if (grid_.until() == 0.0 && !is_at_rest())
    summary.notes.push_back(
        "at t = 0 s the drivers move the mechanism, and the efforts are those of this motion, inertia "
        "included; 'equilibrium' holds the drivers and gives the efforts at rest.");
  if (const std::string note = not_unique_note(forces_.not_unique()); !note.empty())
    summary.force_notes.push_back(note);
  return summary;
}

InverseResult inverse(const model::Mechanism& mechanism, const InverseRequest& request,
                      RunObserver& observer) {
  Result table;
  NoteKeeper keeper(table, observer);
  InverseRun run(mechanism, request, keeper);
  ResultSink sink(table);
  static_cast<void>(run.run(sink));
  InverseSummary summary = run.summary();
  for (const auto* notes : {&summary.notes, &summary.force_notes})
    for (const std::string& note : *notes) keeper.marked_note(note);
  for (const SingularPosition& position : summary.motion.singular_positions)
    table.events.push_back({position.t, position.text});
  tell_end(summary.motion.rows, table);
  return {std::move(table), std::move(summary)};
}

}  // namespace eslabon::runs
