#include <algorithm>

#include <fmt/format.h>

#include "eslabon/codegen/print/expression_text.hpp"
#include "eslabon/codegen/print/printer.hpp"

namespace eslabon::codegen {

namespace {

/// A line inside a text in triple quotes.
std::string in_text(std::string line) {
  for (char& c : line)
    if (c == '\n' || c == '"' || c == '\\') c = ' ';
  return line;
}

class PythonSyntax final : public Syntax {
 public:
  explicit PythonSyntax(const ExportedModel& model)
      : num_x_(static_cast<int>(model.x.size())), num_u_(static_cast<int>(model.u.size())) {}

  std::string number(double value) const override { return real_text(value); }
  std::string input(int k) const override {
    if (k < num_x_) return fmt::format("x[{}]", k);
    if (k < num_x_ + num_u_) return fmt::format("u[{}]", k - num_x_);
    return fmt::format("p[{}]", k - num_x_ - num_u_);
  }
  std::string slot(int k) const override { return fmt::format("w[{}]", k); }  // one piece has none
  std::string call(std::string_view name, std::span<const std::string> arguments) const override {
    const std::string_view own = name == "fabs"        ? "abs"
                                 : name == "nearbyint" ? "rint"
                                 : name == "atan2"     ? "arctan2"
                                 : name == "asin"      ? "arcsin"
                                 : name == "acos"      ? "arccos"
                                 : name == "atan"      ? "arctan"
                                                       : name;
    return fmt::format("np.{}({})", own, fmt::join(arguments, ", "));
  }
  std::string choice(const std::string& a, const std::string& b, const std::string& c,
                     const std::string& d) const override {
    return fmt::format("np.where({} < {}, {}, {})", a, b, c, d);
  }

 private:
  int num_x_, num_u_;
};

std::string list(const std::vector<double>& values) {
  std::string text = "[";
  for (std::size_t k = 0; k < values.size(); ++k) text += (k == 0 ? "" : ", ") + real_text(values[k]);
  return text + "]";
}

std::string function_text(const ExportedModel& model, const ExportedFunction& function) {
  const PythonSyntax syntax(model);
  const ProgramPieces pieces{.pieces = {{0, static_cast<int>(function.program.nodes().size())}},
                             .slots = std::vector<int>(function.program.nodes().size(), -1)};
  const auto num_y = static_cast<int>(function.numbers.size());
  std::string text = fmt::format("\n\ndef {}(x, u=START_U, p=DEFAULT_P, told=None):\n    \"\"\"{}\n",
                                 function.name, in_text(heading(function)));
  if (!function.matrix)
    for (std::size_t k = 0; k < function.numbers.size(); ++k)
      text += fmt::format("\n      y[{}]  {} [{}]", k, in_text(function.numbers[k].name),
                          function.numbers[k].unit);
  text += "\n    \"\"\"\n    shape = np.broadcast(*x, *u, *p).shape\n";
  text += function.matrix ? fmt::format("    y = np.zeros(({}, {}) + shape)\n", function.matrix->rows,
                                        function.matrix->columns)
                          : fmt::format("    y = np.zeros(({},) + shape)\n", num_y);
  for (const ExpressionText::Statement& statement :
       ExpressionText(function.program, pieces, syntax).statements(0)) {
    std::string left = statement.name;
    if (statement.output == num_y) left = "constraint_error";
    if (statement.output == num_y + 1) left = "smallest_pivot";
    if (statement.output >= 0 && statement.output < num_y) {
      const auto k = static_cast<std::size_t>(statement.output);
      left = function.matrix ? fmt::format("y[{}, {}]", function.matrix->places[k].first,
                                           function.matrix->places[k].second)
                             : fmt::format("y[{}]", k);
    }
    text += fmt::format("    {} = {}\n", left, statement.value);
  }
  return text +
         "    if told is not None:\n        told.update(constraint_error=constraint_error, "
         "smallest_pivot=smallest_pivot)\n"
         "    return y\n";
}

/// Steps; what x ends with, where it has a memory, is found anew after each.
std::string steps_text(const ExportedModel& model) {
  const std::size_t n = model.num_coordinates();
  const bool remembers = model.num_memory > 0;
  const std::string renewed = !remembers ? ""
                                         : fmt::format(R"(

def renewed(moved, x, u, p, h):
    """The state after a step of h to these coordinates and rates."""
    then = np.array(u, dtype=float)
    then[0] = then[0] + h
    return np.concatenate([moved, positions(np.concatenate([moved, x[{}:]]), then, p)])
)",
                                                       2 * n);
  const std::string euler = fmt::format("np.concatenate([x[:{}] + h*v, v])", n),
                    rk4 = "x + h/6*(k1 + 2*k2 + 2*k3 + k4)";
  return renewed + fmt::format(R"(

def step_euler(x, u=START_U, p=DEFAULT_P, h=1e-3):
    """The state after a step of h [s] by the semi-implicit rule of Euler."""
    v = x[{0}:{1}] + h*accelerations(x, u, p)
    return {2}


def step_rk4(x, u=START_U, p=DEFAULT_P, h=1e-3):
    """The same by the rule of Runge and Kutta; u[0] is the time at its begin."""
    def rate(state, later):
        then = np.array(u, dtype=float)
        then[0] = then[0] + later
        return np.concatenate([state[{0}:{1}], accelerations(state, then, p){3}])
    k1 = rate(x, 0.0)
    k2 = rate(x + h/2*k1, h/2)
    k3 = rate(x + h/2*k2, h/2)
    k4 = rate(x + h*k3, h)
    return {4}
)",
                               n, 2 * n, remembers ? fmt::format("renewed({}, x, u, p, h)", euler) : euler,
                               remembers ? fmt::format(", 0*x[{}:]", 2 * n) : "",
                               remembers ? fmt::format("renewed(({})[:{}], x, u, p, h)", rk4, 2 * n) : rk4);
}

std::string module_text(const ExportedModel& model) {
  std::string text = "\"\"\"";
  for (const std::string& line : heading(model)) text += in_text(line) + "\n";
  text +=
      "\nElements of x, u and p are numbers, or arrays with one number for each of many states. A function "
      "fills the dictionary\n"
      "`told`, if it is given one, with constraint_error [m] and smallest_pivot (by its "
      "diagonal).\n\"\"\"\n\nimport numpy as np\n\n";
  text += fmt::format("START_X = np.array({})\nSTART_U = np.array({})\nDEFAULT_P = np.array({})\n",
                      list(model.start.x), list(model.start.u), list(model.start.p));
  for (const ExportedFunction& function : model.functions) text += function_text(model, function);
  return model.has_steps() ? text + steps_text(model) : text;
}

std::string check_module(const ExportedModel& model) {
  std::string text = fmt::format(
      "\"\"\"Compares what {0}.py computes with what the model gives.\"\"\"\n\nimport sys\n\nimport numpy as "
      "np\n\nimport {0} as model\n\nSTATES = [\n",
      model.name);
  for (const CheckState& state : model.checks)
    text += fmt::format("    ({},\n     {}, {}),\n", list(state.x), list(state.u), list(state.p));
  text += "]\nEXPECTED = {\n";
  for (const ExportedFunction& function : model.functions) {
    text += fmt::format("    \"{}\": [\n", function.name);
    for (const CheckState& state : model.checks) {
      std::vector<double> y = ExportedModel::evaluate(function, state);
      y.resize(function.numbers.size());
      text += "        " + list(y) + ",\n";
    }
    text += "    ],\n";
  }
  text += "}\nPLACES = {\n";
  for (const ExportedFunction& function : model.functions)
    if (function.matrix) {
      text += fmt::format("    \"{}\": (", function.name);
      for (const bool is_row : {true, false}) {
        text += is_row ? "[" : ", [";
        for (std::size_t k = 0; k < function.matrix->places.size(); ++k)
          text += fmt::format("{}{}", k == 0 ? "" : ", ",
                              is_row ? function.matrix->places[k].first : function.matrix->places[k].second);
        text += "]";
      }
      text += "),\n";
    }
  return text + fmt::format(R"(}}

failures = 0
for name, expected in EXPECTED.items():
    worst, scale = 0.0, sys.float_info.min
    for (x, u, p), y in zip(STATES, expected):
        got = getattr(model, name)(np.array(x), np.array(u), np.array(p))
        whole = np.zeros_like(got)
        whole[PLACES.get(name, slice(None))] = y
        difference, scale = np.max(np.abs(got - whole)), max(scale, np.max(np.abs(whole)))
        worst = difference if not difference <= worst else worst
    worst /= scale
    print(f"{{name:24}} {{worst:.2e}}")
    failures += not worst <= {}
if failures:
    sys.exit(f"{{failures}} functions differ")
)",
                            real_text(check_tolerance(model, Precision::kDouble)));
}

}  // namespace

std::vector<PrintedFile> print_python(const ExportedModel& model) {
  return {{model.name + ".py", module_text(model)}, {model.name + "_check.py", check_module(model)}};
}

}  // namespace eslabon::codegen
