#include "apps/cli/words/static_words.hpp"

#include "apps/cli/words/command_line.hpp"
#include "apps/cli/words/model_options.hpp"
#include <CLI/CLI.hpp>

namespace eslabon::cli {

void add_static_options(CLI::App& command, StaticWords& words) {
  add_model_word(command, words.model);
  command
      .add_option("--time", words.time,
                  "Time at which loads and drivers are evaluated and held, in s or with a unit [0]")
      ->type_name("TIME")
      ->group(kTimeOptions);
  add_release_option(command, words.request.release);
  add_branch_option(command, words.request.branch);
  add_outputs_option(command, words.outputs);
  add_set_option(command, words.set);
}

runs::StaticRequest read_static_request(const StaticWords& words) {
  runs::StaticRequest request = words.request;
  if (words.time) request.time = read_time_from_zero("--time", "time of the loads and drivers", *words.time);
  request.outputs = read_outputs(words.outputs);
  return request;
}

}  // namespace eslabon::cli
