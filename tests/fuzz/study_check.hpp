#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "tests/fuzz/sentence_check.hpp"

#include "eslabon/study/study_plan.hpp"

namespace eslabon::test {

/// A study file: what is read has a plan whose points have names, settings and places.
inline std::string find_study_fault(std::string_view text) {
  std::string fault;
  study::StudyFile study;
  if (is_refused([&] { study = study::read_study(text, "fuzz.yaml"); }, fault)) return fault;
  if (study::study_meaning(study) != study::study_meaning(study::read_study(text, "fuzz.yaml")))
    return "read twice, the study means something else";
  const study::StudyPlan plan(study);
  if (plan.num_points() == 0 || plan.num_tries() == 0 || study.criteria.empty())
    return "a study without tries or criteria";
  for (const std::size_t point : {std::size_t{0}, plan.num_points() - 1}) {
    if (plan.values_of(point).size() != study.axes.size()) return "a point without all of its values";
    if (plan.name_of(point).empty() != study.axes.empty()) return "a point without a name";
    static_cast<void>(plan.settings_of(point));
  }
  for (const study::StudyAxis& axis : study.axes)
    if (study::axis_column(axis).cells.size() != axis.values.size())
      return "a column without all of its cells";
  if (plan.place_of(plan.turn(plan.size() - 1)) >= plan.size()) return "a try without a place";
  return "";
}

}  // namespace eslabon::test
