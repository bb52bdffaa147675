#include "eslabon/codegen/compile/system_compiler.hpp"

#include <fstream>
#include <sstream>

#include "eslabon/codegen/compile/child_process.hpp"
#include "eslabon/core/text/error.hpp"
#include "eslabon/core/text/name_list.hpp"

namespace eslabon::codegen {

namespace {

constexpr const char* kThisProcessor = "-march=native";
// Products and sums are rounded apart, as programs that are interpreted do. Roots set no errno: they are instructions.
const std::vector<std::string> kFlags{
    "-O2", "-fPIC", "-shared", "-ffp-contract=off", "-fno-math-errno", "-fno-trapping-math"};
constexpr int kShownLines = 3;

std::vector<std::string> split(const std::string& text) {
  std::istringstream stream(text);
  std::vector<std::string> words;
  for (std::string word; stream >> word;) words.push_back(word);
  return words;
}

/// Lines with "error", as compilers write them, or else the first ones; without full stops, because a sentence ends after them.
std::string told_errors(const std::string& says) {
  std::vector<std::string> errors, all;
  std::istringstream stream(says);
  for (std::string line; std::getline(stream, line);) {
    line.erase(line.find_last_not_of(". \r") + 1);
    if (line.empty()) continue;
    all.push_back(line);
    if (line.find("error") != std::string::npos) errors.push_back(line);
  }
  std::vector<std::string>& shown = errors.empty() ? all : errors;
  if (shown.size() > kShownLines) shown.resize(kShownLines);
  return shown.empty() ? "nothing that it says" : core::joined(shown, "; ");
}

std::vector<std::vector<std::string>> candidates(SourceLanguage language, const CompileSettings& settings) {
  const bool is_c = language == SourceLanguage::kC;
  if (const std::string& named = is_c ? settings.c : settings.cpp; !split(named).empty())
    return {split(named)};
  return is_c ? std::vector<std::vector<std::string>>{{"cc"}, {"gcc"}, {"clang"}}
              : std::vector<std::vector<std::string>>{{"c++"}, {"g++"}, {"clang++"}};
}

}  // namespace

CompileSettings compile_settings(const std::function<const char*(const char*)>& variable) {
  const auto text = [&](const char* name) {
    const char* const value = variable(name);
    return std::string(value == nullptr ? "" : value);
  };
  CompileSettings settings{
      .c = text("CC"), .cpp = text("CXX"), .path = text("PATH"), .cache = {}, .temporary = text("TMPDIR")};
  if (const std::string caches = text("XDG_CACHE_HOME"); caches.starts_with('/'))  // others are to be ignored
    settings.cache = std::filesystem::path(caches) / "eslabon";
  else if (const std::string home = text("HOME"); home.starts_with('/'))
    settings.cache = std::filesystem::path(home) / ".cache" / "eslabon";
  if (settings.temporary.empty()) settings.temporary = "/tmp";
  return settings;
}

std::optional<SystemCompiler> SystemCompiler::find(SourceLanguage language, const CompileSettings& settings,
                                                   std::string& problem) {
  const bool is_c = language == SourceLanguage::kC;
  SystemCompiler compiler;
  compiler.language_ = language;
  std::vector<std::string> names;
  for (const std::vector<std::string>& words : candidates(language, settings)) {
    names.push_back(words.front());
    if (const std::optional<std::string> file = find_program(words.front(), settings.path)) {
      compiler.words_ = words;
      compiler.words_.front() = *file;
      break;
    }
  }
  if (compiler.words_.empty()) {
    problem = core::to_sentence(
        {.what = "there is no compiler",
         .where = is_c ? "language C" : "language C++",
         .expected = "a program '" + core::joined(names, "', '") + "'",
         .actual =
             names.front().find('/') == std::string::npos ? "none in the folders of PATH" : "no such program",
         .next = std::string("Install one, for example Debian's package '") + (is_c ? "gcc" : "g++") +
                 "', or name it in " + (is_c ? "CC." : "CXX.")});
    return std::nullopt;
  }
  const ChildEnd version = call_program(compiler.command({"--version"}));
  if (!version.is_good) {
    problem = core::to_sentence({.what = "the compiler does not run",
                                 .where = compiler.words_.front(),
                                 .expected = "its version",
                                 .actual = told_errors(version.says),
                                 .next = std::string("Name another one in ") + (is_c ? "CC." : "CXX.")});
    return std::nullopt;
  }
  compiler.version_ = version.says.substr(0, version.says.find('\n'));
  // What it defines for an empty program tells all that the processor can.
  const ChildEnd macros =
      call_program(compiler.command({kThisProcessor, "-dM", "-E", "-x", is_c ? "c" : "c++", "/dev/null"}));
  compiler.knows_processor_ = macros.is_good;
  compiler.identity_ = core::joined(compiler.words_, " ") + "\n" + version.says + core::joined(kFlags, " ") +
                       "\n" + (macros.is_good ? macros.says : "");
  return compiler;
}

std::vector<std::string> SystemCompiler::command(const std::vector<std::string>& arguments) const {
  std::vector<std::string> all = words_;
  all.insert(all.end(), arguments.begin(), arguments.end());
  return all;
}

std::optional<std::string> SystemCompiler::compile(const std::filesystem::path& source,
                                                   const std::filesystem::path& library,
                                                   const std::filesystem::path& scratch) const {
  const auto arguments = [&](const std::filesystem::path& from, const std::filesystem::path& to,
                             bool for_processor) {
    std::vector<std::string> list = kFlags;
    if (for_processor) list.emplace_back(kThisProcessor);
    list.insert(list.end(), {"-o", to.string(), from.string(), "-lm"});
    return list;
  };
  bool for_processor = knows_processor_;
  if (for_processor) {  // its assembler may know less
    const std::filesystem::path empty = scratch / (std::string("empty") + ending());
    std::ofstream(empty) << "int eslabon_empty(void);\nint eslabon_empty(void) { return 0; }\n";
    for_processor = call_program(command(arguments(empty, scratch / "empty.so", true))).is_good;
  }
  const ChildEnd end = call_program(command(arguments(source, library, for_processor)));
  std::error_code ignored;
  if (end.is_good && std::filesystem::is_regular_file(library, ignored)) return std::nullopt;
  return core::to_sentence(
      {.what = end.is_good       ? "the compiler made no library"
               : end.has_started ? "the compiler fails"
                                 : "the compiler does not run",
       .where = words_.front(),
       .expected = "a library",
       .actual = told_errors(end.says),
       .next = language_ == SourceLanguage::kC ? "Name another one in CC." : "Name another one in CXX."});
}

}  // namespace eslabon::codegen
