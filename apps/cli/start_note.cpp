#include "start_note.hpp"

#include <algorithm>
#include <cstdio>

#include <fmt/format.h>

namespace eslabon::cli {

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

void print_start_shifts(const model::Mechanism& mechanism, const coordinates::MechanismMotion& bodies,
                        const std::optional<std::string>& branch) {
  const std::string note = start_shifts_note(mechanism, bodies, branch);
  if (!note.empty()) fmt::print(stderr, "eslabon: note: {}\n", note);
}

}  // namespace eslabon::cli
