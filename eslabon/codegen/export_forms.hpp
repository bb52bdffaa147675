#pragma once

#include <string>
#include <vector>

#include "eslabon/codegen/exported_model.hpp"
#include "eslabon/codegen/motion_export.hpp"

namespace eslabon::codegen {

/// The forms that equations are exported in, by name.
std::vector<std::string> form_names();
/// `form`: one of these names.
ExportedModel export_form(const std::string& form, const dynamics::DynamicModel& model,
                          const MotionExportOptions& options);

}  // namespace eslabon::codegen
