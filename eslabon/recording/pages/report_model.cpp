#include "eslabon/recording/pages/report_model.hpp"

#include "eslabon/kinematics/drivers/driven_structure.hpp"
#include "eslabon/model/mechanism_variant.hpp"
#include "eslabon/runs/request_error.hpp"
#include "eslabon/runs/start/released_start.hpp"

namespace eslabon::recording {

ReportModel::ReportModel(model::Mechanism loaded, const std::vector<std::string>& released,
                         std::optional<std::string> branch, runs::RunObserver& observer)
    : loaded_(std::move(loaded)),
      shown_(runs::for_field(
          "release",
          [&] { return model::without_drivers(loaded_, runs::released_drivers(released, loaded_)); })),
      released_(model::without_all_drivers(loaded_)),
      structure_(kinematics::analyse_driven_structure(shown_)),
      placement_(runs::find_placement(shown_, structure_, runs::has_few_bodies(shown_))),
      branch_(std::move(branch)) {
  if (!branch_) return;
  const kinematics::AssemblyReport start =
      runs::assembled_as_driven(loaded_, shown_, structure_, branch_, observer);
  std::vector<std::string> branches = std::move(placement_.branches);
  placement_ = runs::placement_at(shown_, structure_, start.bodies);
  placement_.branches = std::move(branches);
}

}  // namespace eslabon::recording
