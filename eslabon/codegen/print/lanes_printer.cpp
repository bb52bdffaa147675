#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "eslabon/codegen/print/expression_text.hpp"
#include "eslabon/codegen/print/lanes_text.hpp"
#include "eslabon/codegen/print/printer.hpp"

namespace eslabon::codegen {

namespace {

/// Number k of state i of `n` stands at x[k*n + i]; parameters are shared by all.
class RowAddresses final : public LaneAddresses {
 public:
  RowAddresses(const ExportedModel& model, const ExportedFunction& function)
      : num_x_(static_cast<int>(model.x.size())),
        num_u_(static_cast<int>(model.u.size())),
        num_y_(static_cast<int>(function.numbers.size())) {}

  std::string parameters() const override {
    return "const double* x, const double* u, const double* p, double* y, double* t, std::size_t n";
  }
  std::string arguments() const override { return "x, u, p, y, t, n"; }
  bool is_of_state(int k) const override { return k < num_x_ + num_u_; }
  std::string input(int k) const override {
    if (k < num_x_) return fmt::format("x + {}*n", k);
    if (k < num_x_ + num_u_) return fmt::format("u + {}*n", k - num_x_);
    return fmt::format("p[{}]", k - num_x_ - num_u_);
  }
  std::string uniform(int k) const override { return fmt::format("uniform[{}]", k); }
  std::string output(int k) const override {
    return k < num_y_ ? fmt::format("y + {}*n", k) : fmt::format("t + {}*n", k - num_y_);
  }

 private:
  int num_x_, num_u_, num_y_;
};

class LanesPrinter {
 public:
  explicit LanesPrinter(const ExportedModel& model) : model_(model), name_(model.name) {
    for (const ExportedFunction& function : model.functions)
      most_y_ = std::max(most_y_, function.numbers.size());
  }

  std::vector<PrintedFile> files() const {
    return {{name_ + "_lanes.hpp", header()},
            {name_ + "_lanes.cpp", source()},
            {name_ + "_lanes_check.cpp", check()}};
  }

 private:
  static constexpr const char* kParameters =
      "std::size_t count, const double* x, const double* u, const double* p, double* y, double* told";

  std::string header() const {
    std::string text;
    for (const std::string& line : heading(model_)) text += "// " + in_line_comment(line) + "\n";
    text += fmt::format(
        "//\n// Functions of `count` states at once, in vectors as wide as the processor that this is "
        "compiled for has them: number k of "
        "state i\n// stands at x[k*count + i]; u, y and told in the same way. p is shared by all. told: 2 "
        "numbers of each state, the "
        "constraint\n// error [m] and the smallest pivot. Returned: how many states are "
        "near-singular, not closed, or have numbers that "
        "are none.\n#ifndef {0}_LANES_HPP\n#define {0}_LANES_HPP\n\n#include <cstddef>\n\nnamespace {0} "
        "{{\n\n"
        "enum : std::size_t {{ kX = {1}, kU = {2}, kP = {3} }};  // numbers of a state, of u and of p\n\n",
        name_, model_.x.size(), model_.u.size(), model_.p.size());
    for (const ExportedFunction& function : model_.functions) {
      text += "// " + in_line_comment(heading(function)) + "\n";
      if (!function.matrix)
        for (std::size_t k = 0; k < function.numbers.size(); ++k)
          text += in_line_comment(fmt::format("//   y[{}*count + i]  {} [{}]", k, function.numbers[k].name,
                                              function.numbers[k].unit)) +
                  "\n";
      else
        text += places(function);
      text += fmt::format("std::size_t {}({});\n\n", function.name, kParameters);
    }
    return text + fmt::format("}}  // namespace {}\n\n#endif\n", name_);
  }

  /// "//   (0, 1) (0, 2) …", where the entries of a matrix stand.
  static std::string places(const ExportedFunction& function) {
    std::string text = "//   entries (row, column):";
    for (std::size_t k = 0; k < function.matrix->places.size(); ++k)
      text += fmt::format("{}({}, {})", k % 16 == 0 ? "\n//   " : " ", function.matrix->places[k].first,
                          function.matrix->places[k].second);
    return text + "\n";
  }

  static std::string in_line_comment(std::string line) {
    std::ranges::replace(line, '\n', ' ');
    if (line.ends_with('\\')) line += ' ';
    return line;
  }

  std::string source() const {
    std::string text = fmt::format(
        "// {}: see {}_lanes.hpp\n#include \"{}_lanes.hpp\"\n\n#include <float.h>\n#include "
        "<math.h>\n\nnamespace {{\n\n{}\n",
        in_line_comment(model_.title), name_, name_, lanes_head());
    std::string functions;
    for (const ExportedFunction& function : model_.functions) {
      const RowAddresses addresses(model_, function);
      const LanesText lanes = lanes_text(function.name, function.program, addresses);
      text += lanes.pieces;
      text += fmt::format("void {}_group({})\n{{\n    V w[{}];\n{}}}\n\n", function.name,
                          addresses.parameters(), std::max(1, lanes.num_vectors), lanes.calls);
      functions += fmt::format(
          "std::size_t {0}({1})\n{{\n  return each_group({0}_group, {2}, count, x, u, p, y, told);\n}}\n\n",
          function.name, kParameters, function.numbers.size());
    }
    const CallLimits limits = call_limits(model_, Precision::kDouble);
    text += fmt::format(R"(const double smallest_pivot = {3}, largest_error = {4};

// Whether a state has numbers that are none.
bool has_none(const double* y, std::size_t num_y, std::size_t count)
{{
  for (std::size_t k = 0; k < num_y; ++k)
    if (!(fabs(y[k*count]) < HUGE_VAL)) return true;
  return false;
}}

// Group after group; the last states, when they are fewer, in a group that is filled up with copies of the last one.
std::size_t each_group(void (*group)(const double*, const double*, const double*, double*, double*, std::size_t),
                       std::size_t num_y, std::size_t count, const double* x, const double* u, const double* p, double* y,
                       double* told)
{{
  std::size_t i = 0, failures = 0;
  for (; i + GROUP <= count; i += GROUP) group(x + i, u + i, p, y + i, told + i, count);
  if (i < count) {{
    double xs[{0}*GROUP], us[{1}*GROUP], ys[{2}*GROUP], ts[2*GROUP];
    for (std::size_t j = 0; j < GROUP; ++j) {{
      const std::size_t from = i + j < count ? i + j : count - 1;
      for (std::size_t k = 0; k < {0}; ++k) xs[k*GROUP + j] = x[k*count + from];
      for (std::size_t k = 0; k < {1}; ++k) us[k*GROUP + j] = u[k*count + from];
    }}
    group(xs, us, p, ys, ts, GROUP);
    for (std::size_t j = 0; i + j < count; ++j) {{
      for (std::size_t k = 0; k < num_y; ++k) y[k*count + i + j] = ys[k*GROUP + j];
      for (std::size_t k = 0; k < 2; ++k) told[k*count + i + j] = ts[k*GROUP + j];
    }}
  }}
  for (i = 0; i < count; ++i)
    if (!(told[count + i] > smallest_pivot && told[i] <= largest_error) || has_none(y + i, num_y, count)) ++failures;
  return failures;
}}

}}  // namespace

)",
                        model_.x.size(), model_.u.size(), std::max<std::size_t>(1, most_y_),
                        real_text(limits.smallest_pivot),
                        std::isfinite(limits.largest_error) ? real_text(limits.largest_error) : "DBL_MAX");
    return text + fmt::format("namespace {0} {{\n\n{1}}}  // namespace {0}\n", name_, functions);
  }

  static std::string list(const std::vector<double>& values) {
    std::string text;
    for (std::size_t k = 0; k < values.size(); ++k)
      text += (k == 0 ? "" : k % 6 == 0 ? ",\n  " : ", ") + real_text(values[k]);
    return text;
  }

  /// All check states in one call, and some of them again, so that the last group is not full. Only states with the parameters of the call
  /// are compared.
  std::string check() const {
    const std::size_t states = model_.checks.size();
    std::string text = fmt::format(
        "// Compares what {0}_lanes.cpp computes with what the model gives: prints the maximum difference of "
        "each function, by its "
        "maximum number.\n#include \"{0}_lanes.hpp\"\n\n#include <cmath>\n#include <cstdio>\n#include "
        "<cstring>\n#include <vector>\n\n"
        "namespace {{\n\nconst std::size_t kStates = {1}, kCount = 13;\n",
        name_, states);
    const auto table = [&](const std::string& name, std::size_t count, auto member) {
      text += fmt::format("const double {}[kStates][{}] = {{\n", name, count);
      for (const CheckState& state : model_.checks) text += "  {" + list(state.*member) + "},\n";
      text += "};\n";
    };
    table("states", model_.x.size(), &CheckState::x);
    table("inputs", model_.u.size(), &CheckState::u);
    table("parameters", model_.p.size(), &CheckState::p);
    std::string functions;
    for (const ExportedFunction& function : model_.functions) {
      text += fmt::format("const double {}_y[kStates*{}] = {{\n", function.name, function.numbers.size());
      std::string statuses;
      for (const CheckState& state : model_.checks) {
        statuses += fmt::format("{}{}", statuses.empty() ? "" : ", ",
                                status_at(function, state, call_limits(model_, Precision::kDouble)));
        std::vector<double> y = ExportedModel::evaluate(function, state);
        y.resize(function.numbers.size());
        text += "  " + list(y) + ",\n";
      }
      text += fmt::format("}};\nconst std::size_t {}_status[kStates] = {{{}}};\n", function.name, statuses);
      functions += fmt::format("    {{\"{0}\", {1}::{0}, {2}, {0}_y, {0}_status}},\n", function.name, name_,
                               function.numbers.size());
    }
    text += fmt::format(R"(
struct Function {{
  const char* name;
  std::size_t (*call)(std::size_t, const double*, const double*, const double*, double*, double*);
  std::size_t num_y;
  const double* expected;
  const std::size_t* status;
}};
const Function functions[] = {{
{functions}}};

// State j of a call with the parameters of state s.
std::size_t state_of(std::size_t s, std::size_t j) {{ return (s + j) % kStates; }}

double worst_difference(const Function& function)
{{
  double worst = 0.0, scale = 0.0;
  std::vector<double> x({name}::kX*kCount), u({name}::kU*kCount), y(function.num_y*kCount), told(2*kCount);
  for (std::size_t s = 0; s < kStates; ++s) {{
    for (std::size_t j = 0; j < kCount; ++j) {{
      for (std::size_t k = 0; k < {name}::kX; ++k) x[k*kCount + j] = states[state_of(s, j)][k];
      for (std::size_t k = 0; k < {name}::kU; ++k) u[k*kCount + j] = inputs[state_of(s, j)][k];
    }}
    function.call(kCount, x.data(), u.data(), parameters[s], y.data(), told.data());
    for (std::size_t j = 0; j < kCount; ++j) {{
      if (std::memcmp(parameters[s], parameters[state_of(s, j)], sizeof parameters[s]) != 0) continue;
      for (std::size_t k = 0; k < function.num_y; ++k) {{
        const double e = function.expected[state_of(s, j)*function.num_y + k], d = std::fabs(y[k*kCount + j] - e);
        if (std::fabs(e) > scale) scale = std::fabs(e);
        if (!(d <= worst)) worst = d;
      }}
    }}
  }}
  return scale > 0.0 ? worst/scale : worst;
}}

// How many states return what they should not, each in all lanes of a call.
int wrong_statuses(const Function& function)
{{
  int wrong = 0;
  std::vector<double> x({name}::kX*kCount), u({name}::kU*kCount), y(function.num_y*kCount), told(2*kCount);
  for (std::size_t s = 0; s < kStates; ++s) {{
    for (std::size_t j = 0; j < kCount; ++j) {{
      for (std::size_t k = 0; k < {name}::kX; ++k) x[k*kCount + j] = states[s][k];
      for (std::size_t k = 0; k < {name}::kU; ++k) u[k*kCount + j] = inputs[s][k];
    }}
    const std::size_t failed = function.call(kCount, x.data(), u.data(), parameters[s], y.data(), told.data());
    if (failed == function.status[s]*kCount) continue;
    std::printf("%s returns %u of %u at state %u\n", function.name, unsigned(failed), unsigned(kCount), unsigned(s));
    ++wrong;
  }}
  return wrong;
}}

}}  // namespace

int main()
{{
  int failures = 0;
  for (const Function& function : functions) {{
    const double worst = worst_difference(function);
    std::printf("%-24s %.2e\n", function.name, worst);
    if (wrong_statuses(function) > 0 || !(worst <= {tolerance})) ++failures;
  }}
  if (failures > 0) std::printf("%d functions differ\n", failures);
  return failures > 0;
}}
)",
                        fmt::arg("functions", functions), fmt::arg("name", name_),
                        fmt::arg("tolerance", real_text(check_tolerance(model_, Precision::kDouble))));
    return text;
  }

  const ExportedModel& model_;
  std::string name_;
  std::size_t most_y_ = 0;
};

}  // namespace

std::vector<PrintedFile> print_lanes(const ExportedModel& model) { return LanesPrinter(model).files(); }

}  // namespace eslabon::codegen
