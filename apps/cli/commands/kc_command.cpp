#include <algorithm>
#include <cmath>
#include <cstdio>
#include <memory>

#include "apps/cli/commands/kc.hpp"
#include "apps/cli/text/command_reference.hpp"
#include "apps/cli/text/fact_lines.hpp"
#include "apps/cli/text/motion_output.hpp"
#include "apps/cli/text/text_table.hpp"
#include "apps/cli/words/command_line.hpp"
#include "apps/cli/words/model_options.hpp"
#include "apps/cli/words/path_check.hpp"
#include "apps/cli/words/presentation.hpp"
#include "apps/cli/words/provenance.hpp"
#include "apps/cli/words/report_output.hpp"
#include "apps/cli/words/terminal_observer.hpp"
#include <CLI/CLI.hpp>

#include "eslabon/io/quantities/quantity.hpp"
#include "eslabon/vehicle/suspension_rig_facts.hpp"
#include "eslabon/vehicle/suspension_rig_part.hpp"

namespace eslabon::cli {

namespace {

struct KcWords {
  std::string model;
  io::ModelSettings set;
  std::string travel = "60 mm", step = "5 mm";
  std::optional<std::string> force, torque, steer, lateral, longitudinal, aligning, radius, wheelbase,
      mass_center_height;
  bool standing = false;
  std::optional<std::string> out, report, header;
};

/// "310 mm" as SI.
double read_quantity_of(const std::string& option, const std::string& meaning, const std::string& text,
                        const core::Dimension& dimension) {
  return naming_option(option, [&] {
    const io::Quantity quantity = io::parse_quantity(text, {});
    io::check_dimension(quantity.measure(), dimension, {.name = meaning, .text = text, .where = {}});
    return quantity.value;
  });
}

vehicle::KcRequest read_request(const KcWords& words) {
  const auto read = [](const char* option, const char* meaning, const std::optional<std::string>& text,
                       const core::Dimension& dimension) -> std::optional<double> {
    if (!text) return std::nullopt;
    return read_quantity_of(option, meaning, *text, dimension);
  };
  const core::Dimension force = core::kForce, torque = core::kTorque, length = core::kLength;
  vehicle::KcRequest request{
      .travel = read_quantity_of("--travel", "travel of the wheels", words.travel, length),
      .travel_step = read_quantity_of("--travel-step", "step of the travel", words.step, length),
      .steer = read("--steer", "turn of the steering wheel", words.steer, core::kAngle),
      .load = {.longitudinal =
                   read("--longitudinal", "longitudinal load", words.longitudinal, force).value_or(0.0),
               .lateral = read("--lateral", "lateral load", words.lateral, force).value_or(0.0),
               .aligning = read("--aligning", "aligning torque", words.aligning, torque).value_or(0.0)},
      .force = read("--force", "range of forces", words.force, force),
      .torque = read("--torque", "range of torques", words.torque, torque),
      .standing = words.standing,
      .radius = read("--radius", "radius of the tyres", words.radius, length),
      .wheelbase = read("--wheelbase", "wheelbase", words.wheelbase, length),
      .mass_center_height =
          read("--mass-center-height", "height of the mass centre", words.mass_center_height, length)};
  vehicle::check(request);
  return request;
}

model::Mechanism load(const KcWords& words) {
  if (!vehicle::is_part_file(words.model)) return cli::load_model(words.model, words.set);
  const io::DescribedMechanism axle = vehicle::part_on_axle(words.model, words.set);
  note_part_files(axle);
  print_notes(axle.doubts());
  return axle.mechanism;
}

/// Which files --out stands for; what else is read or written is none of them.
void check_files_of(const std::string& out, const model::Mechanism& mechanism) {
  if (!mechanism.vehicle()) return;
  std::vector<NamedPath> written;
  for (const std::string& file : vehicle::kc_files(out, mechanism.vehicle()->axles.size()))
    written.push_back({"--out", file});
  check_request_again({}, written);
  for (const NamedPath& file : written) check_file(file.path, "the sweep");
  add_written(written);
}

void add_table(TextPage& page, const report::Table& table, const PageStyle& style) {
  page.heading(table.title);
  std::vector<std::string> headings, units;
  for (const report::Table::Column& column : table.columns) {
    const bool is_text = column.label == "figure" || column.label == "unit" || column.label == "load";
    headings.push_back((is_text ? "" : ">") + column.label);
    units.push_back(column.unit);
  }
  const bool has_units = std::ranges::any_of(units, [](const std::string& unit) { return !unit.empty(); });
  TextTable text(headings);
  if (has_units) text.add_row(units);
  for (const std::vector<std::string>& row : table.rows) text.add_row(row);
  page.append(text.text(0, "", style.table_width));
}

std::string kc_page(const vehicle::KcResult& result, const std::vector<std::string>& files,
                    const PageStyle& style) {
  TextPage page(style);
  page.title(result.mechanism, "suspension rig");
  add_facts(page, vehicle::kc_facts(result));
  for (const vehicle::KcAxle& axle : result.axles)
    for (const report::Table& table : vehicle::kc_tables(result, axle)) add_table(page, table, style);
  if (!files.empty()) {
    page.append("\n");
    page.fact("Written", listed(files, 12));
  }
  return page.text();
}

void run_kc(const KcWords& words, const Presentation& presentation) {
  vehicle::KcRequest request = read_request(words);
  request.turns_steering = vehicle::is_part_file(words.model);
  const io::HeaderStyle header = read_header(words.header);
  refuse_if(words.out && !words.out->ends_with(".csv"),
            {"the sweeps have the wrong kind of file", "--out", "a name that ends in .csv",
             io::in_quotes(words.out.value_or("")),
             "Write, for example, --out kc.csv; each sweep becomes a file of its own."});
  check_report_option(words.report);
  const model::Mechanism mechanism = load(words);
  if (words.out) check_files_of(*words.out, mechanism);
  naming(words.model, [&] {
    TerminalObserver observer;
    const vehicle::KcResult result = vehicle::run_suspension_rig(mechanism, request, observer);
    observer.clear();
    std::vector<std::string> files;
    if (words.out) files = vehicle::write_kc_files(*words.out, result, header);
    if (words.report) {
      write_report(*words.report, vehicle::kc_report(result, mechanism));
      files.push_back(*words.report);
    }
    presentation.show(
        stdout, [&](const PageStyle& style) { return kc_page(result, files, style); },
        [&] { return vehicle::kc_json(result, files, provenance_of_run()); });
    print_notes(result.notes);
  });
}

}  // namespace

void add_kc_command(CLI::App& app, const Presentation& presentation) {
  auto words = std::make_shared<KcWords>();
  CLI::App* command = app.add_subcommand(
      "kc", "Puts a vehicle on the suspension rig: kinematics and compliance of its axles");
  command
      ->add_option(
          "MODEL", words->model,
          "The file of a vehicle, with a section 'vehicle:', or of a part with one tyre (a corner) or two")
      ->required();
  begin_group(*command, kMethodOptions);
  add_text(*command, "--travel", "LENGTH", words->travel, "Travel of the wheels, up and down")
      ->capture_default_str();
  add_text(*command, "--travel-step", "LENGTH", words->step, "Travel from row to row")->capture_default_str();
  add_text(*command, "--steer", "ANGLE", words->steer,
           "Turn of the steering wheel to both sides [until wheels are at 35 deg]");
  add_text(
      *command, "--force", "FORCE", words->force,
      "Lateral and longitudinal forces are swept up to this, to both sides [3 kN where wheels give way]");
  add_text(*command, "--torque", "TORQUE", words->torque,
           "Aligning torques are swept up to this, to both sides [150 N m where wheels give way]");
  add_text(*command, "--lateral", "FORCE", words->lateral,
           "Lateral load on each wheel of the axle, to the left [0]");
  add_text(*command, "--longitudinal", "FORCE", words->longitudinal,
           "Longitudinal load on each locked wheel of the axle, forwards [0]");
  add_text(*command, "--aligning", "TORQUE", words->aligning,
           "Aligning torque on each wheel of the axle, to the left [0]");
  command->add_flag(
      "--standing", words->standing,
      "Count travel from where axles carry their part of the weight, instead of where the vehicle is drawn");
  add_text(*command, "--radius", "LENGTH", words->radius,
           "Radius of the tyres where they stand on the pads [that of the free tyres]");
  add_text(*command, "--wheelbase", "LENGTH", words->wheelbase,
           "Wheelbase, where the model has not two axles");
  add_text(*command, "--mass-center-height", "LENGTH", words->mass_center_height,
           "Height of the mass centre above the road [that of the model, with two axles]");
  add_set_option(*command, words->set);
  add_text(*command, "--out", "FILE", words->out, "CSV files of the sweeps: FILE.axle1.travel.csv and so on")
      ->group(kFileOptions);
  add_report_option(*command, words->report);
  add_header_option(*command, words->header);
  show_examples(*command,
                {{"All axles of a vehicle:", "eslabon kc models/vehicles/van-plain.yaml"},
                 {"One corner as an axle, with a report:",
                  "eslabon kc models/vehicles/parts/van-front-corner.yaml --travel '80 mm' --report kc.html"},
                 {"Sweeps as tables, with a side load:",
                  "eslabon kc models/vehicles/van-plain.yaml --lateral '2 kN' --out kc.csv"}});
  command->callback([words, &presentation] { run_kc(*words, presentation); });
}

}  // namespace eslabon::cli
