#include "eslabon/codegen/export_forms.hpp"

#include <algorithm>
#include <array>
#include <string_view>

#include "eslabon/codegen/kinematics_export.hpp"
#include "eslabon/codegen/reduced_export.hpp"
#include "eslabon/codegen/semi_recursive_export.hpp"
#include "eslabon/core/text/error.hpp"
#include "eslabon/core/text/name_list.hpp"
#include "eslabon/kinematics/freedoms/rolling_refusal.hpp"

namespace eslabon::codegen {

namespace {

struct Form {
  std::string_view name;
  ExportedModel (*make)(const dynamics::DynamicModel& model, const MotionExportOptions& options);
};
// A new form is one file and one line here.
constexpr std::array kForms{Form{"multipliers", &export_motion}, Form{"reduced", &export_reduced},
                            Form{"semi-recursive", &export_semi_recursive},
                            Form{"kinematics", &export_kinematics}};

}  // namespace

std::vector<std::string> form_names() {
  std::vector<std::string> names;
  for (const Form& form : kForms) names.emplace_back(form.name);
  return names;
}

ExportedModel export_form(const std::string& form, const dynamics::DynamicModel& model,
                          const MotionExportOptions& options) {
  const auto at = std::ranges::find(kForms, form, &Form::name);
  if (at == kForms.end())
    throw core::ContractError({.what = "no such form of equations",
                               .where = form,
                               .expected = "one of form_names()",
                               .actual = "another word",
                               .next = "Check the word first."});
  kinematics::refuse_rolling_discs(model.mechanism(), "export is");
  if (form == "kinematics" && !(options.unknowns.empty() && options.efforts.empty()))
    throw core::ModelError(
        {.what = "kinematics has no masses and no forces",
         .where = "form '" + form + "'",
         .expected = "another form for factors and efforts",
         .actual = core::quoted(options.unknowns.empty() ? options.efforts.front()
                                                         : options.unknowns.front().column.name),
         .next = "Leave them out, or take another form."});
  return at->make(model, options);
}

}  // namespace eslabon::codegen
