#include "eslabon/runs/start/start_note.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace eslabon::runs {

namespace {

constexpr std::size_t kMostShifts = 6;

}  // namespace

std::string shifts_text(const std::vector<kinematics::StartShift>& shifts) {
  std::string text;
  for (std::size_t i = 0; i < std::min(shifts.size(), kMostShifts); ++i)
    text += (i == 0 ? "" : ", ") + shifts[i].name + " " + shifts[i].move;
  if (shifts.size() > kMostShifts) text += fmt::format(" and {} more", shifts.size() - kMostShifts);
  return text;
}

std::string start_shifts_note(const model::Mechanism& mechanism, const coordinates::MechanismMotion& bodies,
                              const std::optional<std::string>& branch) {
  if (branch) return "";
  const std::vector<kinematics::StartShift> shifts = kinematics::start_shifts(mechanism, bodies);
  return shifts.empty() ? ""
                        : "start values adjusted to fit the joints and drivers: " + shifts_text(shifts) + ".";
}

}  // namespace eslabon::runs
