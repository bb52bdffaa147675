#include "recorded_truth.hpp"

#include <algorithm>

#include "motion_output.hpp"
#include "released_start.hpp"

#include "eslabon/core/error.hpp"

namespace eslabon::cli {

namespace {

std::string with_letter(const std::string& coordinate, char letter) {
  const std::size_t dot = coordinate.rfind('.');
  if (dot == std::string::npos || dot + 1 >= coordinate.size() || coordinate[dot + 1] != 'q') return "";
  std::string name = coordinate;
  name[dot + 1] = letter;
  return name;
}

/// Coordinates of which the file has position, rate and acceleration.
std::vector<std::string> complete_coordinates(const io::ResultTable& table) {
  std::vector<std::string> names;
  for (const io::ResultColumn& column : table.columns) {
    const std::string v = rate_name(column.name), a = acceleration_name(column.name);
    if (!v.empty() && table.find(v) && table.find(a)) names.push_back(column.name);
  }
  return names;
}

}  // namespace

std::string rate_name(const std::string& coordinate) { return with_letter(coordinate, 'v'); }
std::string acceleration_name(const std::string& coordinate) { return with_letter(coordinate, 'a'); }

RecordedTruth::RecordedTruth(const std::string& path, const model::Mechanism& with_drivers,
                             const model::Mechanism& released)
    : table_(io::read_results(path)),
      structure_(structure::analyse_structure(released)),
      assembly_(assembled_as_driven(with_drivers, released, structure_, std::nullopt)),
      model_(released, structure_, assembly_, std::max(table_.t.back(), 1.0)),
      reduced_(model_, {}, dynamics::ReducedMotion::Use::kKinematics, complete_coordinates(table_)) {
  const auto rows = static_cast<Eigen::Index>(table_.t.size());
  const Eigen::Index f = reduced_.num_freedoms();
  Eigen::MatrixXd z(rows, f), z_dot(rows, f), z_ddot(rows, f);
  std::string missing, wanted;
  for (Eigen::Index k = 0; k < f; ++k) {
    const std::string q = reduced_.coordinate(k).name;
    const std::pair<std::string, Eigen::MatrixXd*> parts[] = {
        {q, &z}, {rate_name(q), &z_dot}, {acceleration_name(q), &z_ddot}};
    for (const auto& [name, target] : parts) {
      if (name.empty()) continue;
      wanted += (wanted.empty() ? "" : ",") + name;
      if (const auto column = table_.find(name))
        target->col(k) = Eigen::Map<const Eigen::VectorXd>(table_.values[*column].data(), rows);
      else
        missing += (missing.empty() ? "'" : ", '") + name + "'";
    }
    if (rate_name(q).empty()) missing += (missing.empty() ? "'" : ", '") + q + "' and its rates";
  }
  if (!missing.empty())
    throw core::ModelError({.what = "the file does not tell the whole motion",
                            .where = path,
                            .expected = "position, rate and acceleration of each freedom",
                            .actual = "a file without " + missing,
                            .next = "Compute it with --outputs " + wanted + " beside the outputs you want."});
  motion_ = std::make_unique<sensing::RecordedMotion>(reduced_, table_.t, z, z_dot, z_ddot);
}

}  // namespace eslabon::cli
