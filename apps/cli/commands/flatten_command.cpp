#include <cstdio>
#include <memory>
#include <string>

#include "apps/cli/commands/flatten.hpp"
#include "apps/cli/text/command_reference.hpp"
#include "apps/cli/words/command_line.hpp"
#include "apps/cli/words/model_options.hpp"
#include "apps/cli/words/presentation.hpp"
#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "eslabon/io/mechanism/mechanism_writer.hpp"
#include "eslabon/study/model_estimation.hpp"

namespace eslabon::cli {

namespace {

struct FlattenWords {
  std::string model;
  io::ModelSettings set;
  std::string out;
};

void run_flatten(const FlattenWords& words, const Presentation& presentation) {
  if (!words.out.empty()) check_file(words.out, "the mechanism");
  const io::DescribedMechanism loaded = io::load_model_as_written(words.model, words.set);
  note_part_files(loaded);
  runs::EstimateRequest request;
  study::set_from_model(request, loaded);
  const std::string text = io::write_mechanism(loaded.mechanism) + io::write_estimation(loaded.estimation);
  if (!words.out.empty()) return write_text_file(words.out, "the mechanism", text);
  presentation.show(
      stdout, [&](const PageStyle&) { return text; },
      [&] {
        return nlohmann::json{{"text", text}}.dump(2);
      });
}

}  // namespace

void add_flatten_command(CLI::App& app, const Presentation& presentation) {
  auto words = std::make_shared<FlattenWords>();
  CLI::App* command = app.add_subcommand(
      "flatten", "The plain file of a model: without parts, parameters and units, numbers exact");
  add_model_word(*command, words->model);
  begin_group(*command, kFileOptions);
  command->add_option("--out", words->out, "The file to write, instead of the standard output")
      ->type_name("FILE");
  add_set_option(*command, words->set);
  show_examples(*command, {{"A mechanism of a family as a file to be changed by hand:",
                            "eslabon flatten family:scalable-fourbar,dyads=3 --out dyads.yaml"},
                           {"What the parts of a model come to:",
                            "eslabon flatten models/parts/stewart-platform.yaml"}});
  command->callback([words, &presentation] { run_flatten(*words, presentation); });
}

}  // namespace eslabon::cli
