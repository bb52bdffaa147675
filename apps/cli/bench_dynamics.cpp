#include <algorithm>
#include <cstdio>
#include <limits>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "bench.hpp"
#include "bench_children.hpp"
#include "command_line.hpp"
#include "presentation.hpp"
#include "progress_bar.hpp"
#include "result_json.hpp"
#include "text_page.hpp"
#include "text_table.hpp"
#include <fmt/format.h>
#include <unistd.h>

// The page and the file of `eslabon bench dynamics`.
namespace eslabon::cli {

namespace {

constexpr int kMostDyads = 1000;
constexpr int kMostRevolutes = 1000;
constexpr int kMostCounted = 100;  // dyads or revolutes; under callgrind everything is fifty times as slow
constexpr double kLinear = 1.1;    // the largest exponent that is called linear
constexpr double kSemiRecursive17 = 12e-6;  // to reach with 17 dyads [s]
const std::vector<std::string> kGrowing{"groups", "semi-recursive"};

/// A mechanism of the table.
struct Subject {
  std::string family;
  int size;
  std::string title;
  std::string heading;  ///< of a column
  std::string model;    ///< of BenchCase
  bool has_all;         ///< others than kGrowing take minutes to set up beyond some size
  double to_reach;      ///< by the best of ours [s]; 0: no figure
};

struct Row {
  std::size_t subject;
  std::string program;  ///< "eslabon" or a rival
  FormulationWay way;   ///< of ours
  double seconds = 0.0;
  double instructions = 0.0;  ///< 0: not counted
  double difference = 0.0;    ///< of a rival's accelerations from ours
  std::string remark = {};
};

std::vector<Subject> read_subjects(const DynamicsBenchOptions& options) {
  // What is to be reached on the machine that the figures are of: 1, 17 and 40 dyads, 20 and 100 revolutes [s].
  static const std::map<int, double> dyads_to_reach{{1, 0.15e-6}, {17, 1.6e-6}, {40, 3.8e-6}};
  static const std::map<int, double> chains_to_reach{{20, 3e-6}, {100, 15e-6}};
  const auto figure = [](const std::map<int, double>& figures, int size) {
    const auto found = figures.find(size);
    return found == figures.end() ? 0.0 : found->second;
  };
  std::vector<Subject> subjects;
  for (const int k : read_numbers("--dyads", options.dyads, kMostDyads))
    subjects.push_back({"scalable-fourbar", k, "four-bar, " + counted(static_cast<std::size_t>(k), "dyad"),
                        ">k=" + std::to_string(k), fourbar_model(k), k <= 100, figure(dyads_to_reach, k)});
  for (const int n : read_numbers("--chains", options.chains, kMostRevolutes))
    subjects.push_back({"chain", n, "chain, " + counted(static_cast<std::size_t>(n), "revolute"),
                        ">n=" + std::to_string(n), chain_model(n), n <= 50, figure(chains_to_reach, n)});
  return subjects;
}

std::vector<Rival> read_rivals(const DynamicsBenchOptions& options) {
  std::vector<Rival> asked;
  if (!options.against) return asked;
  std::vector<std::string> known;
  for (const Rival& rival : rivals()) known.push_back(rival.name);
  for (const std::string& name : read_names("--against", *options.against, "simbody,mujoco")) {
    check_word("--against", "unknown program", name, known);
    for (const Rival& rival : rivals())
      if (rival.name == name) asked.push_back(rival);
  }
  for (const Rival& rival : asked) static_cast<void>(rival_program(rival));
  return asked;
}

/// The rows of a program for a subject; `way` where it is ours.
const Row* find(const std::vector<Row>& rows, std::size_t subject, const std::string& program,
                const std::string& way = "") {
  for (const Row& row : rows)
    if (row.subject == subject && row.program == program && (way.empty() || row.way.name() == way))
      return &row;
  return nullptr;
}

const Row* best_of_ours(const std::vector<Row>& rows, std::size_t subject) {
  const Row* best = nullptr;
  for (const Row& row : rows)
    if (row.subject == subject && row.program == "eslabon" &&
        (best == nullptr || row.seconds < best->seconds))
      best = &row;
  return best;
}

std::string ratio_text(double ratio) { return fmt::format("{:.{}f}", ratio, ratio < 10.0 ? 1 : 0); }

class DynamicsBench {
 public:
  explicit DynamicsBench(const DynamicsBenchOptions& options)
      : options_(options),
        subjects_(read_subjects(options)),
        rivals_(read_rivals(options)),
        ways_(formulation_ways()) {
    if (options.has_instructions) check_counting();
  }

  void measure() {
    ProgressBar bar;
    const double all = static_cast<double>(subjects_.size() * (ways_.size() + rivals_.size()));
    double done = 0.0;
    for (std::size_t s = 0; s < subjects_.size(); ++s) {
      const BenchCase at(subjects_[s].model);
      for (const FormulationWay& way : ways_) {
        measure(s, at, way);
        bar.update(++done / all);
      }
      for (const Rival& rival : rivals_) {
        measure(s, at, rival);
        bar.update(++done / all);
      }
    }
  }

  /// The table for programs: names, units, rows.
  std::string csv() const;
  std::string page(const PageStyle& style) const;

 private:
  bool is_counted(std::size_t s) const {
    return options_.has_instructions && subjects_[s].size <= kMostCounted;
  }
  void measure(std::size_t s, const BenchCase& at, const FormulationWay& way);
  void measure(std::size_t s, const BenchCase& at, const Rival& rival);

  std::string comparison_text() const;
  template <class Cell>
  std::string all_text(const std::vector<std::size_t>& subjects, Cell cell, bool has_rivals) const;
  /// Exponent of the time of a formulation, from kFromDyads on; nothing without two sizes.
  std::optional<double> exponent(const std::string& formulation) const;
  std::string growth_text() const;
  std::string missed_text() const;
  std::string agreement_text(const Rival& rival) const;

  const DynamicsBenchOptions& options_;
  std::vector<Subject> subjects_;
  std::vector<Rival> rivals_;
  std::vector<FormulationWay> ways_;
  std::vector<Row> rows_;
};

void DynamicsBench::measure(std::size_t s, const BenchCase& at, const FormulationWay& way) {
  if (!subjects_[s].has_all && std::ranges::find(kGrowing, way.formulation) == kGrowing.end()) return;
  const std::optional<double> seconds = measure_evaluation(at, way);
  if (!seconds) return;
  rows_.push_back({s, "eslabon", way, *seconds});
  if (is_counted(s)) rows_.back().instructions = count_instructions(subjects_[s].model, way);
}

void DynamicsBench::measure(std::size_t s, const BenchCase& at, const Rival& rival) {
  if (at.has_loops() && subjects_[s].size > rival.most_dyads) return;
  const RivalAnswer answer = ask_rival(rival, subjects_[s].model, at);
  rows_.push_back({s, rival.name, {}, answer.seconds, 0.0, answer.difference, answer.remark});
  if (is_counted(s)) rows_.back().instructions = count_instructions(subjects_[s].model, rival);
}

std::string DynamicsBench::csv() const {
  std::string text =
      "mechanism,size,program,formulation,coordinates,evaluation,to_reach,instructions,difference\n"
      ",1,,,,s,s,1,1\n";
  for (const Row& row : rows_) {
    const Subject& subject = subjects_[row.subject];
    const bool is_ours = row.program == "eslabon";
    text += fmt::format("{},{},{},{},{},{:.6g},{},{},{}\n", subject.family, subject.size, row.program,
                        row.way.formulation, row.way.kind, row.seconds,
                        is_ours && subject.to_reach > 0.0 ? fmt::format("{:.6g}", subject.to_reach) : "",
                        row.instructions > 0.0 ? fmt::format("{:.0f}", row.instructions) : "",
                        is_ours ? "" : fmt::format("{:.3g}", row.difference));
  }
  return text;
}

std::string DynamicsBench::comparison_text() const {
  std::vector<std::string> headings{"mechanism", ">eslabon", "by", ">to reach"};
  for (const Rival& rival : rivals_) {
    headings.push_back(">" + rival.title);
    headings.emplace_back(">ratio");
  }
  TextTable table(headings);
  for (std::size_t s = 0; s < subjects_.size(); ++s) {
    const Row* ours = best_of_ours(rows_, s);
    std::vector<std::string> cells{subjects_[s].title, microseconds(ours->seconds), ours->way.name(),
                                   subjects_[s].to_reach > 0.0 ? microseconds(subjects_[s].to_reach) : ""};
    for (const Rival& rival : rivals_) {
      const Row* theirs = find(rows_, s, rival.name);
      cells.push_back(theirs == nullptr ? "–" : microseconds(theirs->seconds));
      cells.push_back(theirs == nullptr ? "" : ratio_text(theirs->seconds / ours->seconds));
    }
    table.add_row(std::move(cells));
  }
  return table.text();
}

template <class Cell>
std::string DynamicsBench::all_text(const std::vector<std::size_t>& subjects, Cell cell,
                                    bool has_rivals) const {
  std::vector<std::string> headings{"k dyads, n revolutes"};
  for (const std::size_t s : subjects) headings.push_back(subjects_[s].heading);
  TextTable table(headings);
  const auto add = [&](const std::string& title, const std::string& program, const std::string& way) {
    std::vector<std::string> cells{title};
    for (const std::size_t s : subjects) {
      const Row* row = find(rows_, s, program, way);
      cells.push_back(row == nullptr ? "–" : cell(*row));
    }
    table.add_row(std::move(cells));
  };
  for (const FormulationWay& way : ways_) add(way.name(), "eslabon", way.name());
  if (has_rivals)
    for (const Rival& rival : rivals_) add(rival.title, rival.name, "");
  return table.text();
}

std::optional<double> DynamicsBench::exponent(const std::string& formulation) const {
  std::vector<double> sizes, times;
  for (const Row& row : rows_) {
    const Subject& subject = subjects_[row.subject];
    if (row.way.formulation != formulation || subject.family == "chain" || subject.size < kFromDyads)
      continue;
    sizes.push_back(subject.size);
    times.push_back(row.seconds);
  }
  if (sizes.empty() || *std::ranges::min_element(sizes) == *std::ranges::max_element(sizes))
    return std::nullopt;
  return fitted_exponent(sizes, times);
}

std::string DynamicsBench::growth_text() const {
  std::string text;
  for (const std::string& name : kGrowing)
    if (const auto p = exponent(name))
      text += fmt::format("{}{} dyads^{:.2f}", text.empty() ? "" : ", ", name, *p);
  return text;
}

std::string DynamicsBench::missed_text() const {
  std::string text;
  const auto miss = [&](const std::string& what) { text += (text.empty() ? "" : "; ") + what; };
  for (std::size_t s = 0; s < subjects_.size(); ++s) {
    const Subject& subject = subjects_[s];
    const double best = best_of_ours(rows_, s)->seconds;
    if (subject.to_reach > 0.0 && best > subject.to_reach)
      miss(fmt::format("{}: {} µs, to reach {} µs", subject.title, microseconds(best),
                       microseconds(subject.to_reach)));
    const Row* row = find(rows_, s, "eslabon", "semi-recursive");
    if (subject.family != "chain" && subject.size == 17 && row != nullptr && row->seconds > kSemiRecursive17)
      miss(fmt::format("{} by semi-recursive: {} µs, to reach {} µs", subject.title,
                       microseconds(row->seconds), microseconds(kSemiRecursive17)));
  }
  for (const std::string& name : kGrowing)
    if (const auto p = exponent(name); p && *p > kLinear)
      miss(fmt::format("{} grows as dyads^{:.2f}, to reach {:.1f} at most", name, *p, kLinear));
  return text;
}

std::string DynamicsBench::agreement_text(const Rival& rival) const {
  std::map<bool, double> largest;  // with loops, without
  std::string remarks;
  for (const Row& row : rows_) {
    if (row.program != rival.name) continue;
    double& off = largest[subjects_[row.subject].family != "chain"];
    off = std::max(off, row.difference);
    if (row.remark != "-" && remarks.find(row.remark) == std::string::npos)
      remarks += (remarks.empty() ? "; fastest with " : " or ") + row.remark;
  }
  std::string text;
  for (const auto& [has_loops, off] : largest)
    text +=
        fmt::format("{}{} by {:.1e}", text.empty() ? "" : ", in ", has_loops ? "four-bars" : "chains", off);
  return text + remarks;
}

std::string DynamicsBench::page(const PageStyle& style) const {
  TextPage page(style);
  page.title("Efficiency of dynamics", "bench");
  page.fact("Measured",
            "one evaluation, from given positions and velocities to accelerations; processor time of one "
            "thread, the best of several repeats");
  page.heading("Best formulation, one evaluation [µs]");
  page.append(comparison_text());
  if (!rivals_.empty()) page.append("  ratio: their time divided by ours\n");
  page.heading("Every formulation, one evaluation [µs]");
  std::vector<std::size_t> all, counted_ones;
  for (std::size_t i = 0; i < subjects_.size(); ++i) {
    all.push_back(i);
    if (is_counted(i)) counted_ones.push_back(i);
  }
  page.append(all_text(
      all, [](const Row& row) { return microseconds(row.seconds); }, false));
  page.append(
      "  –: refused by the formulation, or left out: beyond 100 dyads and 50 revolutes there are groups\n"
      "  and semi-recursive alone\n");
  if (!counted_ones.empty()) {
    page.heading("Instructions of one evaluation, by callgrind");
    page.append(all_text(
        counted_ones, [](const Row& row) { return fmt::format("{:.0f}", row.instructions); }, true));
  }
  page.append("\n");
  if (const std::string growth = growth_text(); !growth.empty())
    page.fact("Growth", fmt::format("of time from {:.0f} dyads on: {}", kFromDyads, growth));
  const std::string missed = missed_text();
  page.fact("To reach", missed.empty() ? "nothing missed" : "missed: " + missed);
  for (const Rival& rival : rivals_)
    page.fact(rival.title, rival.version +
                               "; accelerations differ from ours, relative to the max of ours, in " +
                               agreement_text(rival));
  if (std::ranges::find(rivals_, "mujoco", &Rival::name) != rivals_.end())
    page.fact("", "MuJoCo's loops are soft and leave out what velocities do; they are compared at rest");
  if (options_.out) page.fact("Written", *options_.out);
  return page.text();
}

}  // namespace

void run_dynamics_bench(const DynamicsBenchOptions& options, const Presentation& presentation) {
  DynamicsBench bench(options);
  // A file that cannot be written is better known before the work than after it.
  if (options.out) check_file(*options.out, "the table");
  bench.measure();
  if (options.out) write_text_file(*options.out, "the table", bench.csv());
  presentation.show(
      stdout, [&](const PageStyle& style) { return bench.page(style); },
      [&] {
        return text_of({{"command", "bench dynamics"},
                        {"table", table_json(bench.csv())},
                        {"files", {{"table", or_null(options.out)}}}});
      });
}

}  // namespace eslabon::cli
