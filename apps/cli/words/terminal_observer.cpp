#include "apps/cli/words/terminal_observer.hpp"

#include <algorithm>
#include <cstdio>

#include "apps/cli/words/command_line.hpp"
#include <fmt/format.h>

#include "eslabon/core/text/name_list.hpp"

namespace eslabon::cli {

void print_note(const std::string& sentence) {
  fmt::print(stderr, "eslabon: note: {}\n", in_option_words(sentence));
}

void print_notes(const std::vector<std::string>& sentences) {
  for (const std::string& sentence : sentences) print_note(sentence);
}

void print_new_notes(const std::vector<std::string>& sentences, std::vector<std::string>& told) {
  const std::vector<std::string> before = told;
  for (const std::string& sentence : sentences) {
    if (std::ranges::find(before, sentence) != before.end()) continue;
    print_note(sentence);
    told.push_back(sentence);
  }
}

void TerminalObserver::left_out(const std::vector<std::string>& outputs, const std::string& why) {
  fmt::print(stderr, "eslabon: left out: {}: {}.\n", core::listed(outputs), why);
}

}  // namespace eslabon::cli
