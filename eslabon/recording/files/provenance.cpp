#include "eslabon/recording/files/provenance.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "eslabon/io/files/file_hash.hpp"
#include "eslabon/recording/facts/json_parts.hpp"

namespace eslabon::recording {

namespace {

using Json = nlohmann::ordered_json;

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

Json file_json(const NamedPath& named, const std::optional<std::uint64_t>& bytes,
               const std::optional<std::uint64_t>& hash) {
  return {{"word", named.word},
          {"path", named.path},
          {"bytes", or_null<Json>(bytes)},
          {"fnv1a", hash ? Json(io::hash_text(*hash)) : Json(nullptr)}};
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

}  // namespace

std::string build_text() {
  return fmt::format("eslabon {}, {}, {}", ESLABON_VERSION, compiler_text(), architecture_text());
}

std::string exact_build_text() {
  const auto hash = io::hash_of_file(kOwnFile);
  return build_text() + ", program " + (hash ? io::hash_text(*hash) : "unknown");
}

void Provenance::add_read(const NamedPath& file) {
  if (is_file(file))
    inputs_.push_back({file, io::hash_of_file(file.path), io::size_of_file(file.path)});
  else
    inputs_.push_back({file, std::nullopt, std::nullopt});
}

void Provenance::add_written(const NamedPath& file) {
  outputs_.push_back({file, io::state_of_file(file.path)});
}

std::string Provenance::json() const {
  Json json{{"version", ESLABON_VERSION},
            {"compiler", compiler_text()},
            {"architecture", architecture_text()},
            {"command", command_},
            {"inputs", Json::array()}};
  for (const Input& input : inputs_)
    json["inputs"].push_back(file_json(input.named, input.bytes, input.hash));
  return json_text(json);
}

std::vector<std::pair<std::string, std::string>> Provenance::lines() const {
  std::string command;
  for (const std::string& word : command_) command += (command.empty() ? "" : " ") + shell_word(word);
  std::vector<std::pair<std::string, std::string>> lines{{"program", build_text()}, {"command", command}};
  for (const Input& input : inputs_)
    if (input.hash)
      lines.emplace_back(input.named.word, fmt::format("{}, {} bytes, FNV-1a {}", input.named.path,
                                                       *input.bytes, io::hash_text(*input.hash)));
  return lines;
}

report::Table Provenance::table() const {
  report::Table table{.title = "Where this comes from", .columns = {{"what", ""}, {"which", ""}}, .rows = {}};
  for (const auto& [name, value] : lines()) table.rows.push_back({name, value});
  return table;
}

std::optional<std::string> Provenance::record(int status, const std::string& message) const {
  Json all = Json::parse(json());
  const auto own = io::hash_of_file(kOwnFile);
  all["program"] = own ? Json(io::hash_text(*own)) : Json(nullptr);
  all["status"] = status;
  all["message"] = message.empty() ? Json(nullptr) : Json(message);
  all["outputs"] = Json::array();
  for (const auto& [named, state] : outputs_) {
    const auto now = io::state_of_file(named.path);
    if (now && now != state)
      all["outputs"].push_back(file_json(named, io::size_of_file(named.path), io::hash_of_file(named.path)));
  }
  if (status != 0 && all["outputs"].empty()) return std::nullopt;
  return json_text(all);
}

}  // namespace eslabon::recording
