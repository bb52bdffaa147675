#include "eslabon/runs/motion/prescribed_motion.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "eslabon/kinematics/assembly/branch.hpp"
#include "eslabon/kinematics/drivers/driven_structure.hpp"
#include "eslabon/runs/request_error.hpp"
#include "eslabon/runs/start/branch_start.hpp"
#include "eslabon/runs/start/start_note.hpp"

namespace eslabon::runs {

namespace {

kinematics::MethodChoice chosen_method(const MotionRequest& request,
                                       const kinematics::DrivenMechanism& driven) {
  if (request.method != kAuto) return {request.method, ""};
  if (request.coordinates) return {"sparse", field("coordinates") + " asks for coordinates"};
  return kinematics::choose_method(driven);
}

}  // namespace

PrescribedMotion::PrescribedMotion(const MotionRequest& request, const model::Mechanism& mechanism,
                                   const TimeGrid& grid, RunObserver& observer)
    : largest_step_(request.every && request.step ? request.step->seconds()
                                                  : std::numeric_limits<double>::infinity()),
      structure_(kinematics::analyse_driven_structure(mechanism)),
      assembly_(assembled_on_branch(mechanism, structure_, request.branch)),
      driven_(mechanism, structure_, assembly_),
      choice_(chosen_method(request, driven_)),
      motion_(choice_.method, request.coordinates.value_or("natural"), driven_, grid.until(),
              request.compiler.get()) {
  const std::string shifts = start_shifts_note(mechanism, assembly_.bodies, request.branch);
  if (!shifts.empty()) observer.note(shifts);
}

double PrescribedMotion::next_instant(double t, double h) const {
  constexpr double kRoundoff = 1e-9;
  const double rest = t - motion_.state().t;
  const double parts = std::ceil(rest / largest_step_ - kRoundoff);  // of equal length, so that none is tiny
  h = std::min(h, rest / std::max(parts, 1.0));
  return h >= rest ? t : motion_.state().t + h;
}

bool PrescribedMotion::advance_to(double t, RowSink& sink) {
  try {
    return motion_.advance_to(t);
  } catch (const core::ModelError& error) {
    sink.finish();
    core::ErrorText text = error.text();
    text.next += " Results up to there are kept.";
    throw core::ModelError(text);
  } catch (const core::ContractError& error) {
    sink.finish();
    core::ErrorText text = error.text();
    text.where = fmt::format("t = {:.9g} s, {}", motion_.state().t, text.where);
    text.next =
        "The numbers of this run are too large or too small to be solved; results up to there are kept.";
    throw core::ModelError(text);
  }
}

MotionSummary PrescribedMotion::summary(RowSummary rows) const {
  const model::Mechanism& mechanism = driven_.mechanism();
  const kinematics::KinematicMethod& method = motion_.method();
  MotionSummary summary{
      .rows = std::move(rows),
      .mechanism = mechanism.name(),
      .method = std::string(method.name()),
      .description = method.description(),
      .reason = choice_.reason,
      .has_coordinates = kinematics::has_coordinates(method.name()),
      .iterates = method.iterates(),
      .statistics = motion_.statistics(),
      .worst_residual = motion_.worst_constraint_error(),
      .branch = kinematics::branch_name(mechanism, structure_, driven_.start()),
      .singular_positions = {},
      .held = {},
  };
  summary.rows.end = t();
  for (std::size_t k = 0; k < summary.rows.columns.size(); ++k)
    if (summary.rows.columns[k].name == "constraint_error")
      summary.worst_residual = std::max(summary.worst_residual, summary.rows.ranges[k].largest);
  for (const kinematics::MotionEvent& event : motion_.events())
    summary.singular_positions.push_back(
        {event.t, event.kind == kinematics::MotionEvent::Kind::kPassed, event.brief(mechanism)});
  for (const kinematics::HeldFreedom& held : driven_.held())
    summary.held.push_back(mechanism.body(held.body).name);
  return summary;
}

}  // namespace eslabon::runs
