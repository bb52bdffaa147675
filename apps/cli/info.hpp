#pragma once

#include <string>
#include <vector>

#include "page_style.hpp"
#include "placement.hpp"

#include "eslabon/io/parameter_facts.hpp"
#include "eslabon/model/mechanism.hpp"
#include "eslabon/structure/structure.hpp"

namespace CLI {
class App;
}

namespace eslabon::cli {

struct Presentation;

/// Adds the sub-command `info`.
void add_info_command(CLI::App& app, const Presentation& presentation);

/// What `info` found out about a mechanism.
struct MechanismFacts {
  const model::Mechanism& mechanism;
  const structure::Structure& structure;
  Placement placement;
  std::vector<io::ParameterFact> parameters;  ///< of the file, or keys of the family
};

/// How the page is to be laid out.
struct PageOptions {
  bool is_complete = false;  ///< every row of every table
  PageStyle style = {};
};

/// The page for people.
std::string info_page(const MechanismFacts& facts, const PageOptions& options);

/// The same for programs: one JSON object. Its keys are a contract, docs/command-line.md lists them.
std::string info_json(const MechanismFacts& facts);

}  // namespace eslabon::cli
