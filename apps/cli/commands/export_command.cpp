#include <cstdio>
#include <filesystem>
#include <memory>

#include "apps/cli/commands/export.hpp"
#include "apps/cli/text/command_reference.hpp"
#include "apps/cli/text/text_page.hpp"
#include "apps/cli/text/text_table.hpp"
#include "apps/cli/words/command_line.hpp"
#include "apps/cli/words/export_parameters.hpp"
#include "apps/cli/words/model_options.hpp"
#include "apps/cli/words/path_check.hpp"
#include "apps/cli/words/presentation.hpp"
#include "apps/cli/words/provenance.hpp"
#include "apps/cli/words/terminal_observer.hpp"
#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "eslabon/codegen/export_forms.hpp"
#include "eslabon/codegen/print/printer.hpp"
#include "eslabon/codegen/reserved_names.hpp"
#include "eslabon/coordinates/layout.hpp"
#include "eslabon/core/text/name_list.hpp"
#include "eslabon/dynamics/forces/state_variable.hpp"
#include "eslabon/runs/start/chosen_outputs.hpp"
#include "eslabon/runs/start/released_start.hpp"

namespace eslabon::cli {

namespace {

const std::vector<std::string> kLanguages{"c", "c++", "matlab", "python", "latex", "html"};

struct ExportWords {
  std::string model;
  io::ModelSettings set;
  std::vector<std::string> release;
  std::optional<std::string> branch, outputs, inputs, functions, parameters, name, out, rule;
  std::string form = "multipliers";
  std::string coordinates = "relative";
  std::string languages = "c,matlab,python";
  std::string precision = "double";
};

std::vector<std::string> read_languages(const ExportWords& words) {
  std::vector<std::string> languages = read_names("--language", words.languages, "c,python");
  for (const std::string& language : languages)
    check_word("--language", "unknown language", language, kLanguages);
  std::vector<std::string> once;
  for (const std::string& language : kLanguages)
    if (std::ranges::find(languages, language) != languages.end()) once.push_back(language);
  for (const std::string& language : once)
    refuse_if(
        (language == "html" || language == "latex") && words.form != "multipliers" && words.form != "reduced",
        {"equations to read are those of two forms", "--language " + language,
         "--form multipliers or reduced", "--form " + words.form, "Leave the language out, or the form."});
  return once;
}

std::string read_name(const std::string& name) {
  refuse_if(
      codegen::identifier(name) != name,
      {"not a name of functions", "--name", "letters, digits and single '_', not beginning with a digit",
       core::quoted(name), "Write, for example, --name " + codegen::identifier(name) + "."});
  refuse_if(codegen::is_reserved_name(name),
            {"not a name of functions", "--name",
             "no word of the languages, and no module or function that code uses", core::quoted(name),
             "Write, for example, --name my_" + name + "."});
  return name;
}

/// Documents for people have nothing to run.
bool has_check(const std::vector<std::string>& languages) {
  return std::ranges::any_of(
      languages, [](const std::string& language) { return language != "latex" && language != "html"; });
}

std::vector<codegen::PrintedFile> printed(const codegen::ExportedModel& model,
                                          const std::vector<std::string>& languages,
                                          codegen::Precision precision) {
  std::vector<codegen::PrintedFile> files;
  const auto add = [&](std::vector<codegen::PrintedFile> more) {
    files.insert(files.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
  };
  for (const std::string& language : languages)
    refuse_if((language == "html" || language == "latex") && model.derivation.quantities.empty(),
              {"these equations cannot be read", "--language " + language,
               "structural groups that all have closed forms", model.form, "Take --form multipliers."});
  for (const std::string& language : languages)
    add(language == "c"        ? codegen::print_c(model, precision)
        : language == "c++"    ? codegen::print_lanes(model)
        : language == "matlab" ? codegen::print_matlab(model)
        : language == "latex"  ? codegen::print_latex(model)
        : language == "html"   ? codegen::print_html(model)
                               : codegen::print_python(model));
  if (has_check(languages)) files.push_back(codegen::print_makefile(model, languages));
  return files;
}

/// All files are known not to be other ones that the command names, before the first is written.
void write_files(const std::string& folder, const std::vector<codegen::PrintedFile>& files) {
  std::vector<NamedPath> written;
  for (const codegen::PrintedFile& file : files)
    written.push_back({"--out", (std::filesystem::path(folder) / file.name).string()});
  check_request_again({}, written);
  add_written(written);
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error)
    throw io::WriteError({.what = "the folder could not be made",
                          .where = folder,
                          .expected = "a folder that can be written to",
                          .actual = error.message(),
                          .next = "Give another one with --out."});
  for (std::size_t k = 0; k < files.size(); ++k)
    write_text_file(written[k].path, "the exported model", files[k].text);
}

std::vector<std::vector<std::string>> function_rows(const codegen::ExportedModel& model) {
  std::vector<std::vector<std::string>> rows;
  for (const codegen::ExportedFunction& function : model.functions) {
    const codegen::OperationCounts counts = function.program.counts();
    rows.push_back({function.name,
                    function.matrix ? fmt::format("{} of {} × {}", function.numbers.size(),
                                                  function.matrix->rows, function.matrix->columns)
                                    : fmt::format("{}", function.numbers.size()),
                    function.requested ? fmt::format("{}", function.requested->all()) : "",
                    fmt::format("{}", counts.all()), fmt::format("{}", counts.additions),
                    fmt::format("{}", counts.multiplications), fmt::format("{}", counts.divisions),
                    fmt::format("{}", counts.roots + counts.functions)});
  }
  return rows;
}

std::string export_page(const codegen::ExportedModel& model, const std::string& folder, std::size_t files,
                        const std::vector<std::string>& languages, const PageStyle& style) {
  TextPage page(style);
  page.title(model.title, "export");
  page.fact("Form", model.form);
  page.fact("State", core::counted(model.num_coordinates(), "coordinate") + " and their rates" +
                         (model.num_memory > 0 ? fmt::format(", and {} found last",
                                                             core::counted(model.num_memory, "position"))
                                               : ""));
  page.fact("Inputs",
            core::counted(model.u.size(), "number") + ": " + model.u.front().name +
                (model.u.size() > 1 ? ", " + model.u[1].name + (model.u.size() > 2 ? ", …" : "") : ""));
  page.fact("Pivots", fmt::format("at least {:.3g} of their {}, near the start", model.smallest_margin,
                                  model.pivots_by));
  if (model.plain_scheme.all() > 0)
    page.fact("Plain scheme",
              fmt::format("{} operations for accelerations, by LU of the loop Jacobian and of the "
                          "reduced mass matrix",
                          model.plain_scheme.all()));
  page.append("\n" + TextTable({"function", ">numbers", ">as asked", ">operations", ">sums", ">products",
                                ">quotients", ">functions"},
                               function_rows(model))
                         .text(1000, "", style.table_width));
  page.append("\n");
  page.fact("Written", fmt::format("{} to {} ({}){}", core::counted(files, "file"), folder,
                                   core::joined(languages, ", "),
                                   has_check(languages) ? "; 'make check' there tries them" : ""));
  return page.text();
}

nlohmann::ordered_json operations_json(const codegen::OperationCounts& counts) {
  return {{"sums", counts.additions}, {"products", counts.multiplications}, {"quotients", counts.divisions},
          {"roots", counts.roots},    {"functions", counts.functions},      {"choices", counts.choices}};
}

std::string export_json(const codegen::ExportedModel& model, const std::string& folder,
                        const std::vector<codegen::PrintedFile>& files) {
  nlohmann::ordered_json json{
      {"command", "export"}, {"mechanism", model.title}, {"name", model.name}, {"form", model.form}};
  const auto add = [&](const char* key, const std::vector<core::Column>& columns) {
    for (const core::Column& column : columns)
      json[key].push_back({{"name", column.name}, {"unit", column.unit}});
  };
  add("x", model.x);
  add("u", model.u);
  add("p", model.p);
  for (std::size_t k = 0; k < model.p.size(); ++k) json["p"][k]["default"] = model.start.p[k];
  json["smallest_pivot"] = model.smallest_margin;
  if (model.plain_scheme.all() > 0) json["plain_scheme"] = operations_json(model.plain_scheme);
  for (const codegen::ExportedFunction& function : model.functions) {
    nlohmann::ordered_json one{{"name", function.name}, {"numbers", function.numbers.size()}};
    if (function.matrix) one["matrix"] = {function.matrix->rows, function.matrix->columns};
    one["operations"] = operations_json(function.program.counts());
    if (function.requested) one["before_simplification"] = operations_json(*function.requested);
    json["functions"].push_back(std::move(one));
  }
  json["folder"] = folder;
  for (const codegen::PrintedFile& file : files) json["files"].push_back(file.name);
  json["provenance"] = nlohmann::ordered_json::parse(provenance_of_run().json());
  return json.dump(2) + "\n";
}

/// Equations tell what a state tells.
void check_outputs(const model::Mechanism& mechanism, const std::vector<std::string>& names) {
  const runs::ChosenOutputs chosen = runs::choose_outputs(mechanism, names, true);
  for (const model::Variable& output : chosen.mechanism.outputs())
    refuse_if(!dynamics::is_told_by_state(mechanism, output),
              {"equations do not tell this", "--outputs",
               "variables of the motion, auxiliary states, forces of springs, dampers, stops and friction, formulas "
               "of these",
               core::quoted(model::name(mechanism, output)),
               "Leave it out; 'simulate' computes reactions and efforts."});
}

void run_export(const ExportWords& words, const Presentation& presentation) {
  const std::vector<std::string> languages = read_languages(words);
  check_word("--form", "unknown form of the equations", words.form, codegen::form_names());
  check_word("--coordinates", "unknown kind of coordinates", words.coordinates, coordinates::layout_names());
  refuse_if(words.form != "multipliers" && words.coordinates != "relative",
            {"this form has coordinates of its own", "--coordinates", "the form 'multipliers'",
             core::quoted(words.form), "Omit --coordinates."});
  if (words.rule) {
    check_word("--rule", "unknown rule of a step", *words.rule, {"euler", "heun", "rk4"});
    refuse_if(words.form != "reduced",
              {"only one form has the step of an estimator", "--rule", "--form reduced",
               core::quoted(words.form), "Omit --rule, or ask for that form."});
  }
  check_word("--precision", "unknown precision", words.precision, {"double", "float"});
  codegen::MotionExportOptions options{
      .coordinates = words.coordinates,
      .name = words.name ? read_name(*words.name) : "",
      .outputs = read_outputs(words.outputs).value_or(std::vector<std::string>()),
      .efforts = {}};
  if (words.rule) options.rule = estimation::find_step_rule(*words.rule);
  if (words.functions)
    options.functions = read_names("--functions", *words.functions, "accelerations,outputs");
  if (words.inputs) options.efforts = read_names("--inputs", *words.inputs, "A.q");
  const io::DescribedMechanism loaded = cli::load_described_model(words.model, words.set);
  const model::Mechanism& mechanism = loaded.mechanism;
  if (words.outputs) check_outputs(mechanism, options.outputs);
  if (words.parameters)
    read_export_parameters(*words.parameters, {words.model, words.set, words.release}, loaded, options);
  naming(words.model, [&] {
    TerminalObserver observer;
    const dynamics::DynamicModel model =
        runs::released_model(mechanism, words.release, words.branch, observer);
    codegen::ExportedModel exported = codegen::export_form(words.form, model, options);
    for (const auto& [name, value] : provenance_of_run().lines())
      exported.made_from.push_back(name + ": " + value);
    const std::vector<codegen::PrintedFile> files =
        printed(exported, languages,
                words.precision == "float" ? codegen::Precision::kFloat : codegen::Precision::kDouble);
    const std::string folder = words.out.value_or(exported.name);
    write_files(folder, files);
    presentation.show(
        stdout,
        [&](const PageStyle& style) { return export_page(exported, folder, files.size(), languages, style); },
        [&] { return export_json(exported, folder, files); });
  });
}

}  // namespace

void add_export_command(CLI::App& app, const Presentation& presentation) {
  auto words = std::make_shared<ExportWords>();
  CLI::App* command = app.add_subcommand("export",
                                         "Writes the equations of a mechanism as code that needs nothing "
                                         "else (C, C++, MATLAB/Octave, Python), or to read "
                                         "(HTML, LaTeX)");
  add_model_word(*command, words->model);
  begin_group(*command, kFileOptions);
  add_text(*command, "--out", "DIR", words->out, "Folder for the files (the name of the model)");
  add_text(*command, "--language", "NAMES", words->languages,
           "Languages, of c, c++ (many states at once), matlab (also for Octave) and python; latex and html "
           "are for "
           "reading")
      ->capture_default_str();
  add_text(*command, "--name", "NAME", words->name,
           "First part of the names of files and functions (that of the mechanism)");
  offer_words(
      add_text(*command, "--precision", "WORD", words->precision, "Numbers of the C code: double or float")
          ->capture_default_str(),
      {"double", "float"});
  offer_words(
      add_text(*command, "--form", "WORD", words->form,
               "Form of the equations: multipliers (all coordinates, loops closed by Lagrange multipliers), "
               "reduced (as many equations as degrees of freedom), semi-recursive (all relative coordinates, "
               "projected) or kinematics (no forces)")
          ->capture_default_str()
          ->group(kMethodOptions),
      codegen::form_names());
  offer_words(
      add_text(*command, "--rule", "WORD", words->rule,
               "With --form reduced also the step of an estimator and its derivatives: euler, heun or rk4")
          ->group(kMethodOptions),
      {"euler", "heun", "rk4"});
  offer_words(
      add_text(
          *command, "--coordinates", "KIND", words->coordinates,
          "Coordinates of the equations: relative (along the spanning tree), reference-point (with Euler "
          "parameters) or natural")
          ->capture_default_str()
          ->group(kMethodOptions),
      coordinates::layout_names());
  add_set_option(*command, words->set);
  add_release_option(*command, words->release);
  add_branch_option(*command, words->branch);
  add_outputs_option(*command, words->outputs);
  add_text(*command, "--inputs", "NAMES", words->inputs,
           "Joint coordinates along which an effort comes from outside, as a controller's: A.q,B.q")
      ->group(kModelOptions);
  add_text(*command, "--functions", "NAMES", words->functions,
           "Functions that are written; accelerations and steps always are (all)")
      ->group(kFileOptions);
  add_text(
      *command, "--parameters", "NAMES", words->parameters,
      "What stays a symbol: parameters of the file, or all of them, and factors of masses, springs, dampers "
      "and friction as mass:BODY, stiffness:NAME, damping:NAME, friction:JOINT")
      ->group(kModelOptions);
  show_examples(
      *command,
      {{"The equations of a four-bar in C, and a check that they are right:",
        "eslabon export models/fourbar-testbed.yaml --release motor --language c --out testbed && make -C "
        "testbed check"},
       {"The same equations to read, with the numbers and names that the code has:",
        "eslabon export models/fourbar-testbed.yaml --release motor --language c,html,latex --out testbed"},
       {"The same with lengths of crank and rocker, and the mass of the coupler as a factor, as symbols:",
        "eslabon export models/fourbar-testbed.yaml --release motor --parameters crank,rocker,mass:coupler"},
       {"A model for a controller: C with single precision and the torque of the motor as input:",
        "eslabon export models/fourbar-testbed.yaml --release motor --inputs A.q --language c --precision "
        "float"}});
  command->callback([words, &presentation] { run_export(*words, presentation); });
}

}  // namespace eslabon::cli
