#include "benchmarks/tables/other_programs.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <sstream>

#include <fmt/format.h>
#include <sys/wait.h>

#include "eslabon/core/text/error.hpp"

namespace eslabon::benchmarks {

namespace {

// Evaluations that are counted: enough that the calls around them do not matter.
constexpr int kCounted = 20;
// Linear algebra that others use would take all cores.
const std::string kOneThread = "OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1 ";

/// For the shell, whatever is in it.
std::string quoted(const std::string& word) {
  std::string text = "'";
  for (const char c : word) {
    if (c == '\'')
      text += "'\\''";
    else
      text += c;
  }
  return text + "'";
}

/// What the command writes to its standard output. Throws core::ModelError when it fails.
std::string output_of(const std::string& command, const std::string& who) {
  std::FILE* pipe = popen(command.c_str(), "r");
  std::string text;
  char buffer[4096];
  std::size_t size = 0;
  while (pipe != nullptr && (size = std::fread(buffer, 1, sizeof buffer, pipe)) > 0)
    text.append(buffer, size);
  const int status = pipe == nullptr ? -1 : pclose(pipe);
  if (status != 0)
    throw core::ModelError({.what = who + " failed",
                            .where = command,
                            .expected = "exit status 0",
                            .actual = WIFEXITED(status) ? std::to_string(WEXITSTATUS(status)) : "a signal",
                            .next = "Call it alone to see what it says."});
  return text;
}

/// Beside this program: in the tree that it was built in, or where it was installed.
std::optional<std::filesystem::path> find_helper(const std::string& name) {
  std::error_code error;
  const std::filesystem::path folder = std::filesystem::read_symlink("/proc/self/exe", error).parent_path();
  for (const char* place : {"../../benchmarks/rivals", "../libexec/eslabon"}) {
    const std::filesystem::path path = folder / place / name;
    if (std::filesystem::exists(path, error)) return path.lexically_normal();
  }
  return std::nullopt;
}

std::filesystem::path helper_program(const std::string& name, const std::string& what,
                                     const std::string& package) {
  const auto path = find_helper(name);
  if (path) return *path;
  throw core::ModelError({.what = what,
                          .where = "",
                          .expected = "the executable '" + name + "' beside this program",
                          .actual = "none",
                          .next = "Install the Debian package " + package +
                                  ", then run: cmake --preset release && tools/build release rivals."});
}

/// Largest difference of accelerations, α and a of body after body, by the largest of ours.
double difference(const coordinates::MechanismMotion& ours, std::istream& theirs) {
  double largest = 0.0, off = 0.0;
  for (std::size_t b = 1; b < ours.size(); ++b)
    for (const Eigen::Vector3d* vector : {&ours[b].alpha_WB_W, &ours[b].a_WB_W})
      for (int k = 0; k < 3; ++k) {
        double value = std::nan("");
        theirs >> value;
        largest = std::max(largest, std::abs((*vector)(k)));
        off = std::max(off, std::isfinite(value) ? std::abs(value - (*vector)(k)) : HUGE_VAL);
      }
  return off / largest;
}

double instructions_of(const std::string& command, const std::string& who) {
  const std::string text = output_of(
      kOneThread +
          "valgrind --tool=callgrind --callgrind-out-file=/dev/null --toggle-collect=eslabon_counted " +
          command + " 2>&1",
      "valgrind with " + who);
  const std::size_t at = text.rfind("Collected : ");
  double count = 0.0;
  if (at == std::string::npos || std::sscanf(text.c_str() + at, "Collected : %lf", &count) != 1)
    throw core::ModelError({.what = "valgrind counted nothing",
                            .where = who,
                            .expected = "a line 'Collected : …'",
                            .actual = text.substr(0, 200),
                            .next = "Leave the counting of instructions out."});
  return count / kCounted;
}

}  // namespace

const std::vector<Rival>& rivals() {
  static const std::vector<Rival> all{{"simbody", "Simbody", "3.7", "libsimbody-dev", 100},
                                      {"mujoco", "MuJoCo", "2.2", "libmujoco-dev", 1000}};
  return all;
}

std::filesystem::path rival_program(const Rival& rival) {
  return helper_program(rival.name + "_rival", rival.title + " cannot be measured here", rival.package);
}

RivalAnswer ask_rival(const Rival& rival, const std::string& model, const BenchCase& at) {
  std::istringstream text(
      output_of(kOneThread + quoted(rival_program(rival).string()) + " " + quoted(model), rival.title));
  RivalAnswer answer;
  std::string state;
  text >> answer.seconds >> state;
  std::getline(text >> std::ws, answer.remark);
  answer.difference = difference(accelerated(at, state == "resting" ? at.resting : at.moving), text);
  return answer;
}

void check_counting() {
  static_cast<void>(helper_program("one_evaluation", "instructions cannot be counted here", "valgrind"));
  if (std::system("valgrind --version >/dev/null 2>&1") != 0)
    throw core::ModelError({.what = "instructions cannot be counted here",
                            .where = "",
                            .expected = "the program 'valgrind'",
                            .actual = "none",
                            .next = "Install the Debian package valgrind."});
}

double count_instructions(const std::string& model, const FormulationWay& way) {
  return instructions_of(fmt::format("{} {} {} {} {}", quoted(find_helper("one_evaluation")->string()),
                                     quoted(model), quoted(way.formulation), quoted(way.kind), kCounted),
                         way.name());
}

double count_instructions(const std::string& model, const Rival& rival) {
  return instructions_of(
      fmt::format("{} {} {}", quoted(rival_program(rival).string()), quoted(model), kCounted), rival.title);
}

}  // namespace eslabon::benchmarks
