#pragma once

#include <optional>
#include <string>
#include <vector>

#include "eslabon/recording/pages/report_model.hpp"
#include "eslabon/report/page/remade_page.hpp"

/// Reports of files that earlier runs wrote.
namespace eslabon::study {

/// The files of a report, sorted by what they are (recording::ResultKind).
struct ReportFiles {
  std::optional<std::string> model = {};
  std::vector<std::string> results = {}, estimates = {}, readings = {}, studies = {}, pages = {};
};
/// Throws runs::RequestError for two mechanisms, and io::FileError for what is none of these.
ReportFiles sort_report_files(const std::vector<std::string>& files);

/// Everything that the files tell, in their order; a mechanism alone where it is assembled. `model`: of files.model; nullptr: none.
report::Report result_report(const std::vector<std::string>& files, const ReportFiles& sorted,
                             const recording::ReportModel* model, runs::RunObserver& observer);

/// Plots where there are any, otherwise the structural diagram; nothing where there is neither.
std::optional<std::string> drawing_of(const report::Report& report, const recording::ReportModel* model);

/// A report that was made before. Only its data are taken: it may be a stranger's. Throws io::FileError for what is none.
report::RemadePage read_page(const std::string& path);

/// "motion.csv" of a path, of a folder its own name.
std::string file_name(const std::string& path);

}  // namespace eslabon::study
