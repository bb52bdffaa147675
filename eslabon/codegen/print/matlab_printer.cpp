#include <algorithm>

#include <fmt/format.h>

#include "eslabon/codegen/print/expression_text.hpp"
#include "eslabon/codegen/print/printer.hpp"

namespace eslabon::codegen {

namespace {

std::string comment(std::string line) {
  std::ranges::replace(line, '\n', ' ');
  return line.empty() ? "%\n" : "% " + line + "\n";
}

class MatlabSyntax final : public Syntax {
 public:
  explicit MatlabSyntax(const ExportedModel& model)
      : num_x_(static_cast<int>(model.x.size())), num_u_(static_cast<int>(model.u.size())) {}

  std::string number(double value) const override { return real_text(value); }
  std::string input(int k) const override {
    if (k < num_x_) return fmt::format("x({})", k + 1);
    if (k < num_x_ + num_u_) return fmt::format("u({})", k - num_x_ + 1);
    return fmt::format("p({})", k - num_x_ - num_u_ + 1);
  }
  std::string slot(int k) const override { return fmt::format("w({})", k + 1); }  // one piece has none
  std::string call(std::string_view name, std::span<const std::string> arguments) const override {
    const std::string_view own = name == "fabs" ? "abs" : name == "nearbyint" ? "round" : name;
    return fmt::format("{}({})", own, fmt::join(arguments, ", "));
  }
  std::string choice(const std::string& a, const std::string& b, const std::string& c,
                     const std::string& d) const override {
    return fmt::format("choose({} < {}, {}, {})", a, b, c, d);
  }

 private:
  int num_x_, num_u_;
};

/// All of it as one piece.
ProgramPieces whole(const Program& program) {
  return {.pieces = {{0, static_cast<int>(program.nodes().size())}},
          .slots = std::vector<int>(program.nodes().size(), -1)};
}

std::string column(const std::vector<double>& values) {
  std::string text = "[";
  for (std::size_t k = 0; k < values.size(); ++k) text += (k == 0 ? "" : "; ") + real_text(values[k]);
  return text + "]";
}

std::string function_file(const ExportedModel& model, const ExportedFunction& function) {
  const MatlabSyntax syntax(model);
  const ProgramPieces pieces = whole(function.program);
  const auto num_y = static_cast<int>(function.numbers.size());
  std::string text = fmt::format("function [y, constraint_error, smallest_pivot] = {}_{}(x, u, p)\n",
                                 model.name, function.name) +
                     comment(heading(function));
  if (!function.matrix)
    for (std::size_t k = 0; k < function.numbers.size(); ++k)
      text +=
          comment(fmt::format("  y({})  {} [{}]", k + 1, function.numbers[k].name, function.numbers[k].unit));
  text += comment(fmt::format("See {}_about.m for x, u and p.", model.name));
  text += function.matrix
              ? fmt::format("  y = zeros({}, {});\n", function.matrix->rows, function.matrix->columns)
              : fmt::format("  y = zeros({}, 1);\n", num_y);
  bool chooses = false;
  for (const ExpressionText::Statement& statement :
       ExpressionText(function.program, pieces, syntax).statements(0)) {
    std::string left = statement.name;
    if (statement.output == num_y) left = "constraint_error";
    if (statement.output == num_y + 1) left = "smallest_pivot";
    if (statement.output >= 0 && statement.output < num_y) {
      const auto k = static_cast<std::size_t>(statement.output);
      left = function.matrix ? fmt::format("y({}, {})", function.matrix->places[k].first + 1,
                                           function.matrix->places[k].second + 1)
                             : fmt::format("y({})", k + 1);
    }
    chooses = chooses || statement.value.find("choose(") != std::string::npos;
    text += fmt::format("  {} = {};\n", left, statement.value);
  }
  text += "end\n";
  if (chooses)
    text +=
        "\nfunction z = choose(is_first, first, second)\n  if is_first\n    z = first;\n  else\n    z = "
        "second;\n  end\nend\n";
  return text;
}

std::string about(const ExportedModel& model) {
  std::string text = fmt::format("function [x, u, p] = {}_about()\n", model.name);
  for (const std::string& line : heading(model)) text += comment(line);
  return text + comment("Indices above count from 0: x[0] is x(1).") +
         fmt::format("  x = {};\n  u = {};\n  p = {};\nend\n", column(model.start.x), column(model.start.u),
                     column(model.start.p));
}

std::string step(const ExportedModel& model, bool is_rk4) {
  const std::size_t n = model.num_coordinates();
  const std::string a = model.name + "_accelerations";
  std::string renew, held;
  if (model.num_memory > 0) {
    renew = fmt::format("  u(1) = u(1) + h;\n  y = [y; {0}_positions([y; x({1}:end)], u, p)];\n", model.name,
                        2 * n + 1);
    held = fmt::format("; zeros({}, 1)", model.num_memory);
  }
  if (!is_rk4)
    return fmt::format(
        "function y = {0}_step_euler(x, u, p, h)\n% A step of h [s] by the semi-implicit rule of Euler.\n"
        "  v = x({1}:{2}) + h*{3}(x, u, p);\n  y = [x(1:{4}) + h*v; v];\n{5}end\n",
        model.name, n + 1, 2 * n, a, n, renew);
  return fmt::format(
      "function y = {0}_step_rk4(x, u, p, h)\n% A step of h [s] by the rule of Runge and Kutta; u(1) is the "
      "time at its begin.\n"
      "  k1 = rate(x, u, p, 0);\n  k2 = rate(x + h/2*k1, u, p, h/2);\n  k3 = rate(x + h/2*k2, u, p, h/2);\n"
      "  k4 = rate(x + h*k3, u, p, h);\n  y = x + h/6*(k1 + 2*k2 + 2*k3 + k4);\n{5}end\n\n"
      "function r = rate(x, u, p, later)\n  u(1) = u(1) + later;\n  r = [x({1}:{2}); {3}(x, u, "
      "p){4}];\nend\n",
      model.name, n + 1, 2 * n, a, held, renew.empty() ? "" : fmt::format("  y = y(1:{});\n", 2 * n) + renew);
}

std::string check_script(const ExportedModel& model) {
  std::string text = "% Compares what the functions compute with what the model gives.\nfailures = 0;\n";
  for (const ExportedFunction& function : model.functions) {
    text += "worst = 0;\nscale = realmin;\n";
    for (const CheckState& state : model.checks) {
      std::vector<double> y = ExportedModel::evaluate(function, state);
      y.resize(function.numbers.size());
      text += fmt::format("y = {}_{}({}, {}, {});\n", model.name, function.name, column(state.x),
                          column(state.u), column(state.p));
      if (function.matrix) {
        std::vector<double> rows, columns;
        for (const auto& [row, at] : function.matrix->places) {
          rows.push_back(row + 1);
          columns.push_back(at + 1);
        }
        text += fmt::format("expected = full(sparse({}, {}, {}, {}, {}));\n", column(rows), column(columns),
                            column(y), function.matrix->rows, function.matrix->columns);
      } else {
        text += fmt::format("expected = {};\n", column(y));
      }
      text +=
          "difference = abs(y(:) - expected(:));\ndifference(isnan(difference)) = Inf;\n"
          "worst = max([worst; difference]);\nscale = max(scale, max(abs(expected(:))));\n";
    }
    text += fmt::format(
        "worst = worst/scale;\nprintf('%-24s %.2e\\n', '{}', worst);\nif ~(worst <= {})\n  failures = "
        "failures + 1;\nend\n",
        function.name, real_text(check_tolerance(model, Precision::kDouble)));
  }
  return text + "if failures > 0\n  printf('%d functions differ\\n', failures);\n  exit(1);\nend\n";
}

}  // namespace

std::vector<PrintedFile> print_matlab(const ExportedModel& model) {
  std::vector<PrintedFile> files{{model.name + "_about.m", about(model)}};
  for (const ExportedFunction& function : model.functions)
    files.push_back({model.name + "_" + function.name + ".m", function_file(model, function)});
  if (model.has_steps()) {
    files.push_back({model.name + "_step_euler.m", step(model, false)});
    files.push_back({model.name + "_step_rk4.m", step(model, true)});
  }
  files.push_back({model.name + "_check.m", check_script(model)});
  return files;
}

}  // namespace eslabon::codegen
