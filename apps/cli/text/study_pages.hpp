#pragma once

#include <string>
#include <vector>

#include "apps/cli/text/page_style.hpp"

#include "eslabon/study/study_facts.hpp"

namespace eslabon::cli {

/// What `eslabon study` prints at its end.
std::string study_page(const study::ToldStudy& outcome, const PageStyle& style);
/// What it would try.
std::string plan_page(const study::StudyPlan& plan, const PageStyle& style);
/// What one try has done, with its rows in `file`.
std::string try_page(const study::StudyPlan& plan, const std::vector<core::Column>& outputs,
                     const study::TryResult& result, const std::string& file,
                     const std::optional<codegen::NativeCompiler::Report>& compiled, const PageStyle& style);

}  // namespace eslabon::cli
