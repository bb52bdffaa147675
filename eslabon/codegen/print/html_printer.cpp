#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "eslabon/codegen/print/expression_text.hpp"
#include "eslabon/codegen/print/printer.hpp"
#include "eslabon/codegen/print/readable_equations.hpp"

namespace eslabon::codegen {

namespace {

constexpr double kLine = 100.0;        // letters
constexpr double kShortLine = 38.0;    // of equations that stand side by side
constexpr std::size_t kOpenParts = 8;  // more of them are closed until somebody asks
constexpr std::size_t kOpenRows = 16;
constexpr const char* kTimes = "<mo lspace=\"0.09em\" rspace=\"0.09em\">&#x2062;</mo>";

constexpr std::string_view kStyle = R"(
:root { color-scheme: light dark; --ink: #1b2230; --soft: #5f6a7d; --line: #dde2ea; --page: #ffffff; --box: #f5f7fb; --mark: #1d5fbf; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e4e8ef; --soft: #98a3b6; --line: #2d3543; --page: #12161d; --box: #1a2029; --mark: #7fb0ff; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--page); color: var(--ink); font: 16px/1.5 "Source Serif 4", Charter, "Bitstream Charter", Georgia, serif; }
main { max-width: 60rem; margin: 0 auto; padding: 2rem 1.5rem 5rem; }
h1 { font-size: 1.85rem; margin: 0 0 .2rem; letter-spacing: -.01em; }
h2 { font-size: 1.28rem; margin: 2.2rem 0 .3rem; padding-top: .8rem; border-top: 1px solid var(--line); }
summary { font-weight: 600; margin: .9rem 0 .2rem; color: var(--soft); cursor: pointer; }
p { margin: .3rem 0 .7rem; max-width: 52rem; }
.made { color: var(--soft); font: .78rem/1.45 ui-monospace, Menlo, monospace; margin: 0; overflow-wrap: anywhere; max-width: none; }
nav { margin: 1rem 0; display: flex; flex-wrap: wrap; gap: .2rem 1.2rem; }
a { color: var(--mark); text-decoration: none; } a:hover { text-decoration: underline; }
.equation { display: grid; grid-template-columns: minmax(0, 1fr) 3.2rem; align-items: center; margin: .4rem 0; padding: .4rem .9rem;
  background: var(--box); border-radius: 7px; }
.equations { display: flex; flex-wrap: wrap; gap: .4rem; margin: .4rem 0; } .equations > .equation { margin: 0; flex: 1 1 100%; min-width: 0; }
.equations > .short { flex: 1 1 calc(50% - .4rem); }
@media (max-width: 50rem) { .equations > .short { flex-basis: 100%; } }
.equation:target { outline: 2px solid var(--mark); }
.body { overflow-x: auto; overflow-y: hidden; padding: .1rem 0 .3rem; }
.number { text-align: right; color: var(--soft); }
.law { color: var(--soft); margin: 0 0 .1rem; } .law math { font-size: .93rem; }
.where { margin: .3rem 0 .1rem; padding-left: .9rem; border-left: 2px solid var(--line); color: var(--soft); font-size: .9rem; }
.where math { font-size: 1rem; color: var(--ink); }
.uses { color: var(--soft); font-size: .78rem; margin-top: .15rem; }
math { font-size: 1.04rem; font-family: "STIX Two Math", "Latin Modern Math", "Cambria Math", math; }
math .bold { font-weight: bold; }
mtd { padding: .15rem .5rem; } .zero { opacity: .35; }
.lines > mtr > mtd { text-align: left; padding: .14rem 0; } .lines > mtr > mtd:nth-child(2) { padding: 0 .3rem; }
.choice > mtr > mtd { text-align: left; padding: .05rem .4rem; }
table { border-collapse: collapse; font-size: .92rem; margin: .4rem 0 1rem; }
td, th { text-align: left; padding: .2rem 1.1rem .2rem 0; border-bottom: 1px solid var(--line); }
th { color: var(--soft); font-weight: 600; }
@media print { .equation { break-inside: avoid; background: none; border: 1px solid var(--line); } }
)";

std::string in_html(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '&')
      out += "&amp;";
    else if (c == '<')
      out += "&lt;";
    else if (c == '>')
      out += "&gt;";
    else if (c == '"')
      out += "&quot;";
    else
      out += c;
  }
  return out;
}

std::string operator_text(std::string_view symbol) { return fmt::format("<mo>{}</mo>", symbol); }

/// The first sign of a text: a letter of any alphabet, with marks that stand on it.
std::string_view first_sign(std::string_view text) {
  std::size_t end = 1;
  const auto is_more = [&](unsigned char c) { return (c & 0xC0) == 0x80 || c == 0xCC || c == 0xCD; };
  while (end < text.size() && is_more(static_cast<unsigned char>(text[end]))) ++end;
  return text.substr(0, end);
}
bool is_word(std::string_view text) {
  return !text.empty() && std::isalnum(static_cast<unsigned char>(text[0])) != 0;
}
bool is_digit(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }

/// A name after '_': words, and what joins them.
std::string_view subscript_of(std::string_view text) {
  std::size_t end = 0;
  while (end < text.size() &&
         (is_word(text.substr(end)) || (std::string_view(",._'").find(text[end]) != std::string_view::npos &&
                                        is_word(text.substr(end + 1)))))
    ++end;
  return text.substr(0, end);
}

/// "mi", "mn", "mo" or "mtext": what a sign of a formula is.
std::string_view element_of(std::string_view sign) {
  if (is_word(sign)) return is_digit(sign[0]) ? "mn" : sign.size() == 1 ? "mi" : "mtext";
  const bool is_greek = sign[0] == '\xCE' || sign[0] == '\xCF';
  return is_greek || sign.starts_with("∂") ? "mi" : "mo";
}

/// A formula of text, sign by sign: "˙Φ_B" has a dot above and a subscript, "Jᵀ" and "M⁻¹" have superscripts; words are words.
std::string text_formula(std::string_view text) {
  constexpr std::array kAbove{std::pair{"ᵀ", "<mtext>T</mtext>"}, std::pair{"⁻¹", "<mn>−1</mn>"},
                              std::pair{"²", "<mn>2</mn>"}, std::pair{"⁰", "<mn>0</mn>"}};
  std::string out;
  const auto take = [&](std::string_view sign) {
    const bool is_there = text.starts_with(sign);
    if (is_there) text.remove_prefix(sign.size());
    return is_there;
  };
  while (!text.empty()) {
    if (const bool is_wide = take("   "); is_wide || take(" ")) {
      const bool is_around_operator =
          out.ends_with("</mo>") || (!text.empty() && element_of(first_sign(text)) == "mo");
      if (is_wide || !is_around_operator)
        out += fmt::format("<mspace width=\"{}\"/>", is_wide ? "1.6em" : "0.2em");
      continue;
    }
    const char* const dots = take("˙") ? "˙" : take("¨") ? "¨" : nullptr;
    std::string_view sign = first_sign(text);
    while (is_word(sign) && is_word(text.substr(sign.size()))) sign = text.substr(0, sign.size() + 1);
    text.remove_prefix(sign.size());
    const char* const hat = sign.ends_with("\u0302") ? "^" : sign.ends_with("\u0303") ? "~" : nullptr;
    if (hat) sign.remove_suffix(2);
    std::string atom = fmt::format("<{0}>{1}</{0}>", element_of(sign), in_html(sign));
    if (hat) atom = fmt::format("<mover>{}<mo>{}</mo></mover>", atom, hat);
    if (dots) atom = fmt::format("<mover>{}<mo>{}</mo></mover>", atom, dots);
    for (const bool is_first : {true, false}) {
      for (const auto& [mark, above] : kAbove)
        if (take(mark)) atom = fmt::format("<msup>{}{}</msup>", atom, above);
      if (!is_first || !take("_")) continue;
      const std::string_view below = subscript_of(text);
      atom = fmt::format("<msub>{}<mtext>{}</mtext></msub>", atom, in_html(below));
      text.remove_prefix(below.size());
    }
    out += atom;
  }
  return "<math><mrow>" + out + "</mrow></math>";
}

/// A sentence with formulas between backquotes.
std::string sentence(const std::string& text) {
  std::string out;
  bool is_formula = false;
  std::size_t begin = 0;
  for (std::size_t at; (at = text.find('`', begin)) != std::string::npos;
       begin = at + 1, is_formula = !is_formula) {
    const std::string piece = text.substr(begin, at - begin);
    out += is_formula ? text_formula(piece) : in_html(piece);
  }
  return out + in_html(text.substr(begin));
}

std::string math(const Symbol& symbol, bool is_bold = false) {
  constexpr std::string_view kZero = "⁰";
  const bool has_zero = symbol.base.ends_with(kZero);
  const std::string letter = symbol.base.substr(0, symbol.base.size() - (has_zero ? kZero.size() : 0));
  std::string base = fmt::format("<mi{}>{}</mi>", is_bold ? " class=\"bold\"" : "", in_html(letter));
  if (symbol.dots > 0) base = fmt::format("<mover>{}<mo>{}</mo></mover>", base, symbol.dots == 1 ? "˙" : "¨");
  const std::string below =
      symbol.subscript.empty() ? "" : fmt::format("<mtext>{}</mtext>", in_html(symbol.subscript));
  if (has_zero)
    return fmt::format("<{0}>{1}{2}<mn>0</mn></{0}>", below.empty() ? "msup" : "msubsup", base, below);
  return below.empty() ? base : fmt::format("<msub>{}{}</msub>", base, below);
}

std::string math(const Formula& formula);

std::string bracketed(const Formula& formula) {
  return fmt::format("<mrow><mo>(</mo>{}<mo>)</mo></mrow>", math(formula));
}
/// In brackets where it is weaker than a product.
std::string factor(const Formula& formula) {
  return formula.kind == Formula::Kind::kSum ? bracketed(formula) : math(formula);
}

std::string math_number(double number) {
  const auto [digits, exponent] = readable_number(number);
  if (exponent == 0) return fmt::format("<mn title=\"{}\">{}</mn>", real_text(number), digits);
  return fmt::format("<mrow title=\"{}\"><mn>{}</mn><mo>·</mo><msup><mn>10</mn><mn>{}{}</mn></msup></mrow>",
                     real_text(number), digits, exponent < 0 ? "−" : "", std::abs(exponent));
}

std::string math_sum(const Formula& sum) {
  std::string out;
  for (std::size_t k = 0; k < sum.parts.size(); ++k)
    out += (sum.is_negative[k] != 0 ? operator_text("−")
            : k > 0                 ? operator_text("+")
                                    : "") +
           factor(sum.parts[k]);
  return "<mrow>" + out + "</mrow>";
}

std::string math_product(const std::vector<Formula>& factors) {
  using Kind = Formula::Kind;
  std::string out;
  for (std::size_t k = 0; k < factors.size(); ++k) {
    const bool are_numbers =
        k > 0 && factors[k].kind == Kind::kNumber && factors[k - 1].kind == Kind::kNumber;
    out += (k == 0 ? "" : are_numbers ? operator_text("·") : kTimes) + factor(factors[k]);
  }
  return "<mrow>" + out + "</mrow>";
}

/// sin x, and sin² x.
std::string math_function(const Formula& formula, double power = 1.0) {
  const bool is_simple = formula.parts.size() == 1 && formula.parts[0].kind == Formula::Kind::kSymbol;
  std::string arguments;
  for (const Formula& part : formula.parts)
    arguments += (arguments.empty() ? "" : operator_text(",")) + math(part);
  if (!is_simple) arguments = "<mrow><mo>(</mo>" + arguments + "<mo>)</mo></mrow>";
  std::string name = fmt::format("<mi>{}</mi>", in_html(formula.function));
  if (power != 1.0) name = fmt::format("<msup>{}<mn>{}</mn></msup>", name, power);
  return fmt::format("<mrow>{}<mo rspace=\"0.12em\">&#x2061;</mo>{}</mrow>", name, arguments);
}

std::string math(const Formula& formula) {
  using Kind = Formula::Kind;
  const std::vector<Formula>& parts = formula.parts;
  switch (formula.kind) {
    case Kind::kNumber:
      return math_number(formula.number);
    case Kind::kSymbol:
      return math(formula.symbol);
    case Kind::kSum:
      return math_sum(formula);
    case Kind::kProduct:
      return math_product(parts);
    case Kind::kFraction:
      return fmt::format("<mfrac>{}{}</mfrac>", math(parts[0]), math(parts[1]));
    case Kind::kPower:
      if (parts[0].kind == Kind::kFunction) return math_function(parts[0], formula.number);
      return fmt::format(
          "<msup>{}<mn>{}</mn></msup>",
          parts[0].kind == Kind::kSymbol ? "<mrow>" + math(parts[0]) + "</mrow>" : bracketed(parts[0]),
          formula.number);
    case Kind::kRoot:
      return fmt::format("<msqrt>{}</msqrt>", math(parts[0]));
    case Kind::kAbs:
      return fmt::format("<mrow><mo>|</mo>{}<mo>|</mo></mrow>", math(parts[0]));
    case Kind::kFunction:
      return math_function(formula);
    case Kind::kChoice:
      return fmt::format(
          "<mrow><mo>{{</mo><mtable "
          "class=\"choice\"><mtr><mtd>{2}</mtd><mtd><mtext>if&#xA0;</mtext>{0}<mo>&lt;</mo>{1}"
          "</mtd></mtr><mtr><mtd>{3}</mtd><mtd><mtext>otherwise</mtext></mtd></mtr></mtable></mrow>",
          math(parts[0]), math(parts[1]), math(parts[2]), math(parts[3]));
  }
  return "";
}

std::string whole(const std::string& content) { return "<math displaystyle=\"true\">" + content + "</math>"; }

/// Lines symbol = formula, one below the other, cut where they are long.
std::string assignments(const std::vector<ReadableEquation::Entry>& entries) {
  std::string rows;
  for (const ReadableEquation::Entry& entry : entries) {
    const std::vector<Formula> all = lines(entry.value, kLine);
    for (std::size_t k = 0; k < all.size(); ++k)
      rows += k == 0 ? fmt::format("<mtr id=\"{}\"><mtd>{}</mtd><mtd><mo>=</mo></mtd><mtd>{}</mtd></mtr>\n",
                                   entry.identifier, math(entry.symbol), math(all[k]))
                     : fmt::format("<mtr><mtd></mtd><mtd></mtd><mtd>{}{}</mtd></mtr>\n",
                                   all[k].is_negative[0] == 0 ? operator_text("+") : "", math(all[k]));
  }
  return whole("<mtable class=\"lines\">" + rows + "</mtable>");
}

std::string matrix(const ReadableEquation& equation) {
  std::string rows;
  for (std::size_t k = 0; k < equation.entries.size(); ++k) {
    const ReadableEquation::Entry& entry = equation.entries[k];
    const auto column = static_cast<int>(k) % equation.columns;
    if (column == 0) rows += "<mtr>";
    rows += fmt::format("<mtd id=\"{}\"{}>{}</mtd>", entry.identifier, entry.is_zero ? " class=\"zero\"" : "",
                        math(entry.value));
    if (column + 1 == equation.columns) rows += "</mtr>\n";
  }
  return whole(
      fmt::format("<mrow>{}<mo>=</mo><mo>[</mo><mtable class=\"matrix\">{}</mtable><mo>]</mo></mrow>",
                  math(equation.symbol, true), rows));
}

std::string equation_text(const ReadableEquation& equation) {
  std::string body;
  if (equation.entries.empty()) {
    body = text_formula(equation.symbol.base + " = " + equation.law);
  } else if (equation.is_solved) {
    body = fmt::format("{} {}", whole(math(equation.symbol, true) + operator_text("=")),
                       text_formula(equation.law));
  } else {
    if (!equation.law.empty()) body = fmt::format("<div class=\"law\">{}</div>", text_formula(equation.law));
    body +=
        equation.is_matrix && equation.entries.size() > 1 ? matrix(equation) : assignments(equation.entries);
  }
  if (!equation.where.empty())
    body += "<div class=\"where\">where<br/>" + assignments(equation.where) + "</div>";
  if (!equation.uses.empty()) {
    body += "<div class=\"uses\">with";
    for (const int number : equation.uses) body += fmt::format(" <a href=\"#eq-{0}\">({0})</a>", number);
    body += "</div>";
  }
  const bool is_short = equation.where.empty() && equation.width < kShortLine && !equation.entries.empty();
  return fmt::format(
      "<div class=\"equation{2}\" id=\"eq-{0}\"><div class=\"body\">{1}</div><a class=\"number\" "
      "href=\"#eq-{0}\">({0})</a></div>\n",
      equation.number, body, is_short ? " short" : "");
}

std::string section_text(const ReadableSection& section) {
  std::string text, laws, rest;
  if (!section.says.empty()) text += fmt::format("<p>{}</p>\n", sentence(section.says));
  for (const ReadableEquation& equation : section.equations)
    (equation.entries.empty() ? laws : rest) += equation_text(equation);
  const auto listed = [](const std::string& equations) {
    return equations.empty() ? "" : "<div class=\"equations\">\n" + equations + "</div>\n";
  };
  text += listed(laws);
  const bool is_open = section.parts.size() <= kOpenParts;
  for (const ReadableSection& part : section.parts)
    text += fmt::format("<details{}><summary>{}</summary>\n{}</details>\n", is_open ? " open=\"open\"" : "",
                        in_html(part.title), section_text(part));
  return text + listed(rest);
}

std::string arguments(const ExportedModel& model, const ReadableEquations& equations) {
  std::string text;
  std::size_t at = 0;
  const auto add = [&](const char* title, const char* list, const std::vector<core::Column>& columns,
                       const std::vector<double>& values) {
    if (columns.empty()) return;
    text += fmt::format(
        "<details{}><summary>{}</summary>\n<table><tr><th>symbol</th><th>in the code</th><th>what it is</th>"
        "<th>unit</th><th>value</th></tr>\n",
        columns.size() <= kOpenRows ? " open=\"open\"" : "", title);
    for (std::size_t k = 0; k < columns.size(); ++k)
      text += fmt::format(
          "<tr><td><math>{}</math></td><td><code>{}[{}]</code></td><td>{}</td><td>{}</td><td>{:.6g}</td></"
          "tr>\n",
          math(equations.inputs[at++]), list, k, in_html(columns[k].name), in_html(columns[k].unit),
          values[k]);
    text += "</table></details>\n";
  };
  add("State, where the model starts", "x", model.x, model.start.x);
  add("From outside, at the start", "u", model.u, model.start.u);
  add("Parameters, by default", "p", model.p, model.start.p);
  return text;
}

}  // namespace

std::vector<PrintedFile> print_html(const ExportedModel& model) {
  const ReadableEquations equations = readable_equations(model);
  std::string contents = "<a href=\"#s0\">Parameters</a>", text, made;
  for (std::size_t k = 0; k < equations.sections.size(); ++k) {
    const ReadableSection& section = equations.sections[k];
    contents += fmt::format(" <a href=\"#s{}\">{}</a>", k + 1, in_html(section.title));
    text += fmt::format("<h2 id=\"s{}\">{}</h2>\n{}", k + 1, in_html(section.title), section_text(section));
  }
  for (const std::string& line : model.made_from) made += in_html(line) + "<br/>";
  return {{model.name + ".html",
           fmt::format("<!DOCTYPE html>\n<html xmlns=\"http://www.w3.org/1999/xhtml\" "
                       "lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n"
                       "<meta name=\"viewport\" content=\"width=device-width, "
                       "initial-scale=1\"/>\n<title>{0}: equations of "
                       "motion</title>\n<style>{1}</style>\n</head>\n<body>\n<main>\n<h1>{0}</"
                       "h1>\n<p>Equations of motion: {2}. Numbers "
                       "have up to six digits here, and all of them in the code; names and numbers of "
                       "equations are those of the "
                       "code.</p>\n<p class=\"made\">{3}</p>\n<nav>{4}</nav>\n<h2 "
                       "id=\"s0\">Parameters</h2>\n{5}{6}</main>\n</body>\n</html>\n",
                       in_html(model.title), kStyle, in_html(model.form), made, contents,
                       arguments(model, equations), text)}};
}

}  // namespace eslabon::codegen
