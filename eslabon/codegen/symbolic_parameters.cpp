#include "eslabon/codegen/symbolic_parameters.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <optional>
#include <set>

#include "eslabon/codegen/graph/program.hpp"
#include "eslabon/core/random/rng.hpp"
#include "eslabon/core/text/error.hpp"
#include "eslabon/core/text/name_list.hpp"
#include "eslabon/core/text/nearest_name.hpp"

namespace eslabon::codegen {

namespace {

using core::Trace;
using std::size_t;
using Nodes = std::vector<Trace::Node>;

constexpr double kSpread = 0.2;   // by which parameters and numbers are varied, of what they are …
constexpr double kOfZero = 0.01;  // … and those that are 0, in SI
constexpr double kApart = 0.05;   // of the spread: by which numbers differ that would otherwise be the same
constexpr int kAttempts = 8;      // with half of the spread each, until there is a mechanism
constexpr size_t kTogether = 40;  // samples that vary all parameters
constexpr int kMostRounds = 6;    // constants that follow from others that were found

double varied(double x, double by) { return x == 0.0 ? kOfZero * (1.5 + by) : x * (1.0 + by); }

bool is_same_but_for_constants(const Nodes& a, const Nodes& b) {
  return std::ranges::equal(a, b, [](Trace::Node x, Trace::Node y) {
    x.k = y.k = 0.0;
    return x == y;
  });
}

class Marking {
 public:
  Marking(const dynamics::DynamicModel& nominal, const SymbolicParameters& parameters,
          const WriteKernels& write)
      : nominal_(nominal), parameters_(parameters), write_(write) {}

  MarkedModel mark() {
    trace_numbers();
    vary_together();
    for (size_t k = 0; k < parameters_.numbers.size(); ++k) vary_alone(k);
    for (size_t k = 0; k < kTogether; ++k) vary_together();
    for (int round = 0; round < kMostRounds; ++round)
      if (!find_more()) return marked(0);
    refuse({}, "constants follow from each other without end");
  }

 private:
  /// The symbols that a sample varies: those of one number, or all.
  std::vector<std::string> symbols_of(size_t sample) const {
    if (sample > 0 && sample <= parameters_.numbers.size()) return parameters_.symbols_of(sample - 1);
    return {};
  }

  void trace_numbers() {
    core::Trace trace;
    const Trace::Listening listening(trace);
    std::vector<core::Traced> symbols;
    for (size_t k = 0; k < parameters_.values.size(); ++k) symbols.push_back(trace.input());
    numbers_.emplace(trace, parameters_.trace(symbols));
  }

  /// A sample with these numbers, if there is such a mechanism; otherwise says why not.
  std::optional<std::string> add_sample(const std::vector<double>& numbers) {
    if (!std::ranges::all_of(numbers, [](double x) { return std::isfinite(x); }))
      return "there are no such numbers";
    try {
      models_.emplace_back(parameters_.mechanism(numbers), nominal_.structure(),
                           nominal_.assembled().assembly());
      samples_.push_back(numbers);
      return std::nullopt;
    } catch (const core::ModelError& error) {
      return error.text().what;
    }
  }
  /// Other parameters, and with them all numbers; each a little on its own, so that no two have the same digits.
  void vary_together() {
    std::optional<std::string> why;
    double spread = kSpread;
    for (int attempt = 0; attempt < kAttempts; ++attempt, spread *= 0.5) {
      std::vector<double> symbols, numbers(parameters_.numbers.size());
      for (const double x : parameters_.values)
        symbols.push_back(varied(x, spread * (2.0 * rng_.uniform() - 1.0)));
      numbers_->evaluate(symbols, numbers);
      for (double& x : numbers) x = varied(x, kApart * spread * (2.0 * rng_.uniform() - 1.0));
      if (!(why = add_sample(numbers))) return;
    }
    refuse({}, *why);
  }
  /// The base with another value of one number.
  void vary_alone(size_t number) {
    std::optional<std::string> why;
    double spread = kSpread;
    for (int attempt = 0; attempt < kAttempts; ++attempt, spread *= 0.5)
      for (const double sign : {1.0, -1.0}) {
        std::vector<double> numbers = samples_.front();
        numbers[number] = varied(numbers[number], sign * spread * (0.5 + 0.5 * rng_.uniform()));
        if (!(why = add_sample(numbers))) return;
      }
    refuse(parameters_.symbols_of(number), *why);
  }

  MarkedModel marked(size_t sample) const {
    MarkedModel out{models_[sample], samples_[sample]};
    for (const ConstantFunction& function : found_)
      out.constants.emplace_back(function.values[sample], function);
    return out;
  }
  Nodes written(size_t sample) const {
    try {
      return write_(marked(sample));
    } catch (const core::ModelError& error) {
      refuse(symbols_of(sample), error.text().what);
    }
  }

  /// Whether constants move that no function was known of; they are found.
  bool find_more() {
    const Nodes base = written(0);
    Nodes last = same_as(base, samples_.size() - 1);
    std::vector<size_t> moving;
    std::set<std::uint64_t> seen;
    for (size_t i = 0; i < base.size(); ++i)
      if (base[i].k != last[i].k && seen.insert(std::bit_cast<std::uint64_t>(std::abs(base[i].k))).second)
        moving.push_back(i);
    if (moving.empty()) return false;
    std::vector<std::vector<double>> values(moving.size());
    for (size_t s = 0; s < samples_.size(); ++s) {
      const Nodes nodes = same_as(base, s);
      for (size_t k = 0; k < moving.size(); ++k) values[k].push_back(nodes[moving[k]].k);
    }
    for (std::vector<double>& list : values) found_.push_back(function_of(std::move(list)));
    return true;
  }
  Nodes same_as(const Nodes& base, size_t sample) const {
    Nodes nodes = written(sample);
    if (!is_same_but_for_constants(base, nodes))
      refuse(symbols_of(sample), "other values lead to other equations");
    return nodes;
  }

  ConstantFunction function_of(std::vector<double> values) const {
    const ConstantSamples samples{samples_, std::move(values)};
    if (auto function = find_function(samples)) return std::move(*function);
    std::vector<std::string> names;
    for (const size_t number : dependences(samples))
      for (const std::string& name : parameters_.symbols_of(number))
        if (std::ranges::find(names, name) == names.end()) names.push_back(name);
    refuse(names, "a number of the equations follows from it in no way that can be written down");
  }

  [[noreturn]] void refuse(std::vector<std::string> names, const std::string& why) const {
    if (names.empty())
      for (const core::Column& symbol : parameters_.symbols) names.push_back(symbol.name);
    throw core::ModelError(
        {.what = (names.size() == 1 ? "parameter " + core::quoted(names.front())
                                    : "one of the parameters " + core::quoted_list(names)) +
                 " cannot stay a symbol",
         .where = "mechanism '" + nominal_.mechanism().name() + "'",
         .expected = "equations that are the same for all of its values near that of the model",
         .actual = why,
         .next = "Leave it out of the parameters, or set it."});
  }

  const dynamics::DynamicModel& nominal_;
  const SymbolicParameters& parameters_;
  const WriteKernels& write_;
  core::Rng rng_{22};
  std::optional<Program> numbers_;  ///< of the symbols
  std::vector<std::vector<double>> samples_;
  std::vector<dynamics::DynamicModel> models_;  ///< (samples)
  std::vector<ConstantFunction> found_;
};

}  // namespace

void check_rows(const model::Mechanism& mechanism, const std::vector<int>& rows,
                const std::vector<int>& nominal) {
  if (rows == nominal) return;
  throw core::ModelError({.what = "other rows of its constraints are independent",
                          .where = "mechanism '" + mechanism.name() + "'",
                          .expected = "the rows of the model",
                          .actual = "others",
                          .next = "Vary parameters together, or set them."});
}

MarkedModel mark_model(const dynamics::DynamicModel& nominal, const SymbolicParameters& parameters,
                       const WriteKernels& write) {
  return Marking(nominal, parameters, write).mark();
}

}  // namespace eslabon::codegen
