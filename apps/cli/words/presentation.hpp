#pragma once

#include <cstdio>
#include <functional>
#include <string>

#include "apps/cli/text/page_style.hpp"

namespace CLI {
class App;
}

namespace eslabon::cli {

/// How a command tells its result: the options --json and --quiet, which every command has.
struct Presentation {
  bool is_json = false;
  bool is_quiet = false;

  /// Prints the result: one JSON object to the standard output, or the page for people to `file`, or with --quiet nothing.
  void show(std::FILE* file, const std::function<std::string(const PageStyle&)>& page,
            const std::function<std::string()>& json) const;
};

/// Adds the two options to every command below this one.
void add_presentation_options(CLI::App& app, Presentation& presentation);
/// Throws CommandLineError when the words of the command that was typed do not go together with them.
void check_presentation(const Presentation& presentation, const CLI::App& app);

/// While it lives, what is written to the standard error goes nowhere.
class SilentErrors {
 public:
  SilentErrors();
  ~SilentErrors();
  SilentErrors(const SilentErrors&) = delete;
  SilentErrors& operator=(const SilentErrors&) = delete;

 private:
  int kept_ = -1;  ///< descriptor of the standard error
};

}  // namespace eslabon::cli
