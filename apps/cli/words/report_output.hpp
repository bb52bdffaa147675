#pragma once

#include <exception>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "eslabon/report/report.hpp"

namespace CLI {
class App;
}

namespace eslabon::cli {

/// The option --report FILE.html of a sub-command.
void add_report_option(CLI::App& command, std::optional<std::string>& file);
/// Fails when the report has no place to go, or does not end in .html. Before the run.
void check_report_option(const std::optional<std::string>& file);
/// The same for any file of a page: `option` "--png", `what` "the picture", `ending` ".png".
void check_page_file(const std::string& option, const std::string& what, const std::string& ending,
                     const std::string& file);
/// The page as text; on stderr what had to be left out of it.
std::string page_of(const report::Report& report);
/// Writes the page, and on stderr what had to be left out of it.
void write_report(const std::string& path, const report::Report& report);

/// A page that cannot be written does not hide how its run ended: why it is not written, to be told afterwards; nullptr when it is.
std::exception_ptr written_page(const std::function<void()>& write);
/// Throws that; where the run `has_failed` and will say so itself, only a note on stderr.
void tell_unwritten(const std::exception_ptr& unwritten, bool has_failed);
/// Does the work of a run. Where it throws core::ModelError, a page of what there is comes first: `write_page` gets the reason.
bool run_with_page(const std::function<bool()>& work,
                   const std::function<void(const std::string& failure)>& write_page);

}  // namespace eslabon::cli
