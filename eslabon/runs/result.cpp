#include "eslabon/runs/result.hpp"

#include "eslabon/core/text/error.hpp"
#include "eslabon/core/text/name_list.hpp"
#include "eslabon/core/text/nearest_name.hpp"
#include "eslabon/core/text/number_text.hpp"

namespace eslabon::runs {

std::span<const double> Result::column(const std::string& name) const {
  if (const auto found = find(name)) return values[*found];
  std::vector<std::string> names;
  for (const core::Column& one : columns) names.push_back(one.name);
  const auto nearest = core::nearest_name(name, names);
  throw core::ModelError({.what = "the results have no such column",
                          .where = "",
                          .expected = core::quoted_list(names),
                          .actual = "'" + name + "'",
                          .next = nearest ? "Did you mean '" + *nearest + "'?" : "Ask for it as an output."});
}

void tell_end(const RowSummary& rows, Result& result) {
  if (rows.failure)
    result.failure = core::to_sentence(*rows.failure);
  else if (rows.was_stopped)
    result.failure = "the run was stopped at t = " + core::number_text(rows.end) + " s.";
}

void ResultSink::begin(const std::vector<core::Column>& columns) {
  result_.columns = columns;
  result_.values.resize(columns.size());
}

void ResultSink::add(const Row& row) {
  result_.t.push_back(row.t);
  for (std::size_t c = 0; c < row.values.size(); ++c) result_.values[c].push_back(row.values[c]);
}

void NoteKeeper::note(const std::string& sentence) {
  result_.notes.push_back(sentence);
  next_.note(sentence);
}

void NoteKeeper::marked_note(const std::string& sentence) {
  result_.notes.push_back(core::without_marks(sentence));
  next_.marked_note(sentence);
}

void NoteKeeper::left_out(const std::vector<std::string>& outputs, const std::string& why) {
  result_.notes.push_back("left out: " + core::listed(outputs) + ": " + why + ".");
  next_.left_out(outputs, why);
}

}  // namespace eslabon::runs
