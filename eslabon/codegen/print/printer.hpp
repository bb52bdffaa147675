#pragma once

#include <string>
#include <vector>

#include "eslabon/codegen/exported_model.hpp"

/// Languages that an exported model is printed in. Every printer gives whole files: the functions, and a check that runs them at
/// ExportedModel::checks and compares.
namespace eslabon::codegen {

struct PrintedFile {
  std::string name;
  std::string text;
};

enum class Precision { kDouble, kFloat };

/// C99, without heap and without anything but math.h:  int NAME_f(const double *x, const double *u, const double *p, double *y, double *w).
std::vector<PrintedFile> print_c(const ExportedModel& model, Precision precision);
/// C++ for many states at once, in vectors of the processor:  std::size_t NAME::f(count, x, u, p, y, told).
std::vector<PrintedFile> print_lanes(const ExportedModel& model);
/// MATLAB and Octave: a function file for each function, called with columns.
std::vector<PrintedFile> print_matlab(const ExportedModel& model);
/// Python with NumPy: a module; elements of x, u and p may be arrays, one number for each of many states.
std::vector<PrintedFile> print_python(const ExportedModel& model);
/// A document for people, by amsmath alone; and a page that stands alone, with formulas in MathML. Neither has a check.
std::vector<PrintedFile> print_latex(const ExportedModel& model);
std::vector<PrintedFile> print_html(const ExportedModel& model);
/// `make check` for what was printed.
PrintedFile print_makefile(const ExportedModel& model, const std::vector<std::string>& languages);

/// Lines that tell what a file is, for comments: title, form, how it was made, arguments.
std::vector<std::string> heading(const ExportedModel& model);
/// "accelerations: accelerations of all coordinates (5); 312 operations, 940 before simplification: 150 sums, …".
std::string heading(const ExportedFunction& function);

/// What a check allows between two computers: relative to the largest number of the result.
inline constexpr double kCheckTolerance = 1e-9;

}  // namespace eslabon::codegen
