#pragma once

#include <string>
#include <utility>
#include <variant>
#include <vector>

/// What benchmarks found, for people.
namespace eslabon::benchmarks {

struct CompiledTable;
struct DynamicsTable;
struct EstimationTable;
struct KinematicsTable;
struct SolvedReference;
struct VehicleFigures;
struct VehiclesTable;

/// Parts of a text in their order; how they look on a terminal or a web page is up to who shows them.
struct Findings {
  struct Heading {
    std::string text;
  };
  struct Fact {
    std::string word;  ///< "Measured"
    std::string text;
  };
  struct Table {
    std::vector<std::string> headings;  ///< (columns) with '>' before those of numbers, which are flush right
    std::vector<std::vector<std::string>> rows = {};
  };
  struct Remark {
    std::string text;  ///< a line below a table
  };
  struct Lines {
    std::string text;  ///< in letters of one width
  };
  struct Gap {};
  using Part = std::variant<Heading, Fact, Table, Remark, Lines, Gap>;

  std::string title;
  std::string subtitle = {};
  std::vector<Part> parts = {};

  void heading(std::string text) { parts.emplace_back(Heading{std::move(text)}); }
  void fact(std::string word, std::string text) {
    parts.emplace_back(Fact{std::move(word), std::move(text)});
  }
  void table(Table table) { parts.emplace_back(std::move(table)); }
  void remark(std::string text) { parts.emplace_back(Remark{std::move(text)}); }
  void lines(std::string text) { parts.emplace_back(Lines{std::move(text)}); }
  void gap() { parts.emplace_back(Gap{}); }
};

Findings findings(const KinematicsTable& measured);
Findings findings(const DynamicsTable& measured);
Findings findings(const CompiledTable& measured);
Findings findings(const std::vector<SolvedReference>& measured);
Findings findings(const VehicleFigures& figures);
Findings findings(const VehiclesTable& measured);
Findings findings(const EstimationTable& measured);

/// The cells, and one more for each of a list.
template <class List, class Text>
std::vector<std::string> extended(std::vector<std::string> cells, const List& list, Text text) {
  for (const auto& one : list) cells.push_back(text(one));
  return cells;
}

}  // namespace eslabon::benchmarks
