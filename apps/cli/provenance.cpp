#include "provenance.hpp"

#include <array>
#include <cstdio>
#include <memory>

#include "command_line.hpp"
#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <sys/stat.h>

#include "eslabon/core/fnv1a.hpp"
#include "eslabon/io/model_source.hpp"

namespace eslabon::cli {

namespace {

constexpr const char* kProvenanceOption = "--provenance";
constexpr const char* kOwnFile = "/proc/self/exe";

std::string compiler_text() {
#if defined(__clang__)
  return fmt::format("Clang {}.{}.{}", __clang_major__, __clang_minor__, __clang_patchlevel__);
#elif defined(__GNUC__)
  return fmt::format("GCC {}.{}.{}", __GNUC__, __GNUC_MINOR__, __GNUC_PATCHLEVEL__);
#else
  return "another compiler";
#endif
}

std::string architecture_text() {
#if defined(__x86_64__)
  return "x86-64";
#elif defined(__aarch64__)
  return "arm64";
#else
  return "another architecture";
#endif
}

std::optional<std::uint64_t> size_of_file(const std::string& path) {
  struct stat status {};
  if (stat(path.c_str(), &status) != 0 || !S_ISREG(status.st_mode)) return std::nullopt;
  return static_cast<std::uint64_t>(status.st_size);
}

/// Another text when a file was written or replaced.
std::string state_of_file(const std::string& path) {
  struct stat status {};
  if (stat(path.c_str(), &status) != 0 || !S_ISREG(status.st_mode)) return "";
  return fmt::format("{} {} {}.{:09} {}", status.st_dev, status.st_ino, status.st_mtim.tv_sec,
                     status.st_mtim.tv_nsec, status.st_size);
}

Json hash_json(const std::optional<std::uint64_t>& hash) {
  return hash ? Json(hash_text(*hash)) : Json(nullptr);
}

/// A word as a shell takes it.
std::string shell_word(const std::string& word) {
  const bool is_plain = !word.empty() && word.find_first_not_of(
                                             "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                             "0123456789_-+=.,:/@%") == std::string::npos;
  if (is_plain) return word;
  std::string quoted = "'";
  for (const char c : word) quoted += c == '\'' ? "'\\''" : std::string(1, c);
  return quoted + "'";
}

bool is_file(const NamedPath& file) { return !file.path.starts_with("family:"); }

/// The first word of a command for a file that it writes; nullptr: there is none.
const CLI::Option* written_file(const CLI::App& command) {
  for (const CLI::Option* option : command.get_options())
    if (names_written_file(*option)) return option;
  return nullptr;
}

}  // namespace

std::string hash_text(std::uint64_t hash) { return fmt::format("{:016x}", hash); }

std::optional<std::uint64_t> hash_of_file(const std::string& path) {
  if (!size_of_file(path)) return std::nullopt;
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path.c_str(), "rbe"), &std::fclose);
  if (!file) return std::nullopt;
  std::array<char, 1 << 16> buffer;
  std::uint64_t hash = core::fnv1a("");
  while (const std::size_t count = std::fread(buffer.data(), 1, buffer.size(), file.get()))
    hash = core::fnv1a({buffer.data(), count}, hash);
  return std::ferror(file.get()) == 0 ? std::optional(hash) : std::nullopt;
}

std::string build_text() {
  return fmt::format("eslabon {}, {}, {}", ESLABON_VERSION, compiler_text(), architecture_text());
}

std::string exact_build_text() {
  const auto hash = hash_of_file(kOwnFile);
  return build_text() + ", program " + (hash ? hash_text(*hash) : "unknown");
}

Provenance& Provenance::of_run() {
  static Provenance provenance;
  return provenance;
}

void Provenance::begin(std::vector<std::string> words, const RequestedFiles& files, bool is_told) {
  words_ = std::move(words);
  if (!is_told) return;
  for (const NamedPath& file : files.read)
    inputs_.push_back({file, is_file(file) ? hash_of_file(file.path) : std::nullopt,
                       is_file(file) ? size_of_file(file.path) : std::nullopt});
  for (const NamedPath& file : files.written)
    if (file.word != kProvenanceOption) add_written(file);
}

void Provenance::add_written(const NamedPath& file) { outputs_.push_back({file, state_of_file(file.path)}); }

Json Provenance::json() const {
  Json json{{"version", ESLABON_VERSION},
            {"compiler", compiler_text()},
            {"architecture", architecture_text()},
            {"command", words_},
            {"inputs", Json::array()}};
  for (const Input& input : inputs_)
    json["inputs"].push_back({{"word", input.named.word},
                              {"path", input.named.path},
                              {"bytes", or_null(input.bytes)},
                              {"fnv1a", hash_json(input.hash)}});
  return json;
}

std::vector<std::pair<std::string, std::string>> Provenance::lines() const {
  std::string command;
  for (const std::string& word : words_) command += (command.empty() ? "" : " ") + shell_word(word);
  std::vector<std::pair<std::string, std::string>> lines{{"program", build_text()}, {"command", command}};
  for (const Input& input : inputs_)
    if (input.hash)
      lines.emplace_back(input.named.word, fmt::format("{}, {} bytes, FNV-1a {}", input.named.path,
                                                       *input.bytes, hash_text(*input.hash)));
  return lines;
}

report::Table Provenance::table() const {
  report::Table table{.title = "Where this comes from", .columns = {{"what", ""}, {"which", ""}}, .rows = {}};
  for (const auto& [name, value] : lines()) table.rows.push_back({name, value});
  return table;
}

void Provenance::write(const std::string& path, int status, const std::string& message) const {
  Json all = json();
  all["program"] = hash_json(hash_of_file(kOwnFile));
  all["status"] = status;
  all["message"] = message.empty() ? Json(nullptr) : Json(message);
  all["outputs"] = Json::array();
  for (const Output& output : outputs_) {
    const std::string now = state_of_file(output.named.path);
    if (now.empty() || now == output.state) continue;
    all["outputs"].push_back({{"word", output.named.word},
                              {"path", output.named.path},
                              {"bytes", or_null(size_of_file(output.named.path))},
                              {"fnv1a", hash_json(hash_of_file(output.named.path))}});
  }
  if (status == 0 || !all["outputs"].empty())
    write_text_file(path, "the provenance", all.dump(2, ' ', false, Json::error_handler_t::replace) + "\n");
}

void add_provenance_option(CLI::App& app, std::optional<std::string>& file) {
  for (CLI::App* command : app.get_subcommands({})) {
    if (!command->get_subcommands({}).empty())
      add_provenance_option(*command, file);
    else if (const CLI::Option* other = written_file(*command))
      command
          ->add_option(kProvenanceOption, file,
                       "JSON file with the provenance of the results: version, build, command, hashes of "
                       "files read and written")
          ->type_name("FILE")
          ->group(other->get_group());
  }
}

}  // namespace eslabon::cli
