#include "static_words.hpp"

#include "command_line.hpp"
#include "model_options.hpp"
#include "text_page.hpp"
#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "eslabon/core/shown_digits.hpp"

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

std::string held_text(const std::vector<runs::HeldDriver>& held) {
  constexpr std::size_t kMostDrivers = 8;
  std::vector<std::string> words;
  for (const runs::HeldDriver& driver : held)
    words.push_back(fmt::format("{} at {:.{}g} {}", driver.name, driver.position,
                                core::shown_digits(driver.position, driver.unit, 6), driver.unit));
  return words.empty() ? "" : listed(words, kMostDrivers);
}

}  // namespace eslabon::cli
