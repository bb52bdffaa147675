#pragma once

#include <array>
#include <cinttypes>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <string>
#include <string_view>
#include <vector>

#include "tests/fuzz/file_in_memory.hpp"
#include "tests/fuzz/sentence_check.hpp"

#include "eslabon/core/fnv1a.hpp"
#include "eslabon/study/study_journal.hpp"
#include "eslabon/study/study_results.hpp"

namespace eslabon::test {

/// A study of two points with three tries and one criterion.
inline study::StudyFile journal_study() {
  study::StudyFile study;
  study.tries = 3;
  study::StudyAxis& axis = study.axes.emplace_back();
  axis.name = "step";
  axis.values.resize(2);
  study.criteria.resize(1);
  return study;
}

/// What a journal of this owner begins with.
inline std::string journal_heading(const study::JournalOwner& owner) {
  const FileInMemory file("");
  static_cast<void>(study::StudyJournal(file.path(), owner, true));
  return file.text();
}

/// Lines of the text that begin with "!" get the checksum that makes them whole: no fuzzer guesses one.
inline std::string with_checksums(std::string_view text) {
  std::string whole;
  for (bool is_last = false; !is_last;) {
    const std::size_t end = text.find('\n');
    std::string_view line = text.substr(0, end);
    is_last = end == std::string_view::npos;
    text.remove_prefix(is_last ? text.size() : end + 1);
    if (line.starts_with('!')) {
      line.remove_prefix(1);
      std::array<char, 18> sum{};
      std::snprintf(sum.data(), sum.size(), " %016" PRIx64, core::fnv1a(line));
      whole += std::string(line) + sum.data();
    } else {
      whole += line;
    }
    if (!is_last) whole += '\n';
  }
  return whole;
}

/// The journal of a study, behind a first line of its own: what is found is either refused or can be summed up, in finite numbers.
inline std::string find_journal_fault(std::string_view text) {
  static const study::JournalOwner owner{.study = 7, .model = 8, .build = "a build"};
  const study::StudyFile study = journal_study();
  const study::StudyPlan plan(study);
  static const std::string heading = journal_heading(owner);
  const FileInMemory file(heading + with_checksums(text));
  std::string fault;
  std::vector<study::TryResult> found;
  if (is_refused([&] { found = study::StudyJournal(file.path(), owner, false).found(); }, fault))
    return fault;
  std::vector<std::vector<study::TryResult>> good(plan.num_points());
  for (const study::TryResult& result : found) {
    const auto again = study::read_journal_line(study::journal_line(result));
    if (!again || study::journal_line(*again) != study::journal_line(result))
      return "a line comes back as another";
    if (is_refused([&] { study::check_journal_result(result, plan, "journal"); }, fault)) {
      if (!fault.empty()) return fault;
    } else {
      good[result.index.point].push_back(result);
    }
  }
  for (const auto& tries : good) {
    const study::PointSummary summary = study::summarise(tries, study.criteria.size());
    if (!std::isfinite(summary.per_step) || std::isnan(summary.per_simulated_second))
      return "a summary that is not finite";
  }
  return "";
}

}  // namespace eslabon::test
