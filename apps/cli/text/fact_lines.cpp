#include "apps/cli/text/fact_lines.hpp"

#include "apps/cli/words/command_line.hpp"

namespace eslabon::cli {

void add_facts(TextPage& page, const std::vector<report::Fact>& facts) {
  for (const report::Fact& fact : facts) page.fact(fact.label, in_option_words(fact.value));
}

}  // namespace eslabon::cli
