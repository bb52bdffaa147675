#include "eslabon/codegen/compile/child_process.hpp"

#include <array>
#include <cerrno>
#include <filesystem>
#include <sstream>

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

extern char** environ;

namespace eslabon::codegen {

namespace {

constexpr std::size_t kMostText = 256 * 1024;

bool is_program(const std::filesystem::path& path) {
  std::error_code ignored;
  return std::filesystem::is_regular_file(path, ignored) && access(path.c_str(), X_OK) == 0;
}

/// Starts it with both outputs in `end`; −1: it cannot be.
pid_t spawn(const std::vector<std::string>& words, int end) {
  std::vector<char*> arguments;
  for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  posix_spawn_file_actions_t files;
  posix_spawn_file_actions_init(&files);
  posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&files, end, STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&files, end, STDERR_FILENO);
  pid_t child = -1;
  const int error = posix_spawn(&child, words.front().c_str(), &files, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&files);
  return error == 0 ? child : -1;
}

std::string read_all(int end) {
  std::string text;
  std::array<char, 4096> part{};
  for (;;) {
    const ssize_t count = read(end, part.data(), part.size());
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return text;
    if (text.size() < kMostText) text.append(part.data(), static_cast<std::size_t>(count));
  }
}

}  // namespace

ChildEnd call_program(const std::vector<std::string>& words) {
  std::array<int, 2> ends{};
  if (pipe2(ends.data(), O_CLOEXEC) != 0) return {};
  const pid_t child = spawn(words, ends[1]);
  close(ends[1]);
  ChildEnd result{.has_started = child >= 0, .is_good = false, .says = child >= 0 ? read_all(ends[0]) : ""};
  close(ends[0]);
  if (child < 0) return result;
  int status = 0;
  while (waitpid(child, &status, 0) < 0)
    if (errno != EINTR) return result;
  result.is_good = WIFEXITED(status) && WEXITSTATUS(status) == 0;
  return result;
}

std::optional<std::string> find_program(const std::string& name, const std::string& path) {
  if (name.find('/') != std::string::npos) return is_program(name) ? std::optional(name) : std::nullopt;
  std::istringstream folders(path);
  for (std::string folder; std::getline(folders, folder, ':');)
    if (const auto file = std::filesystem::path(folder) / name; !folder.empty() && is_program(file))
      return file.string();
  return std::nullopt;
}

}  // namespace eslabon::codegen
