#include "eslabon/recording/files/linear_file.hpp"

#include <algorithm>
#include <filesystem>
#include <memory>

#include "eslabon/core/text/nearest_name.hpp"
#include "eslabon/io/files/matrix_file.hpp"
#include "eslabon/io/files/partial_file.hpp"
#include "eslabon/recording/facts/statics_facts.hpp"
#include "eslabon/runs/request_error.hpp"

namespace eslabon::recording {

using dynamics::Mode;
using Eigen::Index;
using Eigen::MatrixXd;

namespace {

constexpr const char* kSystem = "the linear system";

std::string extension(const std::string& path) { return std::filesystem::path(path).extension().string(); }

/// "command: eslabon modes …", and so on.
std::vector<std::string> provenance_words(const Provenance& provenance) {
  std::vector<std::string> words;
  for (const auto& [name, value] : provenance.lines()) words.push_back(name + ": " + value);
  return words;
}

/// "linear.A.csv" for "linear.csv".
std::string csv_part(const std::string& path, const std::string& part) {
  return path.substr(0, path.size() - 4) + "." + part + ".csv";
}

/// One row for each mode: frequency [Hz], damping ratio, real and imaginary part of the eigenvalue [1/s].
MatrixXd mode_table(const std::vector<Mode>& modes) {
  MatrixXd table(static_cast<Index>(modes.size()), 4);
  for (std::size_t k = 0; k < modes.size(); ++k) {
    const Mode& mode = modes[k];
    table.row(static_cast<Index>(k)) << frequency_of(mode).value_or(0.0), mode.damping_ratio(),
        mode.eigenvalue.real(), mode.eigenvalue.imag();
  }
  return table;
}

std::vector<std::string> numbered(const std::string& word, std::size_t count) {
  std::vector<std::string> names;
  for (std::size_t k = 1; k <= count; ++k) names.push_back(word + "_" + std::to_string(k));
  return names;
}

}  // namespace

void check_linear_file(const std::string& path) {
  const std::vector<std::string> known{".mat", ".npz", ".csv"};
  if (std::ranges::find(known, extension(path)) != known.end()) return;
  throw runs::RequestError({.what = "unknown kind of file",
                            .where = runs::field("out"),
                            .expected = "a name that ends with " + core::quoted_list(known),
                            .actual = "'" + path + "'",
                            .next = "Write, for example, " + runs::field("out") + " linear.npz."});
}

std::vector<std::string> linear_files(const std::string& path) {
  if (extension(path) != ".csv") return {path};
  std::vector<std::string> files;
  for (const char* part : {"A", "B", "C", "D", "modes", "shapes"}) files.push_back(csv_part(path, part));
  return files;
}

std::vector<std::string> write_linear_file(const std::string& path, const runs::ModesResult& result,
                                           const Provenance& provenance) {
  const dynamics::LinearSystem& linear = result.linear;
  const std::vector<Mode>& modes = result.modes;
  const Eigen::MatrixXcd& shapes = result.shapes;
  const MatrixXd table = mode_table(modes);
  const std::vector<std::string> files = linear_files(path);
  if (extension(path) == ".csv") {
    std::vector<std::unique_ptr<io::PartialFile>> written;  // each gets its name when all are written
    const auto write = [&](const std::string& part, const MatrixXd& values,
                           const std::vector<std::string>& rows, const std::vector<std::string>& columns) {
      written.push_back(std::make_unique<io::PartialFile>(csv_part(path, part), kSystem));
      written.back()->append(io::csv_table(values, rows, columns));
    };
    write("A", linear.A, linear.state_names, linear.state_names);
    write("B", linear.B, linear.state_names, linear.input_names);
    write("C", linear.C, linear.output_names, linear.state_names);
    write("D", linear.D, linear.output_names, linear.input_names);
    write("modes", table, numbered("mode", modes.size()),
          {"frequency_Hz", "damping_ratio", "real_1/s", "imaginary_1/s"});
    MatrixXd parts(shapes.rows(), 2 * shapes.cols());
    std::vector<std::string> columns;
    for (Index k = 0; k < shapes.cols(); ++k) {
      parts.col(2 * k) = shapes.col(k).real();
      parts.col(2 * k + 1) = shapes.col(k).imag();
      columns.push_back("mode_" + std::to_string(k + 1) + "_real");
      columns.push_back("mode_" + std::to_string(k + 1) + "_imaginary");
    }
    write("shapes", parts, result.shape_names, columns);
    for (const auto& file : written) file->finish();
    return files;
  }
  const io::MatrixSet set{.matrices = {{"A", linear.A},
                                       {"B", linear.B},
                                       {"C", linear.C},
                                       {"D", linear.D},
                                       {"frequency", table.col(0)},
                                       {"damping", table.col(1)},
                                       {"eigenvalues", table.rightCols(2)},
                                       {"shapes_real", shapes.real()},
                                       {"shapes_imaginary", shapes.imag()}},
                          .words = {{"state_names", linear.state_names},
                                    {"input_names", linear.input_names},
                                    {"output_names", linear.output_names},
                                    {"shape_names", result.shape_names},
                                    {"provenance", provenance_words(provenance)}}};
  io::write_text_file(path, kSystem, extension(path) == ".mat" ? io::mat_file(set) : io::npz_file(set));
  return files;
}

}  // namespace eslabon::recording
