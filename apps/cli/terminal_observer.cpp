#include "terminal_observer.hpp"

#include <cstdio>

#include "command_line.hpp"
#include <fmt/format.h>

#include "eslabon/core/name_list.hpp"

namespace eslabon::cli {

void print_note(const std::string& sentence) {
  fmt::print(stderr, "eslabon: note: {}\n", in_option_words(sentence));
}

void print_notes(const std::vector<std::string>& sentences) {
  for (const std::string& sentence : sentences) print_note(sentence);
}

void TerminalObserver::left_out(const std::vector<std::string>& outputs, const std::string& why) {
  fmt::print(stderr, "eslabon: left out: {}: {}.\n", core::listed(outputs), why);
}

}  // namespace eslabon::cli
