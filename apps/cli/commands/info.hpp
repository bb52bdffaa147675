#pragma once

#include <string>
#include <vector>

#include "apps/cli/text/page_style.hpp"

#include "eslabon/io/quantities/parameter_facts.hpp"
#include "eslabon/runs/start/mechanism_facts.hpp"

namespace CLI {
class App;
}

namespace eslabon::cli {

struct Presentation;

/// Adds the sub-command `info`.
void add_info_command(CLI::App& app, const Presentation& presentation);

/// How the page is to be laid out.
struct PageOptions {
  bool is_complete = false;  ///< every row of every table
  PageStyle style = {};
};

/// The page for people. `parameters`: of the file, or keys of the family.
std::string info_page(const runs::MechanismFacts& facts, const std::vector<io::ParameterFact>& parameters,
                      const PageOptions& options);

}  // namespace eslabon::cli
