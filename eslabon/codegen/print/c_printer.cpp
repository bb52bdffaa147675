#include <algorithm>
#include <cctype>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "eslabon/codegen/print/c_blocks.hpp"
#include "eslabon/codegen/print/expression_text.hpp"
#include "eslabon/codegen/print/printer.hpp"
#include "eslabon/codegen/print/readable_equations.hpp"
#include "eslabon/core/index.hpp"
#include "eslabon/core/text/error.hpp"
#include "eslabon/core/text/number_text.hpp"

namespace eslabon::codegen {

namespace {

constexpr int kTold = 2;               // w[0]: constraint error, w[1]: smallest pivot
constexpr double kSafeInFloat = 1e-4;  // of pivots over the states that are tried: three digits are left

std::string upper(std::string text) {
  std::ranges::transform(text, text.begin(),
                         [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  return text;
}

/// A line inside a comment.
std::string in_comment(std::string line) {
  for (std::size_t at = 0; (at = line.find("*/", at)) != std::string::npos;) line.insert(at + 1, " ");
  std::ranges::replace(line, '\n', ' ');
  return line;
}

class CSyntax final : public Syntax {
 public:
  CSyntax(const ExportedModel& model, Precision precision)
      : num_x_(static_cast<int>(model.x.size())),
        num_u_(static_cast<int>(model.u.size())),
        suffix_(precision == Precision::kFloat ? "f" : "") {}

  std::string number(double value) const override {
    const bool vanishes = !suffix_.empty() && std::abs(value) < std::numeric_limits<float>::min();
    return real_text(vanishes ? 0.0 : value) + suffix_;
  }
  std::string input(int k) const override {
    if (k < num_x_) return fmt::format("x[{}]", k);
    if (k < num_x_ + num_u_) return fmt::format("u[{}]", k - num_x_);
    return fmt::format("p[{}]", k - num_x_ - num_u_);
  }
  std::string slot(int k) const override { return fmt::format("w[{}]", kTold + k); }
  std::string call(std::string_view name, std::span<const std::string> arguments) const override {
    return fmt::format("{}{}({})", name, suffix_, fmt::join(arguments, ", "));
  }
  std::string choice(const std::string& a, const std::string& b, const std::string& c,
                     const std::string& d) const override {
    return fmt::format("({} < {} ? {} : {})", a, b, c, d);
  }

 private:
  int num_x_, num_u_;
  std::string suffix_;
};

class CPrinter {
 public:
  CPrinter(const ExportedModel& model, Precision precision)
      : model_(model),
        syntax_(model, precision),
        name_(model.name),
        big_(upper(model.name)),
        real_(precision == Precision::kFloat ? "float" : "double"),
        is_float_(precision == Precision::kFloat),
        limits_(call_limits(model, precision)),
        tolerance_(check_tolerance(model, precision)),
        equations_(readable_equations(model)),
        blocks_(name_, real_, kTold, model.x.size(), syntax_) {
    for (const ExportedFunction& function : model.functions) {
      const bool is_in_blocks =
          blocks_.takes(function.name, function.program, function.program.outputs().size() - kTold);
      pieces_.push_back(is_in_blocks ? ProgramPieces{} : cut(function.program));
      num_slots_ = std::max(num_slots_, pieces_.back().num_slots);
    }
    num_slots_ = std::max(num_slots_, blocks_.num_slots());
  }

  std::vector<PrintedFile> files() const {
    return {{name_ + ".h", header()}, {name_ + ".c", source()}, {name_ + "_check.c", check()}};
  }

 private:
  std::string arguments() const {
    return fmt::format("const {0} *x, const {0} *u, const {0} *p, {0} *y, {0} *w", real_);
  }
  std::string step_arguments() const {
    return fmt::format("const {0} *x, const {0} *u, const {0} *p, {0} h, {0} *y, {0} *w", real_);
  }
  std::string count_of(const ExportedFunction& function) const { return big_ + "_" + upper(function.name); }

  std::string header() const {
    std::string text = "/*\n";
    for (const std::string& line : heading(model_)) text += " * " + in_comment(line) + "\n";
    text += fmt::format(
        " *\n * Every function fills y and returns 0, or 1 where a pivot is below {0}_SMALLEST_PIVOT of its "
        "{1},{2}\n"
        " * or the numbers are none. It leaves the constraint error [m] in w[0] and the smallest pivot in "
        "w[1]. w: {0}_WORK numbers that the\n"
        " * caller lends; no two calls at once may share them. Nothing is kept between calls. Matrices: y "
        "are the entries\n"
        " * that are not 0 everywhere, NAME_row and NAME_column where they stand.\n */\n",
        big_, model_.pivots_by,
        has_limit() ? fmt::format("\n * the constraint error is above {}_LARGEST_ERROR [m],", big_) : "");
    text +=
        fmt::format("#ifndef {0}_H\n#define {0}_H\n\n#ifdef __cplusplus\nextern \"C\" {{\n#endif\n\n", big_);
    text += fmt::format("#define {}_SMALLEST_PIVOT {}\n", big_, syntax_.number(limits_.smallest_pivot));
    if (has_limit())
      text += fmt::format("#define {}_LARGEST_ERROR {}\n", big_, syntax_.number(limits_.largest_error));
    text += fmt::format("enum {{\n  {0}_X = {1},\n  {0}_U = {2},\n  {0}_P = {3},\n  {0}_WORK = {4},\n", big_,
                        model_.x.size(), model_.u.size(), model_.p.size(), work());
    for (std::size_t k = 0; k < model_.functions.size(); ++k)
      text += fmt::format("  {} = {}{}\n", count_of(model_.functions[k]), model_.functions[k].numbers.size(),
                          k + 1 < model_.functions.size() ? "," : "");
    text += "};\n\n";
    text += fmt::format(
        "extern const {0} {1}_start_x[{4}];\nextern const {0} {1}_start_u[{2}_U];\nextern const {0} "
        "{1}_default_p[{3}];\n\n",
        real_, name_, big_, num_parameters(), num_x());
    for (const ExportedFunction& function : model_.functions) {
      text += "/* " + in_comment(heading(function)) + "\n";
      if (!function.matrix)
        for (std::size_t k = 0; k < function.numbers.size(); ++k)
          text += in_comment(fmt::format("   y[{}]  {} [{}]", k, function.numbers[k].name,
                                         function.numbers[k].unit)) +
                  "\n";
      text = text.substr(0, text.size() - 1) + " */\n";
      if (function.matrix)
        text += fmt::format("extern const int {0}_{1}_row[{2}], {0}_{1}_column[{2}];\n", name_, function.name,
                            count_of(function));
      text += fmt::format("int {}_{}({});\n\n", name_, function.name, arguments());
    }
    if (model_.has_steps())
      text += fmt::format(
          "/* A step of h [s], y: the state after it ({0}_X numbers, not in the place of x). u[0] is the "
          "time "
          "at its begin; the rest of u stays\n"
          "   as it is. Semi-implicit Euler: first order, one evaluation; Runge and Kutta: fourth order "
          "where nothing in u moves but the time, "
          "four. "
          "*/\n"
          "int {1}_step_euler({2});\nint {1}_step_rk4({2});\n\n",
          big_, name_, step_arguments());
    return text + "#ifdef __cplusplus\n}\n#endif\n\n#endif\n";
  }

  /// The size of an array of arguments: C has none without elements.
  std::string size(const std::vector<core::Column>& columns, const char* name) const {
    return columns.empty() ? "1" : big_ + "_" + name;
  }
  std::string num_x() const { return size(model_.x, "X"); }
  std::string num_parameters() const { return size(model_.p, "P"); }
  /// Of functions, and of steps above that.
  std::size_t work() const {
    const std::size_t n = model_.num_coordinates();
    return index_of_steps() + (model_.has_steps() ? 3 * n + model_.x.size() + model_.u.size() : 0);
  }
  std::size_t index_of_steps() const { return static_cast<std::size_t>(kTold + num_slots_); }

  /// The numbers of an array, which has at least one.
  std::string list(const std::vector<double>& values) const {
    if (values.empty()) return syntax_.number(0.0);
    std::string text;
    for (std::size_t k = 0; k < values.size(); ++k)
      text += (k == 0 ? "" : k % 6 == 0 ? ",\n  " : ", ") + syntax_.number(values[k]);
    return text;
  }

  std::string source() const {
    std::string text = fmt::format("/* {}: see {}.h */\n#include \"{}.h\"\n\n#include <math.h>\n\n",
                                   in_comment(model_.title), name_, name_);
    text +=
        "#if defined(__GNUC__)\n#define PIECE __attribute__((noinline))\n#else\n#define PIECE\n#endif\n\n";
    text +=
        fmt::format("const {} {}_start_x[{}] = {{\n  {}}};\n", real_, name_, num_x(), list(model_.start.x));
    text +=
        fmt::format("const {} {}_start_u[{}_U] = {{\n  {}}};\n", real_, name_, big_, list(model_.start.u));
    text += fmt::format("const {} {}_default_p[{}] = {{\n  {}}};\n", real_, name_, num_parameters(),
                        list(model_.start.p));
    text += fmt::format(
        "\nstatic int {0}_are_numbers(const {1} *y, int count)\n{{\n  int i;\n  for (i = 0; i < count; "
        "++i)\n    if (!(fabs{2}(y[i]) < "
        "HUGE_VAL{3})) return 0;\n  return 1;\n}}\n",
        name_, real_, is_float_ ? "f" : "", is_float_ ? "F" : "");
    text += "\n" + blocks_.functions();
    for (std::size_t k = 0; k < model_.functions.size(); ++k) text += "\n" + function(k);
    return text + steps();
  }

  std::string function(std::size_t k) const {
    const ExportedFunction& function = model_.functions[k];
    const ProgramPieces& pieces = pieces_[k];
    const auto num_y = static_cast<int>(function.numbers.size());
    const std::string unused = "  (void)x;\n  (void)u;\n  (void)p;\n  (void)y;\n";
    const std::string pattern = function.matrix ? places(function) : "";
    if (blocks_.has(function.name))
      return pattern + blocks_.tables(function.name) +
             whole_function(
                 function, blocks_.statements(function.name, {big_ + "_X", big_ + "_U", big_ + "_P"}, num_y));
    const std::vector<std::pair<std::string, int>> names = names_of(function.program, equations_);
    std::vector<std::string> identifiers;
    for (const auto& name : names) identifiers.push_back(name.first);
    ExpressionText expressions(function.program, pieces, syntax_, std::move(identifiers));
    const bool is_whole = pieces.pieces.size() == 1;
    std::string text, calls;
    for (std::size_t i = 0; i < pieces.pieces.size(); ++i) {
      std::string body = unused;
      for (const ExpressionText::Statement& statement : expressions.statements(i)) {
        const int equation = names[core::index(statement.node)].second;
        const std::string cited = equation > 0 ? fmt::format("  /* ({}) */", equation) : "";
        if (statement.output >= 0) {
          const bool is_told = statement.output >= num_y;
          body += fmt::format("  {}[{}] = {};{}\n", is_told ? "w" : "y",
                              is_told ? statement.output - num_y : statement.output, statement.value, cited);
        } else if (statement.slot >= 0) {
          const std::string name =
              statement.is_used_here ? fmt::format("const {} {} = ", real_, statement.name) : "";
          body += fmt::format("  {}w[{}] = {};{}\n", name, kTold + statement.slot, statement.value, cited);
        } else {
          body += fmt::format("  const {} {} = {};{}\n", real_, statement.name, statement.value, cited);
        }
      }
      if (is_whole) {
        calls += body;
      } else {
        text += fmt::format("static PIECE void {}_{}_{}({})\n{{\n{}}}\n\n", name_, function.name, i,
                            arguments(), body);
        calls += fmt::format("  {}_{}_{}(x, u, p, y, w);\n", name_, function.name, i);
      }
    }
    return pattern + text + whole_function(function, calls);
  }
  std::string whole_function(const ExportedFunction& function, const std::string& body) const {
    return fmt::format(
        "int {0}_{1}({2})\n{{\n{3}  return w[1] > {4}_SMALLEST_PIVOT && w[0] {5} && "
        "{0}_are_numbers(y, {6}) ? 0 : "
        "1;\n}}\n",
        name_, function.name, arguments(), body, big_,
        has_limit() ? "<= " + big_ + "_LARGEST_ERROR"
        : is_float_ ? "< HUGE_VALF"
                    : "< HUGE_VAL",
        count_of(function));
  }
  bool has_limit() const { return std::isfinite(limits_.largest_error); }

  std::string places(const ExportedFunction& function) const {
    std::string rows, columns;
    for (std::size_t k = 0; k < function.matrix->places.size(); ++k) {
      const std::string_view comma = k == 0 ? "" : k % 24 == 0 ? ",\n  " : ", ";
      rows += fmt::format("{}{}", comma, function.matrix->places[k].first);
      columns += fmt::format("{}{}", comma, function.matrix->places[k].second);
    }
    return fmt::format(
        "const int {0}_{1}_row[{2}] = {{\n  {3}}};\nconst int {0}_{1}_column[{2}] = {{\n  {4}}};\n", name_,
        function.name, count_of(function), rows, columns);
  }

  std::string steps() const {
    if (!model_.has_steps()) return "";
    const std::size_t n = model_.num_coordinates();
    std::string remember, renew, renew_after_euler;
    if (model_.num_memory > 0) {
      remember = fmt::format("  for (i = {}; i < {}; ++i) s[i] = x[i];\n", 2 * n, model_.x.size());
      renew = fmt::format(
          "  for (i = 0; i < {0}; ++i) s[i] = y[i];\n  v[0] = u[0] + h;\n"
          "  status |= {1}_positions(s, v, p, y + {0}, w);\n",
          2 * n, name_);
      renew_after_euler = fmt::format("  {{\n    {0} *const s = a + {1}, *const v = s + {2};\n  {3}", real_,
                                      n, model_.x.size(), remember) +
                          fmt::format("    for (i = 0; i < {}; ++i) v[i] = u[i];\n", model_.u.size()) +
                          renew + "  }\n";
    }
    std::string text = fmt::format(
        R"(
int {name}_step_euler({arguments})
{{
  {real} *const a = w + {steps};
  int status = {name}_accelerations(x, u, p, a, w), i;
  for (i = 0; i < {n}; ++i) {{
    y[{n} + i] = x[{n} + i] + h*a[i];
    y[i] = x[i] + h*y[{n} + i];
  }}
{renew_after_euler}  return status;
}}

int {name}_step_rk4({arguments})
{{
  const {real} at[4] = {{{zero}, {half}, {half}, {one}}}, weight[4] = {{{sixth}, {third}, {third}, {sixth}}};
  {real} *const a = w + {steps}, *const s = a + {n}, *const rate = s + {num_x}, *const v = rate + {n2};
  int status = 0, i, k;
  for (i = 0; i < {n2}; ++i) {{
    y[i] = x[i];
    rate[i] = {zero};
  }}
{remember}  for (i = 0; i < {num_u}; ++i) v[i] = u[i];
  for (k = 0; k < 4; ++k) {{
    for (i = 0; i < {n2}; ++i) s[i] = x[i] + at[k]*h*rate[i];
    v[0] = u[0] + at[k]*h;
    status |= {name}_accelerations(s, v, p, a, w);
    for (i = 0; i < {n}; ++i) {{
      rate[i] = s[{n} + i];
      rate[{n} + i] = a[i];
    }}
    for (i = 0; i < {n2}; ++i) y[i] += weight[k]*h*rate[i];
  }}
{renew}  return status;
}}
)",
        fmt::arg("name", name_), fmt::arg("arguments", step_arguments()), fmt::arg("real", real_),
        fmt::arg("steps", index_of_steps()), fmt::arg("n", n), fmt::arg("n2", 2 * n),
        fmt::arg("remember", remember), fmt::arg("renew", renew),
        fmt::arg("renew_after_euler", renew_after_euler), fmt::arg("num_x", model_.x.size()),
        fmt::arg("num_u", model_.u.size()), fmt::arg("zero", syntax_.number(0.0)),
        fmt::arg("half", syntax_.number(0.5)), fmt::arg("one", syntax_.number(1.0)),
        fmt::arg("sixth", syntax_.number(1.0 / 6.0)), fmt::arg("third", syntax_.number(1.0 / 3.0)));
    return text;
  }

  std::string check() const {
    std::string text = fmt::format(
        "/* Compares what {0}.c computes with what the model gives: prints the maximum difference of each "
        "function, by its maximum number. */\n"
        "#include \"{0}.h\"\n\n#include <math.h>\n#include <stdio.h>\n\n#define STATES {1}\n",
        name_, model_.checks.size());
    const auto states = [&](const std::string& name, const std::string& count, auto member) {
      text += fmt::format("static const {} {}[STATES][{}] = {{\n", real_, name, count);
      for (const CheckState& state : model_.checks) text += "  {" + list(state.*member) + "},\n";
      text = text.substr(0, text.size() - 2) + "\n};\n";
    };
    states("states", num_x(), &CheckState::x);
    states("inputs", big_ + "_U", &CheckState::u);
    states("parameters", num_parameters(), &CheckState::p);
    std::string table;
    std::size_t most = 1;
    for (const ExportedFunction& function : model_.functions) {
      most = std::max(most, function.numbers.size());
      text += fmt::format("static const {} {}_y[STATES*{}] = {{\n", real_, function.name, count_of(function));
      std::string statuses;
      for (const CheckState& state : model_.checks) {
        statuses += fmt::format("{}{}", statuses.empty() ? "" : ", ", status_at(function, state, limits_));
        std::vector<double> y = ExportedModel::evaluate(function, state);
        y.resize(function.numbers.size());
        text += "  " + list(y) + ",\n";
      }
      text = text.substr(0, text.size() - 2) + "\n};\n";
      text += fmt::format("static const int {}_status[STATES] = {{{}}};\n", function.name, statuses);
      table += fmt::format("  {{\"{0}\", {1}_{0}, {2}, {0}_y, {0}_status}},\n", function.name, name_,
                           count_of(function));
    }
    text += fmt::format(R"(
static const struct {{
  const char *name;
  int (*call)({arguments});
  int count;
  const {real} *expected;
  const int *status;
}} functions[] = {{
{table}}};

int main(void)
{{
  static {real} y[{most}], w[{big}_WORK];
  int failures = 0;
  unsigned k;
  for (k = 0; k < sizeof functions/sizeof functions[0]; ++k) {{
    double worst = 0.0, scale = 0.0;
    int s, i, is_wrong = 0;
    for (s = 0; s < STATES; ++s) {{
      const {real} *const expected = functions[k].expected + s*functions[k].count;
      const int status = functions[k].call(states[s], inputs[s], parameters[s], y, w);
      if (status != functions[k].status[s]) {{
        printf("%s returns %d at state %d\n", functions[k].name, status, s);
        is_wrong = 1;
      }}
      for (i = 0; i < functions[k].count; ++i) {{
        const double e = expected[i], d = fabs(y[i] - e);
        if (fabs(e) > scale) scale = fabs(e);
        if (!(d <= worst)) worst = d;
      }}
    }}
    if (scale > 0.0) worst /= scale;
    printf("%-24s %.2e\n", functions[k].name, worst);
    if (is_wrong || !(worst <= {tolerance})) ++failures;
  }}
  if (failures > 0) printf("%d functions differ\n", failures);
  return failures > 0;
}}
)",
                        fmt::arg("arguments", arguments()), fmt::arg("real", real_),
                        fmt::arg("table", table.substr(0, table.size() - 2) + "\n"), fmt::arg("most", most),
                        fmt::arg("big", big_), fmt::arg("tolerance", real_text(tolerance_)));
    return text;
  }

  const ExportedModel& model_;
  CSyntax syntax_;
  std::string name_, big_, real_;
  bool is_float_;
  CallLimits limits_;
  double tolerance_;
  ReadableEquations equations_;
  std::vector<ProgramPieces> pieces_;
  CBlocks blocks_;
  int num_slots_ = 0;
};

}  // namespace

std::vector<PrintedFile> print_c(const ExportedModel& model, Precision precision) {
  if (precision == Precision::kFloat && !(model.smallest_margin > kSafeInFloat))
    throw core::ModelError(
        {.what = "no order of elimination is safe here in single precision",
         .where = "mechanism '" + model.title + "'",
         .expected = "pivots above " + core::number_text(kSafeInFloat) + " of their " + model.pivots_by,
         .actual = core::rounded_text(model.smallest_margin) + " near the start",
         .next = "Take double precision, or start away from singular positions."});
  return CPrinter(model, precision).files();
}

}  // namespace eslabon::codegen
