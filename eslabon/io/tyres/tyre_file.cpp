#include "eslabon/io/tyres/tyre_file.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <optional>
#include <utility>

#include "eslabon/core/text/name_list.hpp"
#include "eslabon/core/text/nearest_name.hpp"
#include "eslabon/core/text/number_text.hpp"
#include "eslabon/io/files/file_error.hpp"
#include "eslabon/io/files/plain_text.hpp"
#include "eslabon/io/mechanism/document.hpp"
#include "eslabon/io/quantities/quantity.hpp"
#include "eslabon/io/tyres/tyre_lines.hpp"
#include "eslabon/io/tyres/tyre_names.hpp"
#include "eslabon/io/tyres/tyre_units.hpp"
#include "eslabon/tyres/magic_formula_limits.hpp"

namespace eslabon::io {

namespace {

using tyres::Coefficient;
using tyres::MagicFormula;
using tyres::MagicFormulaVersion;
using tyres::TyreSide;

struct Fit {
  int number;
  MagicFormulaVersion version;
};
// FITTYP of the files. 5 is 5.0 and 5.1, 6 and 52 are 5.2, 51 is 5.1, 60 is 6.0; their equations are those of the version beside them.
constexpr std::array kFits{Fit{5, MagicFormulaVersion::k52},  Fit{6, MagicFormulaVersion::k52},
                           Fit{51, MagicFormulaVersion::k52}, Fit{52, MagicFormulaVersion::k52},
                           Fit{60, MagicFormulaVersion::k61}, Fit{61, MagicFormulaVersion::k61},
                           Fit{62, MagicFormulaVersion::k62}};

class TyreReader {
 public:
  TyreReader(std::string_view text, const std::string& name)
      : lines_(split_tyre_text(text, name, tyre_sections())), units_(lines_) {
    out_.name = name;
  }

  TyreFile read() {
    read_numbers();
    read_version();
    read_side();
    read_shape();
    check_needed();
    check_signs();
    check_ranges();
    fill_combined_slip();
    return std::move(out_);
  }

 private:
  void read_numbers() {
    for (const TyreEntry& entry : lines_.entries) {
      if (entry.section == "UNITS" || is_setting_of_other_programs(entry.name)) continue;
      const std::string_view name = known_coefficient_name(entry.name);
      if (const Coefficient* const one = tyres::find_coefficient(name))
        read_coefficient(*one, entry);
      else if (const UnusedCoefficient* const unused = find_unused_coefficient(name))
        read_unused(*unused, entry);
      else
        refuse_name(entry);
    }
    if (!entries_.contains("INFLPRES")) out_.tyre.INFLPRES = out_.tyre.NOMPRES;
  }

  void read_coefficient(const Coefficient& one, const TyreEntry& entry) {
    if (const auto [first, is_new] = entries_.emplace(one.name, &entry); !is_new)
      refuse_tyre({.what = "'" + entry.name + "' and '" + first->second->name + "' are the same",
                   .where = place(entry),
                   .expected = "one of them",
                   .actual = "the other on line " + std::to_string(first->second->line),
                   .next = "Take one of the two lines out."});
    const double value = finite_number(entry) * units_.factor(one.measure);
    if (!std::isfinite(value)) refuse_infinite(entry);
    out_.tyre.*one.member = value;
  }

  void read_unused(const UnusedCoefficient& unused, const TyreEntry& entry) {
    if (finite_number(entry) != unused.neutral) out_.unused.emplace_back(unused.name);
  }

  double finite_number(const TyreEntry& entry) const {
    const std::optional<double> value = entry.is_quoted ? std::nullopt : plain_number(entry.value);
    if (!value)
      refuse_tyre({.what = "'" + entry.name + "' is not a number",
                   .where = place(entry),
                   .expected = "a number such as '1.5' or '-2e-3'",
                   .actual = (entry.is_quoted ? "the text " : "") + in_quotes(entry.value),
                   .next = "Write one number, with a point, without quotes and without a unit."});
    if (!std::isfinite(*value)) refuse_infinite(entry);
    return *value;
  }

  [[noreturn]] void refuse_infinite(const TyreEntry& entry) const {
    refuse_tyre({.what = "'" + entry.name + "' is not finite",
                 .where = place(entry),
                 .expected = "a finite number, in SI units too",
                 .actual = in_quotes(entry.value),
                 .next = "Give its value, or take the line out."});
  }

  [[noreturn]] void refuse_name(const TyreEntry& entry) const {
    const auto nearest = core::nearest_name(entry.name, tyre_names());
    refuse_tyre({.what = "unknown name " + in_quotes(entry.name),
                 .where = place(entry),
                 .expected = "a name of a Magic Formula tyre",
                 .actual = in_quotes(entry.name + " = " + entry.value),
                 .next = nearest ? "Did you mean '" + *nearest + "'?"
                                 : "Take the line out if it belongs to another tyre model."});
  }

  /// The setting of this name; nullptr if the file has none.
  const TyreEntry* setting(std::string_view name) const {
    const auto found = std::ranges::find(lines_.entries, name, &TyreEntry::name);
    return found == lines_.entries.end() ? nullptr : &*found;
  }

  void read_version() {
    const TyreEntry* const fit = setting("FITTYP");
    if (fit == nullptr) return read_version_without_fit();
    for (const Fit& one : kFits)
      if (plain_number(fit->value) == one.number) {
        out_.tyre.version = one.version;
        return;
      }
    refuse_tyre({.what = "the version of the Magic Formula is not known",
                 .where = place(*fit),
                 .expected = "FITTYP = 5, 6, 51, 52, 60, 61 or 62",
                 .actual = in_quotes(fit->value),
                 .next = "Fit the tyre to one of these, or take another file."});
  }

  void read_version_without_fit() {
    const TyreEntry* const format = setting("PROPERTY_FILE_FORMAT");
    if (format != nullptr && in_capitals(format->value) == "PAC2002") {
      out_.tyre.version = MagicFormulaVersion::k52;
      return;
    }
    refuse_tyre({.what = "the file does not say which Magic Formula it is for",
                 .where = format == nullptr ? lines_.file + ", MODEL" : place(*format),
                 .expected = "FITTYP, or PROPERTY_FILE_FORMAT = 'PAC2002'",
                 .actual = format == nullptr ? "neither" : in_quotes(format->value) + " and no FITTYP",
                 .next = "Write FITTYP = 61, or which it is, into the section [MODEL]."});
  }

  void read_side() {
    const TyreEntry* const side = setting("TYRESIDE");
    out_.tyre.side = TyreSide::kLeft;
    if (side == nullptr) return;
    const std::string value = in_capitals(side->value);
    if (value == "RIGHT")
      out_.tyre.side = TyreSide::kRight;
    else if (value == "SYMMETRIC")
      out_.tyre.side = TyreSide::kSymmetric;
    else if (value != "LEFT")
      refuse_tyre({.what = "the side of the tyre is not known",
                   .where = place(*side),
                   .expected = "'LEFT', 'RIGHT' or 'SYMMETRIC'",
                   .actual = in_quotes(side->value),
                   .next = "Write the side that it was measured on."});
  }

  void read_shape() {
    for (const TyreRow& row : lines_.rows) {
      const std::string where = lines_.place(row.line) + ", " + row.section;
      if (row.section != "SHAPE")
        refuse_tyre({.what = "a table that is not known",
                     .where = where,
                     .expected = "rows of numbers in the section [SHAPE] alone",
                     .actual = in_quotes(row.cells.front()),
                     .next = "Take the table out, or write NAME = VALUE."});
      const auto radial = plain_number(row.cells.front());
      const auto width = row.cells.size() == 2 ? plain_number(row.cells.back()) : std::nullopt;
      if (!radial || !width || !std::isfinite(*radial) || !std::isfinite(*width) || *radial < 0.0 ||
          *width < 0.0)
        refuse_tyre({.what = "a row of the shape is not two numbers",
                     .where = where,
                     .expected = "radial and width, not negative, such as '1.0  0.4'",
                     .actual = in_quotes(core::joined(row.cells, " ")),
                     .next = "Put the row right."});
      out_.shape.push_back({*radial, *width});
    }
  }

  void check_needed() const {
    for (const Coefficient& one : tyres::coefficients())
      if (!one.otherwise && !entries_.contains(one.name))
        refuse_tyre({.what = "'" + std::string(one.name) + "' is missing",
                     .where = lines_.file + ", " + std::string(section_name(one.section)),
                     .expected = "a file that has it (" + std::string(one.meaning) + ")",
                     .actual = "none",
                     .next = "Write it into the section [" + std::string(section_name(one.section)) + "]."});
  }

  void check_signs() const {
    for (const auto& [name, entry] : entries_) {
      const Coefficient& one = *tyres::find_coefficient(name);
      const double value = out_.tyre.*one.member;
      const tyres::Limit limit = tyres::limit_of(one);
      if (limit == tyres::Limit::kNotZero || tyres::is_within(limit, value)) continue;
      refuse_tyre({.what = "'" + entry->name + "' is " + (value < 0.0 ? "negative" : "zero"),
                   .where = place(*entry),
                   .expected = limit == tyres::Limit::kPositive ? "a number above 0" : "0 or more",
                   .actual = with_unit(*entry, one),
                   .next = "Check the sign, and the units of the file."});
    }
    if (out_.tyre.PKY2 == 0.0)
      refuse_tyre({.what = "'PKY2' is zero",
                   .where = place(*entries_.at("PKY2")),
                   .expected = "the load at which the cornering stiffness is greatest, by FNOMIN",
                   .actual = "0",
                   .next = "Give its value, about 2."});
  }

  void check_ranges() const {
    for (const tyres::CoefficientRange& range : tyres::coefficient_ranges()) {
      const double low = out_.tyre.*range.low, high = out_.tyre.*range.high;
      if (low < high) continue;
      const Coefficient &from = tyres::coefficient_of(range.low), &to = tyres::coefficient_of(range.high);
      const auto written = entries_.contains(from.name) ? entries_.find(from.name) : entries_.find(to.name);
      if (written == entries_.end()) continue;
      refuse_tyre({.what = "a range is empty",
                   .where = place(*written->second),
                   .expected = std::string(from.name) + " below " + std::string(to.name),
                   .actual = core::number_text(low) + " and " + core::number_text(high) + " in SI units",
                   .next = "Exchange the two, or put the wrong one right."});
    }
  }

  void fill_combined_slip() {
    for (const std::string_view name : tyres::combined_slip_coefficients())
      if (!entries_.contains(name)) out_.missing_combined_slip.emplace_back(name);
    if (!out_.missing_combined_slip.empty()) out_.tyre = tyres::without_combined_slip(out_.tyre);
  }

  std::string with_unit(const TyreEntry& entry, const Coefficient& one) const {
    const std::string unit = units_.text(one.measure);
    return entry.value + (unit.empty() ? "" : " " + unit);
  }

  std::string place(const TyreEntry& entry) const { return lines_.place(entry.line) + ", " + entry.section; }

  TyreLines lines_;
  TyreUnits units_;
  TyreFile out_;
  std::map<std::string_view, const TyreEntry*> entries_;  ///< of coefficients
};

}  // namespace

const MagicFormula& TyreFile::with_combined_slip() const {
  if (missing_combined_slip.empty()) return tyre;
  refuse_tyre(
      {.what = "the tyre has no combined slip",
       .where = name,
       .expected = "coefficients " + core::conjunction(missing_combined_slip),
       .actual = "a file without them",
       .next = "Write 'slip: pure' for forces that do not know of each other, or give the coefficients."});
}

TyreFile read_tyre(std::string_view text, const std::string& file_name) {
  return TyreReader(text, file_name).read();
}

TyreFile read_tyre_file(const std::filesystem::path& path) {
  return reading_file([&] { return read_tyre(read_file_text(path), path.string()); });
}

}  // namespace eslabon::io
