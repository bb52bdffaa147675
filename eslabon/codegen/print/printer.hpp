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

/// What calls keep to that return 0: the smallest pivot is above the first, the constraint error [m] is not above the second; infinity where
/// functions take positions as they are.
struct CallLimits {
  double smallest_pivot, largest_error;
};
CallLimits call_limits(const ExportedModel& model, Precision precision);
/// What a function returns at a state by these: 0 or 1.
int status_at(const ExportedFunction& function, const CheckState& state, const CallLimits& limits);

/// What a check allows between two computers, by the largest number of the result: more where a state is near-singular.
double check_tolerance(const ExportedModel& model, Precision precision);

}  // namespace eslabon::codegen
