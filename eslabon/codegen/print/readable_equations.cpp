#include "eslabon/codegen/print/readable_equations.hpp"

#include <algorithm>
#include <array>
#include <numeric>
#include <set>

#include <fmt/format.h>

#include "eslabon/core/index.hpp"

namespace eslabon::codegen {

namespace {

using core::index;
using Kind = Formula::Kind;
using Operation = core::Trace::Operation;

constexpr int kShort = 2;          // numbers and symbols of a formula that needs no name
constexpr int kShared = 3;         // operations from which on a number that is needed twice has a name …
constexpr int kLong = 14;          // … and one that is needed once
constexpr double kMatrix = 100.0;  // letters of a row

struct Letter {
  const char *symbol, *name;
};
constexpr std::array kLetters{Letter{"α", "alpha"}, Letter{"β", "beta"},   Letter{"γ", "gamma"},
                              Letter{"θ", "theta"}, Letter{"λ", "lambda"}, Letter{"σ", "sigma"},
                              Letter{"τ", "tau"},   Letter{"ω", "omega"},  Letter{"Φ", "Phi"},
                              Letter{"Ω", "Omega"}, Letter{"⁰", "0"},      Letter{"M̂", "M_hat"},
                              Letter{"′", "_prime"}};

std::string replaced(std::string text, std::string_view what, std::string_view by) {
  for (std::size_t at = 0; (at = text.find(what, at)) != std::string::npos; at += by.size())
    text.replace(at, what.size(), by);
  return text;
}

/// "˙Φ_B" as a letter, dots and a subscript.
Symbol symbol_of(std::string text) {
  Symbol symbol;
  for (const auto& [mark, dots] : {std::pair{"˙", 1}, std::pair{"¨", 2}})
    if (text.starts_with(mark)) {
      text.erase(0, std::string_view(mark).size());
      symbol.dots = dots;
    }
  const std::size_t cut = text.find('_');
  symbol.base = text.substr(0, cut);
  if (cut != std::string::npos) symbol.subscript = text.substr(cut + 1);
  return symbol;
}

/// Of an argument by its name: "A.q" [rad] is θ_A, "coupler.x" x_coupler, "d/dt A.q" its rate, "alpha" α, "branch of group
/// 2 (coupler, rocker)" σ_2.
Symbol argument_symbol(std::string name, const std::string& unit) {
  for (const auto& [mark, dots] : {std::pair{"d/dt ", 1}, std::pair{"d2/dt2 ", 2}})
    if (name.starts_with(mark)) {
      Symbol symbol =
          argument_symbol(name.substr(std::string_view(mark).size()), unit.starts_with("rad") ? "rad" : unit);
      symbol.dots = dots;
      return symbol;
    }
  constexpr std::string_view kEffort = "effort along ";
  if (name.starts_with(kEffort)) {
    name.erase(0, kEffort.size());
    return {.base = unit == "N" ? "F" : "τ",
            .subscript = name.ends_with(".q") ? name.substr(0, name.size() - 2) : name};
  }
  constexpr std::string_view kBranch = "branch of group ";
  if (name.starts_with(kBranch)) {
    const std::size_t end = name.find(' ', kBranch.size());
    return {.base = name.ends_with("spin") ? "σ′" : "σ",
            .subscript = name.substr(kBranch.size(), end - kBranch.size())};
  }
  for (const Letter& letter : kLetters)
    if (name == letter.name) return {.base = letter.symbol, .subscript = {}};
  const std::size_t dot = name.rfind('.');
  if (dot == std::string::npos) return symbol_of(name);
  const std::string owner = name.substr(0, dot), last = name.substr(dot + 1);
  if (last == "q")
    return {.base = unit.starts_with("rad") ? "θ" : unit.starts_with("m") ? "s" : "q", .subscript = owner};
  if (last == "angle") return {.base = "θ", .subscript = owner};
  if (last.size() == 2 && std::isdigit(static_cast<unsigned char>(last[1])) != 0)
    return {.base = last.substr(0, 1), .subscript = owner + "," + last.substr(1)};  // e0
  return {.base = last, .subscript = owner};
}

std::string code_name(const Symbol& symbol) {
  std::string text = symbol.base;
  for (const Letter& letter : kLetters) text = replaced(text, letter.symbol, letter.name);
  text += (symbol.dots == 1   ? "_dot"
           : symbol.dots == 2 ? "_ddot"
                              : "") +
          (symbol.subscript.empty() ? "" : "_" + symbol.subscript);
  return identifier(replaced(replaced(text, "'", "_"), "M̂", "M_hat"));
}

Symbol entry_symbol(const Derivation::Quantity& quantity, Symbol symbol, int entry) {
  if (quantity.rows * quantity.columns == 1) return symbol;
  const int row = entry / quantity.columns, column = entry % quantity.columns;
  std::string place =
      quantity.is_spatial ? std::string(1, static_cast<char>('x' + row)) : std::to_string(row + 1);
  if (quantity.columns > 1)
    place += (std::max(quantity.rows, quantity.columns) > 9 ? "," : "") + std::to_string(column + 1);
  symbol.subscript += (symbol.subscript.empty() ? "" : ",") + place;
  return symbol;
}

Formula number_formula(double value) { return {.kind = Kind::kNumber, .number = value}; }
Formula symbol_formula(const Symbol& symbol) { return {.kind = Kind::kSymbol, .symbol = symbol}; }

/// A formula and the sign before it.
struct Signed {
  Formula formula;
  bool is_negative = false;
};
Formula with_sign(Signed one) {
  if (!one.is_negative) return std::move(one.formula);
  if (one.formula.kind == Kind::kSum) {
    for (char& sign : one.formula.is_negative) sign = sign == 0;
    return std::move(one.formula);
  }
  return {.kind = Kind::kSum, .parts = {std::move(one.formula)}, .is_negative = {1}};
}

/// Numbers first, then symbols, then functions, then what needs brackets.
int rank(const Formula& formula) {
  if (formula.kind == Kind::kNumber) return 0;
  if (formula.kind == Kind::kSymbol || formula.kind == Kind::kPower) return 1;
  return formula.kind == Kind::kSum ? 3 : 2;
}

class Reading {
 public:
  explicit Reading(const ExportedModel& model)
      : derivation_(model.derivation), nodes_(derivation_.program.nodes()), known_(nodes_.size(), kUnknown) {
    const auto add = [&](const std::vector<core::Column>& columns, const std::string& list) {
      for (std::size_t k = 0; k < columns.size(); ++k) {
        Symbol symbol = argument_symbol(columns[k].name, columns[k].unit);
        if (!taken_.insert(symbol).second)
          taken_.insert(symbol = {.base = list, .subscript = std::to_string(k)});
        out_.inputs.push_back(symbol);
      }
    };
    add(model.x, "x");
    add(model.u, "u");
    add(model.p, "p");
    for (std::size_t k = 0; k < nodes_.size(); ++k)
      if (nodes_[k].operation == Operation::kSubtract)
        differences_.try_emplace({nodes_[k].a, nodes_[k].b}, static_cast<int>(k));
  }

  ReadableEquations read() {
    out_.sections = sections_of(0);
    return std::move(out_);
  }

 private:
  static constexpr int kUnknown = -1;

  struct Known {
    Symbol symbol;
    int equation;
    bool is_negative = false;  ///< the number is −symbol
  };

  std::vector<ReadableSection> sections_of(int parent) {
    std::vector<ReadableSection> sections;
    for (std::size_t k = 1; k < derivation_.parts.size(); ++k) {
      if (derivation_.parts[k].parent != parent) continue;
      ReadableSection section{.title = derivation_.parts[k].title,
                              .says = derivation_.parts[k].says,
                              .equations = {},
                              .parts = {}};
      // What a part is made of comes before what it ends with: its own parts, but laws first.
      for (const Derivation::Quantity& quantity : derivation_.quantities)
        if (quantity.part == static_cast<int>(k) && quantity.entries.empty())
          section.equations.push_back(equation(quantity));
      section.parts = sections_of(static_cast<int>(k));
      for (const Derivation::Quantity& quantity : derivation_.quantities)
        if (quantity.part == static_cast<int>(k) && !quantity.entries.empty())
          add_equation(quantity, section);
      if (!section.equations.empty() || !section.parts.empty()) sections.push_back(std::move(section));
    }
    return sections;
  }
  /// Once: what has been read under the same symbol is not read again.
  void add_equation(const Derivation::Quantity& quantity, ReadableSection& section) {
    auto& read = read_[quantity.symbol];
    if (std::ranges::find(read, quantity.entries) != read.end()) return;
    read.push_back(quantity.entries);
    section.equations.push_back(equation(quantity));
  }

  ReadableEquation equation(const Derivation::Quantity& quantity) {
    now_ = {};
    now_.number = ++count_;
    now_.symbol =
        quantity.entries.empty() ? Symbol{.base = quantity.symbol, .subscript = {}} : own_symbol(quantity);
    now_.law = quantity.law;
    now_.rows = quantity.rows;
    now_.columns = quantity.columns;
    now_.is_solved = quantity.is_solved;
    uses_.clear();
    for (std::size_t k = 0; k < quantity.entries.size(); ++k) {
      const int place = quantity.entries[k];
      if (quantity.is_needed[k] && computes(nodes_[index(place)].operation) &&
          known_[index(place)] == kUnknown)
        learn(place, entry_symbol(quantity, now_.symbol, static_cast<int>(k)));
    }
    for (std::size_t k = 0; k < quantity.entries.size(); ++k)
      if (quantity.is_needed[k])
        learn_negative(quantity.entries[k], entry_symbol(quantity, now_.symbol, static_cast<int>(k)));
    const bool all_needed = std::ranges::all_of(quantity.is_needed, [](char needed) { return needed != 0; });
    std::vector<double> widths(index(quantity.columns), 0.0);
    for (std::size_t k = 0; k < quantity.entries.size(); ++k) {
      const Symbol symbol = entry_symbol(quantity, now_.symbol, static_cast<int>(k));
      own_ = symbol;
      const Formula value =
          quantity.is_solved ? symbol_formula(symbol) : with_sign(term(quantity.entries[k], true));
      double& column = widths[k % widths.size()];
      column = std::max(column, width(value) + 3.0);
      const Program::Node& node = nodes_[index(quantity.entries[k])];
      const bool is_zero = node.operation == Operation::kConstant && node.k == 0.0;
      now_.entries.push_back({symbol, identifier_of(symbol), value, is_zero});
    }
    now_.width = std::accumulate(widths.begin(), widths.end(), 0.0);
    now_.is_matrix = all_needed && now_.width < kMatrix;
    if (!now_.is_matrix) keep_what_matters(quantity);
    for (const int number : uses_)
      if (number != now_.number) now_.uses.push_back(number);
    return std::move(now_);
  }
  /// Of a long list the entries that say something: needed, not 0, and not said in another place of it.
  void keep_what_matters(const Derivation::Quantity& quantity) {
    std::vector<ReadableEquation::Entry> kept;
    for (std::size_t k = 0; k < now_.entries.size(); ++k) {
      if (quantity.is_needed[k] && !now_.entries[k].is_zero) kept.push_back(std::move(now_.entries[k]));
    }
    now_.entries = std::move(kept);
  }

  void learn(int place, const Symbol& symbol) {
    known_[index(place)] = static_cast<int>(names_.size());
    names_.push_back({symbol, now_.number});
    out_.names.try_emplace(derivation_.program.origins()[index(place)], identifier_of(symbol), now_.number);
  }

  /// Where x has a symbol and −x has none, −x stands by it.
  void learn_negative(int place, const Symbol& symbol) {
    const int negative = negative_of(place);
    if (negative < 0 || known_[index(negative)] != kUnknown || !computes(nodes_[index(negative)].operation))
      return;
    known_[index(negative)] = static_cast<int>(names_.size());
    names_.push_back({symbol, now_.number, true});
  }
  /// The place of −x, if it is there: traces write −(a − b) as b − a.
  int negative_of(int place) const {
    const Program::Node& node = nodes_[index(place)];
    if (node.operation == Operation::kNegate) return node.a;
    const auto at = differences_.find({node.b, node.a});
    return node.operation == Operation::kSubtract && at != differences_.end() ? at->second : -1;
  }

  /// A symbol that nothing else has: another quantity with the same one gets a prime.
  Symbol own_symbol(const Derivation::Quantity& quantity) {
    Symbol symbol = symbol_of(quantity.symbol);
    const auto is_taken = [&] {
      for (std::size_t k = 0; k < quantity.entries.size(); ++k)
        if (taken_.contains(entry_symbol(quantity, symbol, static_cast<int>(k)))) return true;
      return false;
    };
    while (is_taken()) symbol.base += "′";
    for (std::size_t k = 0; k < quantity.entries.size(); ++k)
      taken_.insert(entry_symbol(quantity, symbol, static_cast<int>(k)));
    return symbol;
  }
  /// Its name in code, which nothing else has.
  std::string identifier_of(const Symbol& symbol) {
    if (const auto known = identifiers_.find(symbol); known != identifiers_.end()) return known->second;
    std::string name = code_name(symbol);
    while (!taken_identifiers_.insert(name).second) name += "_";
    return identifiers_[symbol] = name;
  }

  /// What is written the same everywhere: sines and cosines of arguments.
  bool is_plain(int place) const {
    const Program::Node& node = nodes_[index(place)];
    return (node.operation == Operation::kSin || node.operation == Operation::kCos) &&
           nodes_[index(node.a)].operation == Operation::kInput;
  }
  bool stands_by_name(int place) const { return known_[index(place)] != kUnknown && !is_plain(place); }

  /// Operations until something that has a name, counted up to kLong.
  int cost(int place) const {
    if (!computes(nodes_[index(place)].operation) || stands_by_name(place) || is_plain(place)) return 0;
    int count = 1;
    for (const int operand : operands(nodes_[index(place)]))
      if (operand >= 0 && count <= kLong) count += cost(operand);
    return count;
  }

  Signed term(int place, bool is_root = false) {
    const Program::Node& node = nodes_[index(place)];
    if (node.operation == Operation::kInput) return {symbol_formula(out_.inputs[index(node.a)])};
    if (node.operation == Operation::kConstant) return {number_formula(std::abs(node.k)), node.k < 0.0};
    if (stands_by_name(place)) {
      const Known& known = names_[index(known_[index(place)])];
      const bool is_own = known.equation == now_.number && known.symbol == own_;
      if (!is_own) {
        uses_.insert(known.equation);
        return {symbol_formula(known.symbol), known.is_negative};
      }
    } else if (!is_root && !is_plain(place)) {
      const int operations = cost(place);
      if (operations > kLong || (operations >= kShared && derivation_.program.uses()[index(place)] > 1))
        return helper(place);
    }
    return expression(node);
  }

  /// A number without a name gets one, below the equation; not so where names that came meanwhile leave it short.
  Signed helper(int place) {
    const Symbol outer = std::exchange(own_, Symbol{});
    Signed value = expression(nodes_[index(place)]);
    own_ = outer;
    const int most = value.formula.kind == Kind::kProduct ? kShort + 1 : kShort;
    if (leaves(value.formula) <= most) return value;
    const Symbol symbol{.base = "s", .subscript = std::to_string(++helpers_)};
    now_.where.push_back({symbol, identifier_of(symbol), with_sign(std::move(value))});
    learn(place, symbol);
    return {symbol_formula(symbol)};
  }
  static int leaves(const Formula& formula) {
    if (formula.parts.empty()) return 1;
    int count = formula.kind == Kind::kProduct || formula.kind == Kind::kSum ? 0 : 1;
    for (const Formula& part : formula.parts) count += leaves(part);
    return count;
  }

  Signed expression(const Program::Node& node) {
    const auto function = [&](std::string name) {
      Formula out{.kind = Kind::kFunction, .function = std::move(name), .parts = {with_sign(term(node.a))}};
      if (node.b >= 0) out.parts.push_back(with_sign(term(node.b)));
      return Signed{std::move(out)};
    };
    switch (node.operation) {
      case Operation::kNegate: {
        Signed of = term(node.a);
        of.is_negative = !of.is_negative;
        return of;
      }
      case Operation::kAdd:
      case Operation::kSubtract: {
        Formula sum{.kind = Kind::kSum};
        add_terms(term_or_sum(node.a), false, sum);
        add_terms(term_or_sum(node.b), node.operation == Operation::kSubtract, sum);
        return settled(std::move(sum));
      }
      case Operation::kMultiply:
        return product(node);
      case Operation::kDivide: {
        Signed above = term(node.a), below = term(node.b);
        const bool is_negative = above.is_negative != below.is_negative;
        return {{.kind = Kind::kFraction, .parts = {std::move(above.formula), std::move(below.formula)}},
                is_negative};
      }
      case Operation::kSqrt:
        return {{.kind = Kind::kRoot, .parts = {with_sign(term(node.a))}}};
      case Operation::kAbs:
        return {{.kind = Kind::kAbs, .parts = {with_sign(term(node.a))}}};
      case Operation::kSin:
        return function("sin");
      case Operation::kCos:
        return function("cos");
      case Operation::kRound:
        return function("round");
      case Operation::kAtan2:
        return function("atan2");
      case Operation::kCall:
        return function(node.function->name);
      case Operation::kSelectLess: {
        Formula out{.kind = Kind::kChoice};
        for (const int operand : {node.a, node.b, node.c, node.d})
          out.parts.push_back(with_sign(term(operand)));
        return {std::move(out)};
      }
      default:
        return {};
    }
  }

  /// A sum inside a sum is no reason for a name of its own, unless it is needed elsewhere.
  Signed term_or_sum(int place) {
    const Program::Node& node = nodes_[index(place)];
    const bool is_sum = node.operation == Operation::kAdd || node.operation == Operation::kSubtract;
    if (is_sum && !stands_by_name(place) && derivation_.program.uses()[index(place)] == 1)
      return expression(node);
    return term(place);
  }
  static void add_terms(Signed part, bool is_subtracted, Formula& sum) {
    const bool is_negative = part.is_negative != is_subtracted;
    if (part.formula.kind != Kind::kSum) return add_term(std::move(part.formula), is_negative, sum);
    for (std::size_t k = 0; k < part.formula.parts.size(); ++k)
      add_term(std::move(part.formula.parts[k]), (part.formula.is_negative[k] != 0) != is_negative, sum);
  }
  /// What stands in the sum already counts twice, or goes away with it.
  static void add_term(Formula term, bool is_negative, Formula& sum) {
    const auto same = std::ranges::find(sum.parts, term);
    if (same == sum.parts.end()) {
      sum.parts.push_back(std::move(term));
      sum.is_negative.push_back(is_negative);
      return;
    }
    const auto sign = sum.is_negative.begin() + (same - sum.parts.begin());
    if ((*sign != 0) != is_negative) {
      sum.parts.erase(same);
      sum.is_negative.erase(sign);
    } else if (term.kind == Kind::kProduct && term.parts.front().kind == Kind::kNumber) {
      same->parts.front().number *= 2.0;
    } else if (term.kind == Kind::kProduct) {
      same->parts.insert(same->parts.begin(), number_formula(2.0));
    } else {
      *same = {.kind = Kind::kProduct, .parts = {number_formula(2.0), std::move(term)}};
    }
  }
  /// A sum of one term, or of none.
  static Signed settled(Formula sum) {
    if (sum.parts.empty()) return {number_formula(0.0)};
    if (sum.parts.size() > 1) return {std::move(sum)};
    return {Formula(sum.parts.front()), sum.is_negative.front() != 0};
  }

  Signed product(const Program::Node& node) {
    Signed out{{.kind = Kind::kProduct}};
    for (const int operand : {node.a, node.b}) {
      Signed factor = term(operand);
      out.is_negative = out.is_negative != factor.is_negative;
      if (factor.formula.kind == Kind::kProduct)
        for (Formula& part : factor.formula.parts) out.formula.parts.push_back(std::move(part));
      else
        out.formula.parts.push_back(std::move(factor.formula));
    }
    gather(out.formula.parts);
    if (out.formula.parts.size() > 1) std::erase(out.formula.parts, number_formula(1.0));
    std::ranges::stable_sort(out.formula.parts, {}, rank);
    if (out.formula.parts.size() == 1) out.formula = Formula(out.formula.parts.front());
    return out;
  }
  /// Numbers become one, and x · x is x².
  static void gather(std::vector<Formula>& factors) {
    std::vector<Formula> gathered;
    for (Formula& factor : factors) {
      const Formula& base = factor.kind == Kind::kPower ? factor.parts.front() : factor;
      const double exponent = factor.kind == Kind::kPower ? factor.number : 1.0;
      const auto same = std::ranges::find_if(gathered, [&](const Formula& other) {
        const Formula& of = other.kind == Kind::kPower ? other.parts.front() : other;
        return of == base || (of.kind == Kind::kNumber && base.kind == Kind::kNumber);
      });
      if (same == gathered.end())
        gathered.push_back(std::move(factor));
      else if (base.kind == Kind::kNumber)
        same->number *= factor.number;
      else if (same->kind == Kind::kPower)
        same->number += exponent;
      else
        *same = {.kind = Kind::kPower, .number = 1.0 + exponent, .parts = {Formula(*same)}};
    }
    factors = std::move(gathered);
  }

  const Derivation& derivation_;
  const std::vector<Program::Node>& nodes_;
  std::vector<int> known_;                          ///< (nodes) place in names_
  std::map<std::pair<int, int>, int> differences_;  ///< places of a − b
  std::vector<Known> names_;
  ReadableEquations out_;
  ReadableEquation now_;
  Symbol own_;  ///< the number that is written
  std::set<int> uses_;
  std::set<Symbol> taken_;
  std::map<std::string, std::vector<std::vector<int>>> read_;  ///< entries under each symbol
  std::map<Symbol, std::string> identifiers_;
  std::set<std::string> taken_identifiers_{"x", "u", "p", "y", "w", "h", "lambda", "gamma"};
  int count_ = 0, helpers_ = 0;
};

std::size_t letters(const std::string& text) {
  return static_cast<std::size_t>(
      std::ranges::count_if(text, [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
}

}  // namespace

ReadableEquations readable_equations(const ExportedModel& model) { return Reading(model).read(); }

std::vector<std::pair<std::string, int>> names_of(const Program& program,
                                                  const ReadableEquations& equations) {
  std::vector<std::pair<std::string, int>> names(program.nodes().size(), {"", 0});
  for (std::size_t k = 0; k < names.size(); ++k)
    if (const auto known = equations.names.find(program.origins()[k]); known != equations.names.end())
      names[k] = known->second;
  return names;
}

double width(const Formula& formula) {
  double sum = 0.0;
  for (const Formula& part : formula.parts) sum += width(part);
  switch (formula.kind) {
    case Kind::kNumber:
      return static_cast<double>(readable_number(formula.number).first.size());
    case Kind::kSymbol:
      return static_cast<double>(letters(formula.symbol.base)) +
             0.6 * static_cast<double>(letters(formula.symbol.subscript));
    case Kind::kSum:
      return sum + 3.0 * static_cast<double>(formula.parts.size());
    case Kind::kFraction:
      return std::max(width(formula.parts[0]), width(formula.parts[1]));
    case Kind::kFunction:
      return sum + 4.0;
    case Kind::kChoice:
      return std::max(width(formula.parts[2]), width(formula.parts[3])) + width(formula.parts[0]) +
             width(formula.parts[1]) + 8.0;
    default:
      return sum + 1.0;
  }
}

std::vector<Formula> lines(const Formula& formula, double most) {
  if (formula.kind != Kind::kSum || width(formula) <= most) return {formula};
  std::vector<Formula> out;
  double used = most;
  for (std::size_t k = 0; k < formula.parts.size(); ++k) {
    const double next = width(formula.parts[k]) + 3.0;
    if (out.empty() || used + next > most) {
      out.push_back({.kind = Kind::kSum});
      used = 0.0;
    }
    out.back().parts.push_back(formula.parts[k]);
    out.back().is_negative.push_back(formula.is_negative[k]);
    used += next;
  }
  return out;
}

std::pair<std::string, int> readable_number(double value) {
  const std::string text = fmt::format("{:.6g}", value);
  const std::size_t e = text.find('e');
  return e == std::string::npos ? std::pair{text, 0}
                                : std::pair{text.substr(0, e), std::stoi(text.substr(e + 1))};
}

}  // namespace eslabon::codegen
