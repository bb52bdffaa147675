#include <array>

#include <fmt/format.h>

#include "eslabon/codegen/print/printer.hpp"
#include "eslabon/codegen/print/readable_equations.hpp"

namespace eslabon::codegen {

namespace {

constexpr double kLatexLine = 70.0;  // letters

struct Command {
  std::string_view sign, latex;
};
/// Signs of formulas, as commands.
constexpr std::array kCommands{
    Command{"α", "\\alpha "},
    Command{"β", "\\beta "},
    Command{"γ", "\\gamma "},
    Command{"θ", "\\theta "},
    Command{"λ", "\\lambda "},
    Command{"ρ", "\\rho "},
    Command{"σ", "\\sigma "},
    Command{"τ", "\\tau "},
    Command{"ω", "\\omega "},
    Command{"Φ", "\\Phi "},
    Command{"Ω", "\\Omega "},
    Command{"Σ", "\\textstyle\\sum "},
    Command{"∂", "\\partial "},
    Command{"−", "-"},
    Command{"×", "\\times "},
    Command{"·", "\\cdot "},
    Command{"½", "\\tfrac12 "},
    Command{"²", "^{2}"},
    Command{"⁰", "^{0}"},
    Command{"ᵀ", "^{\\mathsf T}"},
    Command{"⁻¹", "^{-1}"},
    Command{"M̂", "\\hat M "},
    Command{"f̂", "\\hat f "},
    Command{"r̃", "\\tilde r "},
    Command{"ε̃", "\\tilde\\varepsilon "},
    Command{"ε", "\\varepsilon "},
    Command{"′", "'"},
    Command{"…", "\\dots "},
};

/// Text between formulas, and names in subscripts.
std::string in_latex(const std::string& text) {
  std::string out;
  for (const char c : text)
    if (std::string_view("_&%$#{}").find(c) != std::string_view::npos)
      out += std::string("\\") + c;
    else if (c == '\\' || c == '^' || c == '~')
      out += fmt::format("\\char{} ", static_cast<int>(c));
    else
      out += c;
  return out;
}

std::string with_commands(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const auto* const at =
        std::ranges::find_if(kCommands, [&](const Command& one) { return text.starts_with(one.sign); });
    const bool is_sign = at != kCommands.end();
    out += is_sign ? at->latex : text.substr(0, 1);
    text.remove_prefix(is_sign ? at->sign.size() : 1);
  }
  return out;
}

/// A formula of text: words become upright, signs commands, and what follows '_' a subscript.
std::string law_formula(std::string_view text) {
  std::string out, dots;
  const auto is_word = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0; };
  while (!text.empty()) {
    if (text.starts_with("˙") || text.starts_with("¨")) {
      dots = text.starts_with("˙") ? "\\dot " : "\\ddot ";
      text.remove_prefix(2);
      continue;
    }
    const auto* const at =
        std::ranges::find_if(kCommands, [&](const Command& one) { return text.starts_with(one.sign); });
    std::string piece;
    if (at != kCommands.end()) {
      piece = at->latex;
      text.remove_prefix(at->sign.size());
    } else if (text[0] == '_') {
      std::size_t end = 1;
      while (end < text.size() &&
             (is_word(text[end]) || ((text[end] == ',' || text[end] == '.' || text[end] == '_') &&
                                     end + 1 < text.size() && is_word(text[end + 1]))))
        ++end;
      piece = fmt::format("_{{\\mathrm{{{}}}}}", in_latex(std::string(text.substr(1, end - 1))));
      text.remove_prefix(end);
    } else if (text[0] == ' ') {
      piece = text.starts_with("   ") ? "\\qquad " : "\\,";
      text.remove_prefix(text.starts_with("   ") ? 3 : 1);
    } else {
      std::size_t end = 0;
      while (end < text.size() && is_word(text[end])) ++end;
      const std::string word(text.substr(0, std::max<std::size_t>(end, 1)));
      piece = word.size() > 1 && std::isdigit(static_cast<unsigned char>(word[0])) == 0
                  ? "\\text{" + word + "}"
                  : in_latex(word);
      text.remove_prefix(word.size());
    }
    out += dots.empty() ? piece : std::exchange(dots, "") + "{" + piece + "}";
  }
  return out;
}

std::string latex_sentence(const std::string& text) {
  std::string out;
  bool is_formula = false;
  std::size_t begin = 0;
  for (std::size_t at; (at = text.find('`', begin)) != std::string::npos;
       begin = at + 1, is_formula = !is_formula) {
    const std::string piece = text.substr(begin, at - begin);
    out += is_formula ? "$" + law_formula(piece) + "$" : in_latex(piece);
  }
  return out + in_latex(text.substr(begin));
}

std::string latex(const Symbol& symbol, bool is_bold = false) {
  constexpr std::string_view kZero = "⁰";
  const bool has_zero = symbol.base.ends_with(kZero);
  const std::string letter = symbol.base.substr(0, symbol.base.size() - (has_zero ? kZero.size() : 0));
  std::string base = with_commands(letter);
  if (letter.size() > 1 && base == letter) base = "\\mathrm{" + in_latex(base) + "}";
  if (is_bold) base = "\\boldsymbol{" + base + "}";
  if (symbol.dots > 0) base = (symbol.dots == 1 ? "\\dot{" : "\\ddot{") + base + "}";
  return "{" + base + "}" + (has_zero ? "^{0}" : "") +
         (symbol.subscript.empty() ? "" : fmt::format("_{{\\mathrm{{{}}}}}", in_latex(symbol.subscript)));
}

std::string latex(const Formula& formula);

std::string latex_factor(const Formula& formula) {
  return formula.kind == Formula::Kind::kSum ? "\\left(" + latex(formula) + "\\right)" : latex(formula);
}

std::string latex_function(const Formula& formula, const std::string& power) {
  const bool is_simple = formula.parts.size() == 1 && formula.parts[0].kind == Formula::Kind::kSymbol;
  std::string arguments;
  for (const Formula& part : formula.parts) arguments += (arguments.empty() ? "" : ", ") + latex(part);
  return fmt::format("\\operatorname{{{}}}{}{}", in_latex(formula.function), power,
                     is_simple ? " " + arguments : "\\left(" + arguments + "\\right)");
}

std::string latex(const Formula& formula) {
  using Kind = Formula::Kind;
  const std::vector<Formula>& parts = formula.parts;
  std::string out;
  switch (formula.kind) {
    case Kind::kNumber: {
      const auto [digits, exponent] = readable_number(formula.number);
      return exponent == 0 ? digits : fmt::format("{}\\cdot 10^{{{}}}", digits, exponent);
    }
    case Kind::kSymbol:
      return latex(formula.symbol);
    case Kind::kSum:
      for (std::size_t k = 0; k < parts.size(); ++k)
        out += (formula.is_negative[k] != 0 ? " - " : k > 0 ? " + " : "") + latex_factor(parts[k]);
      return out;
    case Kind::kProduct:
      for (std::size_t k = 0; k < parts.size(); ++k) {
        const bool are_numbers =
            k > 0 && parts[k].kind == Kind::kNumber && parts[k - 1].kind == Kind::kNumber;
        out += (k == 0 ? "" : are_numbers ? " \\cdot " : "\\,") + latex_factor(parts[k]);
      }
      return out;
    case Kind::kFraction:
      return fmt::format("\\frac{{{}}}{{{}}}", latex(parts[0]), latex(parts[1]));
    case Kind::kPower:
      if (parts[0].kind == Kind::kFunction)
        return latex_function(parts[0], fmt::format("^{{{}}}", formula.number));
      return fmt::format("{}^{{{}}}",
                         parts[0].kind == Kind::kSymbol ? "{" + latex(parts[0]) + "}"
                                                        : "\\left(" + latex(parts[0]) + "\\right)",
                         formula.number);
    case Kind::kRoot:
      return fmt::format("\\sqrt{{{}}}", latex(parts[0]));
    case Kind::kAbs:
      return fmt::format("\\left|{}\\right|", latex(parts[0]));
    case Kind::kFunction:
      return latex_function(formula, "");
    case Kind::kChoice:
      return fmt::format("\\begin{{cases}} {2} & {0} < {1} \\\\ {3} & \\text{{otherwise}} \\end{{cases}}",
                         latex(parts[0]), latex(parts[1]), latex(parts[2]), latex(parts[3]));
  }
  return out;
}

/// Lines of an aligned block: symbol &= formula.
std::string latex_assignment(const ReadableEquation::Entry& entry) {
  std::string text = latex(entry.symbol) + " &= ";
  const std::vector<Formula> all = lines(entry.value, kLatexLine);
  for (std::size_t k = 0; k < all.size(); ++k)
    text += fmt::format("{}{}{}", k == 0 ? "" : " \\notag \\\\\n&\\quad ",
                        k > 0 && all[k].is_negative[0] == 0 ? "{}+ " : "", latex(all[k]));
  return text;
}

std::string latex_matrix(const ReadableEquation& equation) {
  std::string text = latex(equation.symbol, true) + " &= \\begin{bmatrix}\n";
  for (int r = 0; r < equation.rows; ++r) {
    for (int c = 0; c < equation.columns; ++c)
      text += (c == 0 ? "" : " & ") +
              latex(equation.entries[static_cast<std::size_t>(r * equation.columns + c)].value);
    text += " \\\\\n";
  }
  return text + "\\end{bmatrix}";
}

bool fits(const ReadableEquation& equation) {
  constexpr int kColumns = 10;  // of bmatrix
  return equation.is_matrix && equation.entries.size() > 1 && equation.width < kLatexLine &&
         equation.columns <= kColumns;
}

std::string latex_equation(const ReadableEquation& equation) {
  std::vector<std::string> rows;
  const std::string law = law_formula(equation.law);
  if (equation.entries.empty())
    rows.push_back(law_formula(equation.symbol.base) + " &= " + law);
  else if (equation.is_solved)
    rows.push_back(latex(equation.symbol, true) + " &= " + law);
  else if (fits(equation))
    rows.push_back(latex_matrix(equation));
  else
    for (const ReadableEquation::Entry& entry : equation.entries)
      if (!entry.is_zero) rows.push_back(latex_assignment(entry));
  if (!equation.where.empty()) rows.push_back("\\text{where}\\quad&");
  for (const ReadableEquation::Entry& entry : equation.where) rows.push_back(latex_assignment(entry));
  std::string text;
  if (!equation.law.empty() && !equation.entries.empty() && !equation.is_solved)
    text += "\\law{" + law + "}\n";
  text += "\\begin{align}\n";
  for (std::size_t k = 0; k + 1 < rows.size(); ++k) text += rows[k] + " \\notag \\\\\n";
  text += fmt::format("{0} \\tag{{{1}}}\\label{{eq:{1}}}\n\\end{{align}}\n", rows.back(), equation.number);
  if (!equation.uses.empty()) {
    text += "\\uses{";
    for (const int number : equation.uses) text += fmt::format("~\\eqref{{eq:{}}}", number);
    text += "}\n";
  }
  return text;
}

std::string latex_section(const ReadableSection& section, int level) {
  std::string text = fmt::format("\\{}section{{{}}}\n", level == 0 ? "" : "sub", in_latex(section.title)),
              before, after;
  if (!section.says.empty()) text += latex_sentence(section.says) + "\n\n";
  for (const ReadableEquation& equation : section.equations)
    (equation.entries.empty() ? before : after) += latex_equation(equation);
  text += before;
  for (const ReadableSection& part : section.parts) text += latex_section(part, level + 1);
  return text + after;
}

std::string latex_arguments(const ExportedModel& model, const ReadableEquations& equations) {
  std::string text = "\\section{Parameters}\n";
  std::size_t at = 0;
  const auto add = [&](const char* list, const std::vector<core::Column>& columns,
                       const std::vector<double>& values) {
    for (std::size_t k = 0; k < columns.size(); ++k)
      text += fmt::format(
          "\\noindent\\makebox[7em][l]{{${}$}}\\makebox[5em][l]{{\\texttt{{{}[{}]}}}}{} [{}], {:.6g}\\\\\n",
          latex(equations.inputs[at++]), list, k, in_latex(columns[k].name), in_latex(columns[k].unit),
          values[k]);
  };
  add("x", model.x, model.start.x);
  add("u", model.u, model.start.u);
  add("p", model.p, model.start.p);
  return text;
}

}  // namespace

std::vector<PrintedFile> print_latex(const ExportedModel& model) {
  const ReadableEquations equations = readable_equations(model);
  std::string text =
      "\\documentclass[a4paper,10pt]{article}\n\\usepackage[utf8]{inputenc}\n\\usepackage[T1]{fontenc}"
      "\n\\usepackage{amsmath}\n"
      "\\usepackage[margin=22mm]{geometry}\n\\allowdisplaybreaks\n\\setlength{\\parindent}{0pt}\n"
      "\\newcommand{\\law}[1]{\\par\\smallskip{\\small$#1$}\\nopagebreak}\n"
      "\\newcommand{\\uses}[1]{{\\footnotesize with#1\\par}}\n";
  text += fmt::format(
      "\\title{{{}}}\n\\date{{}}\n\\begin{{document}}\n\\maketitle\n\\noindent Equations of motion: {}. "
      "Numbers have up to six digits here, "
      "and all of them in the code; names and numbers of equations are those of the "
      "code.\n\n{{\\footnotesize\n",
      in_latex(model.title), in_latex(model.form));
  for (const std::string& line : model.made_from) text += "\\sloppy " + in_latex(line) + "\n\n";
  text += "}\n" + latex_arguments(model, equations);
  for (const ReadableSection& section : equations.sections) text += latex_section(section, 0);
  return {{model.name + ".tex", text + "\\end{document}\n"}};
}

}  // namespace eslabon::codegen
