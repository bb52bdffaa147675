// The program `eslabon`: a thin door to the layers. Results go to stdout, messages to stderr.
// Exit status: 0 the work was done, 1 it could not be done, 2 the command line or a file it names was wrong, 130 and 143 a signal stopped it.

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <iostream>
#include <new>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "apps/cli/commands/bench.hpp"
#include "apps/cli/commands/equilibrium.hpp"
#include "apps/cli/commands/estimate.hpp"
#include "apps/cli/commands/export.hpp"
#include "apps/cli/commands/flatten.hpp"
#include "apps/cli/commands/info.hpp"
#include "apps/cli/commands/inverse.hpp"
#include "apps/cli/commands/kc.hpp"
#include "apps/cli/commands/kinematics.hpp"
#include "apps/cli/commands/manoeuvre.hpp"
#include "apps/cli/commands/modes.hpp"
#include "apps/cli/commands/reference_commands.hpp"
#include "apps/cli/commands/report_command.hpp"
#include "apps/cli/commands/sense.hpp"
#include "apps/cli/commands/simulate.hpp"
#include "apps/cli/commands/study.hpp"
#include "apps/cli/text/help_text.hpp"
#include "apps/cli/text/motion_output.hpp"
#include "apps/cli/words/command_line.hpp"
#include "apps/cli/words/path_check.hpp"
#include "apps/cli/words/presentation.hpp"
#include "apps/cli/words/provenance.hpp"
#include "apps/cli/words/run_limit.hpp"
#include <CLI/CLI.hpp>
#include <fcntl.h>
#include <unistd.h>

#include "eslabon/core/text/nearest_name.hpp"
#include "eslabon/io/files/partial_file.hpp"

namespace {

constexpr int kFailed = 1;
constexpr int kWrongInput = 2;

constexpr const char* kUnwritten =
    "the output could not be written [the standard output]: expected room for it, got an error. Check where "
    "it goes.";

/// Descriptors 0 to 2 that are closed when the program begins would be given to the next files it opens, and messages would go into them. What
/// stands there instead cannot be read or written: who asks for a closed stream is told.
void reserve_standard_descriptors() {
  for (const int descriptor : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    if (fcntl(descriptor, F_GETFD) == -1 && errno == EBADF)  // the lowest that is free is this one
      static_cast<void>(open("/dev/null", descriptor == STDOUT_FILENO ? O_RDONLY : O_WRONLY));
}

/// Whether all of the standard output has been taken.
bool is_output_written() {
  std::cout.flush();
  return !std::cout.fail() && std::fflush(stdout) == 0 && std::ferror(stdout) == 0;
}

/// The last thing that the program does when it can neither go on nor undo its work: no file that is not complete, a sentence, and no signal.
[[noreturn]] void end_with_a_sentence() {
  constexpr std::string_view kSentence =
      "eslabon: the run was aborted: not enough memory, or a fault of this program. No incomplete file is "
      "left that looks complete.\n";
  eslabon::io::PartialFile::remove_all();
  static_cast<void>(::write(STDERR_FILENO, kSentence.data(), kSentence.size()) < 0);
  std::_Exit(kFailed);
}

/// Without memory libraries end the program in ways of their own: nlohmann::json allocates when it destroys, where nothing may be thrown; a
/// matrix of Eigen that could not grow is freed twice, which the C library notices and aborts.
void end_with_a_sentence_at_last() {
  std::set_terminate(end_with_a_sentence);
  std::signal(SIGABRT, [](int) { end_with_a_sentence(); });
}

/// One sentence about a wrong command line: what was typed, the nearest thing there is, where help is.
std::string explain(const CLI::App& app, const CLI::ParseError& error, int argc, char** argv) {
  // The command that the words lead to, "eslabon bench kinematics", and the first word behind it.
  const CLI::App* command = &app;
  std::string path = "eslabon";
  int next = 1;
  std::vector<std::string> names;
  while (true) {
    names.clear();
    for (const CLI::App* sub : command->get_subcommands({})) names.push_back(sub->get_name());
    if (next >= argc || std::ranges::find(names, argv[next]) == names.end()) break;
    path += std::string(" ") + argv[next];
    command = command->get_subcommand(argv[next++]);
  }
  const std::string help = " '" + path + " --help' ";
  if (!names.empty() && (next >= argc || argv[next][0] != '-')) {
    if (next >= argc)
      return "a command is missing after '" + path + "': expected " + eslabon::core::quoted_list(names) +
             "." + help + "shows what there is.";
    const auto nearest = eslabon::core::nearest_name(argv[next], names);
    return std::string("unknown command '") + argv[next] + "'" +
           (nearest ? ", did you mean '" + *nearest + "'?" : ".") + help + "lists the commands.";
  }
  // An option that nobody knows: find the nearest one of the command. It may be a required one misspelt.
  if (dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr ||
      dynamic_cast<const CLI::RequiredError*>(&error) != nullptr) {
    std::vector<std::string> options;
    for (const CLI::Option* option : command->get_options())
      if (!option->get_lnames().empty()) options.push_back("--" + option->get_lnames().front());
    for (int i = next; i < argc; ++i) {
      const std::string word = argv[i];
      const std::string name = word.substr(0, word.find('='));
      if (!word.starts_with("--") || std::ranges::find(options, name) != options.end()) continue;
      const auto nearest = path == "eslabon sense" && name == "--step"  // which is a step of computations
                               ? std::optional<std::string>("--every")
                               : eslabon::core::nearest_name(name, options);
      return "unknown option '" + name + "'" + (nearest ? ", did you mean '" + *nearest + "'?" : ".") + help +
             "shows what there is.";
    }
  }
  if (dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr)
    for (const std::string& word : command->remaining())
      return "unexpected word '" + word + "'." + help + "shows what there is.";
  std::string text = error.what();
  if (!text.empty() && text.back() != '.') text += '.';
  return text + help + "shows what there is.";
}

/// Everything that can be typed.
void add_commands(CLI::App& app, eslabon::cli::Presentation& presentation,
                  std::optional<std::string>& provenance) {
  using namespace eslabon::cli;
  use_help_text(app);
  app.set_version_flag("--version", "eslabon " ESLABON_VERSION, "Print the version")->group("Options");
  app.require_subcommand(1);
  const auto in_group = [&](const char* heading, auto... add) {
    const std::size_t before = app.get_subcommands({}).size();
    (add(app, presentation), ...);
    const std::vector<CLI::App*> commands = app.get_subcommands({});
    for (std::size_t k = before; k < commands.size(); ++k) commands[k]->group(heading);
  };
  in_group("Understand", add_info_command);
  in_group("Move", add_kinematics_command, add_simulate_command, add_inverse_command, add_equilibrium_command,
           add_modes_command);
  in_group("Drive", add_manoeuvre_command, add_kc_command);
  in_group("Instrument", add_sense_command, add_estimate_command, add_study_command);
  in_group("Take elsewhere", add_export_command, add_flatten_command);
  in_group("See and measure", add_report_command, add_bench_command);
  add_provenance_option(app, provenance);
  add_presentation_options(app, presentation);
  in_group("This program", [](CLI::App& all, const Presentation&) { add_reference_commands(all); });
  app.footer(  // last, because commands take over what their parent has
      "MODEL is a mechanism file (docs/mechanism-file.md), a family such as "
      "family:scalable-fourbar,dyads=17, or - for a file from the standard input. 'eslabon COMMAND --help' "
      "shows more, with examples.\n\nExit status: 0 the work was done; 1 it could not be done: the mechanism "
      "cannot be assembled or moved as asked, a method does not converge; 2 the command line, or a file that "
      "it names, is wrong; 130 or 143 it was stopped by SIGINT (Ctrl-C) or SIGTERM: rows so far are kept.");
}

/// All that is checked before a command does anything.
void begin_request(const CLI::App& app, const eslabon::cli::Presentation& presentation,
                   const std::optional<std::string>& provenance, std::vector<std::string> words) {
  using namespace eslabon::cli;
  const RequestedFiles files = requested_files(app);
  check_request(files);
  if (provenance) {
    check_also_out("--provenance", "the facts of the run", *provenance);
    check_file(*provenance, "the provenance");
  }
  const auto is_table = [](const NamedPath& file) { return file.path == "-" || file.path.ends_with(".csv"); };
  const bool is_told = presentation.is_json || provenance || !std::ranges::all_of(files.written, is_table);
  words.front() = "eslabon";
  begin_provenance(std::move(words), files, is_told);
}

int run_program(int argc, char** argv) {
  CLI::App app("eslabon: describe a mechanism once; understand, move, instrument and estimate it.",
               "eslabon");
  eslabon::cli::Presentation presentation;
  std::optional<eslabon::cli::SilentErrors> silence;
  std::optional<std::string> provenance;
  add_commands(app, presentation, provenance);
  app.parse_complete_callback([&] {
    check_presentation(presentation, app);
    begin_request(app, presentation, provenance, {argv, argv + argc});
    if (presentation.is_quiet) silence.emplace();
  });
  const auto fail = [&](const std::string& message, int status) {
    silence.reset();
    std::fprintf(stderr, "eslabon: %s\n", message.c_str());
    return status;
  };
  // Of a run that was cut or failed with rows there is something to tell, too.
  const auto fail_at_work = [&](const std::string& message, int status) {
    try {
      if (provenance) eslabon::cli::write_provenance(*provenance, status, message);
    } catch (const std::exception& error) {
      static_cast<void>(fail(eslabon::cli::sentence_of(error), status));
    }
    return fail(message, status);
  };

  try {
    app.parse(argc, argv);
    if (!is_output_written()) return fail_at_work(kUnwritten, kFailed);
    if (provenance) eslabon::cli::write_provenance(*provenance, 0, "");
    return 0;
  } catch (const CLI::Success& help) {
    const int status = app.exit(help);
    return is_output_written() ? status : fail(kUnwritten, kFailed);
  } catch (const CLI::ParseError& error) {
    if (argc < 2) {
      std::fputs(app.help().c_str(), stderr);
      return kWrongInput;
    }
    return fail(explain(app, error, argc, argv), kWrongInput);
  } catch (const eslabon::runs::RequestError& error) {
    return fail(eslabon::cli::sentence_of(error), kWrongInput);
  } catch (const eslabon::core::DataError& error) {
    return fail_at_work(eslabon::cli::sentence_of(error), kWrongInput);  // which may come after some work
  } catch (const eslabon::cli::CutRun& cut) {
    return fail_at_work(eslabon::cli::sentence_of(cut), cut.status());
  } catch (const std::bad_alloc&) {
    return fail("not enough memory for this mechanism.", kFailed);
  } catch (const std::exception& error) {
    return fail_at_work(eslabon::cli::sentence_of(error), kFailed);
  }
}

}  // namespace

int main(int argc, char** argv) {
  reserve_standard_descriptors();
  end_with_a_sentence_at_last();
  eslabon::cli::leave_nothing_at_signals();
  try {
    return run_program(argc, argv);
  } catch (...) {  // not even a sentence could be made
    std::fputs("eslabon: not enough memory.\n", stderr);
    return kFailed;
  }
}
