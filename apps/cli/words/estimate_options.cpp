#include "apps/cli/words/estimate_options.hpp"

#include <algorithm>
#include <type_traits>
#include <variant>

#include "apps/cli/text/command_reference.hpp"
#include "apps/cli/words/command_line.hpp"
#include "apps/cli/words/model_options.hpp"
#include "apps/cli/words/report_output.hpp"
#include <CLI/CLI.hpp>

#include "eslabon/codegen/compile/compiled_formulation.hpp"
#include "eslabon/estimation/estimator.hpp"
#include "eslabon/io/quantities/quantity.hpp"
#include "eslabon/study/filter_settings.hpp"
#include "eslabon/study/model_estimation.hpp"

namespace eslabon::cli {

namespace {

using Options = EstimateOptions;

/// One option: its name, what help calls its value (nullptr: a flag), and where its text goes; nowhere named: to the setting of that name.
struct OptionRow {
  const char* name;
  const char* value;
  const char* help;
  std::variant<std::monostate, std::string Options::*, std::optional<std::string> Options::*, bool Options::*,
               std::vector<std::string> Options::*>
      place = {};
};

const std::vector<OptionRow> kReadings{
    {"measurements", "FILE",
     "Measurement file, as 'sense' writes it; with --live the standard input is read instead",
     &Options::measurements},
    {"sensors", "NAMES", "Sensors to use instead of all", &Options::sensors},
    {"gate", "NUMBER",
     "Probability of rejecting a good reading as an outlier; 0 accepts every reading [1e-6]"},
    {"window", "TIME",
     "How long to wait for readings that arrive out of order, which delays live estimates as much "
     "[20 ms; with --live 5 ms]"},
    {"live", nullptr, "Read the standard input, or --udp, in real time", &Options::live},
    {"udp", "PORT", "With --live, read datagrams sent to 127.0.0.1:PORT", &Options::udp},
    {"any-sender", nullptr,
     "With --udp, accept datagrams from all senders, not only from the first that sends a reading",
     &Options::any_sender},
    {"spin", "TIME",
     "With --live: busy-wait this long before each step, which takes that share of a core; 0 to sleep "
     "[0.1 ms, at most half a step]",
     &Options::spin}};

const std::vector<OptionRow> kTimes{
    {"step", "TIME",
     "Time step of the computation: of the filter [that of section 'estimation' of the file, or 1 ms]"},
    {"every", "TIME", "Time between rows of the results; without it --step"},
    {"until", "TIME", "End time; without it the last reading"}};

const std::vector<OptionRow> kFiles{
    {"out", "FILE", "CSV file for the estimate; - is the standard output", &Options::out},
    {"truth", "FILE", "Result file of the true motion: errors are then reported", &Options::truth}};

const std::vector<OptionRow> kPageFiles{
    {"report-particles", "N",
     "For particle: particles that --report shows at each instant; 0 for none [2000]",
     &Options::report_particles}};

const std::vector<OptionRow> kFilter{
    {"filter", "NAMES",
     "dekf (error-ekf is the same filter), ukf, cekf, particle or grid; several, separated by commas, "
     "are compared in one table [dekf]",
     &Options::filter},
    {"jacobian", "NAME", "Jacobian of the state transition: exact, by dual numbers, or simple [exact]"},
    {"integrator", "NAME", "Integrator of the filter's steps: euler, heun or rk4 [heun]"},
    {"start", "WORD",
     "model: near the start of the file; unknown: anywhere, on any branch, for filters that support it "
     "[model]",
     &Options::start},
    {"compiled", nullptr,
     "Machine code for the motion, made by the C compiler of the system and kept for the next run; the "
     "result "
     "is the same to roundoff, of particle to the last bit",
     &Options::compiled},
    {"start-deviation", "ANGLE",
     "Standard deviation of the start position; for lengths, this angle in radians times the "
     "mechanism's size [5 deg]"},
    {"start-rate-deviation", "RATE", "Standard deviation of the start rates [5 deg/s]"}};

const std::vector<OptionRow> kNoise{
    {"position-noise", "NUMBER", "Random walk of positions over 1 s, in rad or sizes of the mechanism [0]"},
    {"velocity-noise", "NUMBER", "Random walk of rates over 1 s, in rad/s or sizes/s [0.5]"},
    {"acceleration-noise", "NUMBER",
     "Standard deviation of an acceleration that is constant over each step [0]"},
    {"unknown", "WHAT",
     "Estimate this too (repeatable): force:wheel.W.z, force:A.q, bias:SENSOR or bias:SENSOR.CHANNEL, "
     "mass:BODY, stiffness:SPRING, damping:DAMPER or friction:JOINT, then ,sigma=… and ,walk=… (random walk "
     "over 1 s; 0: constant); state:NAME for what is known of an auxiliary state",
     &Options::unknown},
    {"forces", nullptr,
     "Estimate a force along each degree of freedom, as a random walk, for what the model lacks",
     &Options::forces},
    {"force-deviation", "NUMBER", "Standard deviation of --forces at the start, in rad/s^2 or sizes/s^2 [1]"},
    {"force-walk", "NUMBER", "Random walk of --forces over 1 s, in the same units [1]"}};

const std::vector<OptionRow> kParticles{
    {"particles", "N", "Number of particles [1000]"},
    {"fewest", "N",
     "Minimum number of particles, which then adapts to their spread, up to --particles [constant]"},
    {"resampling", "NAME", "multinomial, residual, stratified or systematic [systematic]"},
    {"threshold", "NUMBER", "Resample when the effective number falls below this fraction of all [0.5]"},
    {"sampling", "NAME", "bootstrap, regularised or auxiliary [bootstrap]"},
    {"motion", "ANGLE",
     "Standard deviation that each step adds to positions, in rad or sizes of the mechanism [0]"},
    {"roughening", "RATE", "Standard deviation that resampling adds to rates, in rad/s or sizes/s [0]"},
    {"sensor-factor", "NUMBER", "Factor on the noise of the sensors, as the filter assumes it [1]"},
    {"seed", "N", "Seed of all random numbers [1]"},
    {"threads", "N", "Number of threads; the result is bit-identical with any number [1]"}};

const std::vector<std::string> kStarts{"model", "unknown"};

/// The words that an option takes; none: help does not list them.
std::vector<std::string> words_of(const std::string& name) {
  if (name == "filter") return estimation::estimator_names();
  if (name == "start") return kStarts;
  const study::FilterSetting* const setting = study::find_filter_setting(name);
  return setting == nullptr ? std::vector<std::string>() : setting->words();
}

void add_options(CLI::App& command, EstimateOptions& options, const char* heading,
                 const std::vector<OptionRow>& rows) {
  begin_group(command, heading);
  for (const OptionRow& row : rows) {
    const std::string option = std::string("--") + row.name;
    CLI::Option* added = std::visit(
        [&](auto member) -> CLI::Option* {
          using Member = decltype(member);
          if constexpr (std::is_same_v<Member, std::monostate>)
            return command.add_option(option, options.settings[row.name], row.help);
          else if constexpr (std::is_same_v<Member, bool Options::*>)
            return command.add_flag(option, options.*member, row.help);
          else
            return command.add_option(option, options.*member, row.help);
        },
        row.place);
    if (row.value != nullptr) added->type_name(row.value);
    if (const std::vector<std::string> words = words_of(row.name); !words.empty()) offer_words(added, words);
  }
}

}  // namespace

void add_estimate_options(CLI::App& command, EstimateOptions& options) {
  add_model_word(command, options.model);
  add_options(command, options, "Readings", kReadings);
  add_options(command, options, kTimeOptions, kTimes);
  add_limit_options(command, options.limits, "steps of the filter", kTimeOptions);
  add_options(command, options, kFileOptions, kFiles);
  command.get_option("--out")->required();
  add_report_option(command, options.report);
  add_options(command, options, kFileOptions, kPageFiles);
  add_header_option(command, options.header);
  add_options(command, options, "Filter", kFilter);
  add_options(command, options, "What the model does not know", kNoise);
  command.get_option("--unknown")->allow_extra_args(false);
  add_options(command, options, "Particle filter", kParticles);
  add_set_option(command, options.set);
  add_release_option(command, options.release);
  add_branch_option(command, options.branch);
  add_outputs_option(command, options.outputs);
  show_examples(
      command,
      {{"A true motion, its sensor readings, and the estimate of a filter:",
        "eslabon simulate models/fourbar-testbed.yaml --release motor --until 2 --every '1 ms' --outputs "
        "A.q,A.v,A.a,crank.angle --out truth.csv"},
       {"", "eslabon sense models/fourbar-testbed.yaml --truth truth.csv --out readings.csv"},
       {"",
        "eslabon estimate models/fourbar-testbed.yaml --release motor --measurements readings.csv --truth "
        "truth.csv --out "
        "estimate.csv"},
       {"Two filters side by side:",
        "eslabon estimate models/fourbar-testbed.yaml --release motor --measurements readings.csv --truth "
        "truth.csv --filter "
        "dekf,ukf --out estimate.csv"}});
}

namespace {

/// What a report cannot show.
void check_report(const EstimateOptions& options, const std::vector<std::string>& filters) {
  refuse_if(options.report && options.live,
            {"a live run writes no report", "--report", "a batch run", "--live",
             "Leave it out; make one later from the readings with --measurements."});
  if (!options.report_particles) return;
  static_cast<void>(read_report_particles(options));
  const bool has_particles = std::ranges::any_of(
      filters, [](const std::string& filter) { return filter == "particle" || filter == "grid"; });
  refuse_if(!options.report || !has_particles,
            {"there are no particles to show", "--report-particles", "--report and --filter particle",
             options.report ? "--filter " + options.filter : "no --report",
             "Leave it out, or add what is missing."});
}

/// Where readings come from.
void check_source(const EstimateOptions& options) {
  refuse_if(!options.live && !options.measurements,
            {"no readings", "--measurements", "a file with --measurements, or --live", "neither",
             "Make a file with 'eslabon sense', or read a stream with --live."});
  refuse_if(options.live && options.measurements,
            {"readings from two sources", "--measurements", "a file with --measurements, or --live", "both",
             "Leave one of them out; --live reads the standard input or --udp."});
  refuse_if(options.live && options.truth, {"a live run has no truth", "--truth", "a batch run", "--live",
                                            "Leave it out; compare later with --measurements."});
  refuse_if(options.live && options.filter.find(',') != std::string::npos,
            {"a live run has one filter", "--filter", "one name", io::in_quotes(options.filter),
             "Several can be compared in a batch run."});
  refuse_if(options.live && !options.udp && options.model == io::kStandardInput,
            {"two things from the standard input", "--live", "a file as MODEL, or readings from --udp",
             "- as MODEL", "Give the mechanism as a file."});
  refuse_if(options.any_sender && !options.udp, {"senders without a port", "--any-sender", "--udp", "none",
                                                 "Add --live --udp PORT, or leave it out."});
  refuse_if(options.udp && !options.live,
            {"a port without --live", "--udp", "--live", "a batch run", "Add --live."});
}

}  // namespace

std::vector<std::string> read_filters(const EstimateOptions& options) {
  const std::vector<std::string> filters = read_names("--filter", options.filter, "dekf,ukf");
  for (const std::string& filter : filters)
    refuse_if(std::ranges::count(filters, filter) > 1,
              {"a filter is named twice", "--filter", "each filter once: every one writes a file of its own",
               io::in_quotes(options.filter), "Leave one of them out."});
  return filters;
}

void check_estimate_options(const EstimateOptions& options) {
  const std::vector<std::string> filters = read_filters(options);
  for (const std::string& filter : filters)
    check_word("--filter", "unknown filter", filter, estimation::estimator_names());
  check_word("--start", "unknown start", options.start, kStarts);
  check_report(options, filters);
  check_source(options);
  static_cast<void>(read_header(options.header));
}

runs::EstimateRequest read_request(const EstimateOptions& options, const io::DescribedMechanism& loaded,
                                   std::shared_ptr<codegen::NativeCompiler> compiler) {
  const std::vector<std::string> filters = read_filters(options);
  runs::EstimateRequest request;
  request.filter = filters.front();
  request.has_unknown_start = options.start == "unknown";
  request.is_live = options.live;
  request.release = options.release;
  request.branch = options.branch;
  request.outputs = read_outputs(options.outputs);
  if (options.sensors) request.sensors = read_names("--sensors", *options.sensors, "imu1,encoder");
  study::set_from_model(request, loaded);
  const model::Mechanism& mechanism = loaded.mechanism;
  for (const auto& [name, text] : options.settings)
    if (text) study::find_filter_setting(name)->set(request, {*text}, mechanism);
  if (!options.unknown.empty())
    study::find_filter_setting("unknown")->set(request, options.unknown, mechanism);
  request.forces = options.forces;
  if (compiler) request.motion_compiler = std::make_shared<codegen::MotionCompiler>(compiler);
  request.compiler = std::move(compiler);
  check_request(request, filters);
  return request;
}

std::size_t read_report_particles(const EstimateOptions& options) {
  constexpr std::uint64_t kUsual = 2000, kMost = 1'000'000;
  if (!options.report_particles) return kUsual;
  return read_whole("--report-particles", *options.report_particles, kMost);
}

std::optional<core::Duration> read_spin(const EstimateOptions& options) {
  if (!options.spin) return std::nullopt;
  return read_time_from_zero("--spin", "time to spin", *options.spin);
}

}  // namespace eslabon::cli
