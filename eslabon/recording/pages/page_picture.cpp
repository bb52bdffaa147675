#include "eslabon/recording/pages/page_picture.hpp"

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <sstream>
#include <thread>
#include <vector>

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include "eslabon/io/files/partial_file.hpp"
#include "eslabon/runs/request_error.hpp"

extern char** environ;

namespace eslabon::recording {

namespace {

namespace fs = std::filesystem;

constexpr auto kTimeLimit = std::chrono::seconds(60);

/// A folder that is gone in the end, with all that is in it.
class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::error_code error;
    std::string pattern = (fs::temp_directory_path(error) / "eslabon-XXXXXX").string();
    if (error || mkdtemp(pattern.data()) == nullptr)
      throw core::ModelError({.what = "the picture cannot be made",
                              .where = runs::field("png"),
                              .expected = "a temporary folder",
                              .actual = error ? error.message() : std::strerror(errno),
                              .next = "Check the folder that TMPDIR names, and the space that is left."});
    path_ = pattern;
  }
  ~TemporaryFolder() {
    // What the browser leaves behind for a moment may still write its profile.
    std::error_code error;
    for (int k = 0; k < 40; ++k) {
      fs::remove_all(path_, error);
      if (!fs::exists(path_, error)) return;
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
    }
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  std::string file(const std::string& name) const { return (path_ / name).string(); }

 private:
  fs::path path_;
};

bool is_program(const fs::path& path) {
  std::error_code ignored;
  return fs::is_regular_file(path, ignored) && access(path.c_str(), X_OK) == 0;
}

std::optional<std::string> find_in_path(const std::string& name) {
  const char* const path = std::getenv("PATH");
  std::istringstream folders(path == nullptr ? "" : path);
  for (std::string folder; std::getline(folders, folder, ':');)
    if (const fs::path file = fs::path(folder) / name; is_program(file)) return file.string();
  return std::nullopt;
}

/// How a child ended.
struct ChildEnd {
  bool is_in_time = false;
  int status = 0;  ///< of waitpid, when in time
};

/// Starts a child in a process group of its own; what it says goes to a file.
pid_t start(const std::vector<std::string>& words, const std::string& log) {
  std::vector<char*> arguments;
  for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  posix_spawn_file_actions_t files;
  posix_spawnattr_t attributes;
  posix_spawn_file_actions_init(&files);
  posix_spawnattr_init(&attributes);
  posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&files, STDOUT_FILENO, log.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  posix_spawn_file_actions_adddup2(&files, STDOUT_FILENO, STDERR_FILENO);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
  posix_spawnattr_setpgroup(&attributes, 0);
  pid_t child = -1;
  const int error =
      posix_spawn(&child, words.front().c_str(), &files, &attributes, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&files);
  posix_spawnattr_destroy(&attributes);
  return error == 0 ? child : -1;
}

/// Waits for a child and ends its group when it takes too long, when the observer stops it, or when it leaves others behind.
ChildEnd wait_for(pid_t child, runs::RunObserver& observer) {
  const auto end = std::chrono::steady_clock::now() + kTimeLimit;
  ChildEnd result;
  while (waitpid(child, &result.status, WNOHANG) == 0) {
    if (observer.must_stop(0) || std::chrono::steady_clock::now() > end) {
      kill(-child, SIGKILL);
      waitpid(child, &result.status, 0);
      return result;
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  kill(-child, SIGKILL);
  result.is_in_time = true;
  return result;
}

std::string contents(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::string last_line(std::string text) {
  text.erase(text.find_last_not_of("\r\n ") + 1);
  return text.substr(text.rfind('\n') + 1);
}

/// Width and height of a PNG are numbers of four bytes behind the signature and the head of the first chunk.
bool is_png(const std::string& bytes, const PictureSize& size) {
  constexpr std::string_view kSignature("\x89PNG\r\n\x1a\n", 8);
  if (!bytes.starts_with(kSignature) || bytes.size() < 24) return false;
  const auto number = [&](std::size_t at) {
    int value = 0;
    for (std::size_t k = at; k < at + 4; ++k) value = 256 * value + static_cast<unsigned char>(bytes[k]);
    return value;
  };
  return number(16) == size.width && number(20) == size.height;
}

/// What viewer/src/opening.ts reads.
std::string fragment_of(const PictureView& view) {
  std::string fragment = view.is_dark ? "#theme=dark" : "#theme=light";
  if (view.t) fragment += fmt::format("&t={:.17g}", *view.t);
  if (view.name) fragment += "&view=" + *view.name;
  return fragment;
}

/// A path as an address: what is no plain character is written by its code.
std::string file_address(const std::string& path) {
  std::string address = "file://";
  for (const char c : path) {
    const bool is_plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                          std::string_view("/-_.~").find(c) != std::string_view::npos;
    address += is_plain ? std::string(1, c) : fmt::format("%{:02X}", static_cast<unsigned char>(c));
  }
  return address;
}

/// How the browser is called: without a window, a network or a profile of the user's.
std::vector<std::string> browser_words(const std::string& browser, const TemporaryFolder& folder,
                                       const PictureView& view, const std::string& page,
                                       const std::string& shot) {
  std::vector<std::string> options{"headless=new",
                                   "no-first-run",
                                   "hide-scrollbars",
                                   "force-device-scale-factor=1",
                                   "use-angle=swiftshader",
                                   "enable-unsafe-swiftshader",
                                   "disable-background-networking",
                                   "disable-breakpad",
                                   "host-resolver-rules=MAP * ~NOTFOUND",
                                   "user-data-dir=" + folder.file("profile"),
                                   fmt::format("window-size={},{}", view.size.width, view.size.height),
                                   "screenshot=" + shot};
  if (geteuid() == 0) options.emplace_back("no-sandbox");  // root has none, in containers above all
  std::vector<std::string> words{browser};
  for (const std::string& option : options) words.push_back("--" + option);
  words.push_back(file_address(page) + fragment_of(view));
  return words;
}

}  // namespace

const std::vector<std::string>& picture_views() {
  static const std::vector<std::string> kViews{"motion", "structure", "tyres", "charts", "numbers"};
  return kViews;
}

std::string find_browser() {
  const char* const named = std::getenv("CHROMIUM");
  if (named != nullptr && *named != '\0') {
    if (is_program(named)) return named;
    if (const auto found = find_in_path(named)) return *found;
  } else {
    for (const char* name : {"chromium", "chromium-browser", "google-chrome"})
      if (const auto found = find_in_path(name)) return *found;
  }
  throw core::ModelError(
      {.what = "a picture of a page needs the browser Chromium",
       .where = runs::field("png"),
       .expected = "the program 'chromium', 'chromium-browser' or 'google-chrome' in the path, or CHROMIUM",
       .actual =
           named != nullptr && *named != '\0' ? "CHROMIUM=" + std::string(named) + ", no program" : "none",
       .next = "'apt-get install chromium' gives it; " + runs::field("svg") + " needs none."});
}

std::optional<std::string> picture_of(const std::string& html, const PictureView& view,
                                      const std::string& browser, runs::RunObserver& observer) {
  const PictureSize& size = view.size;
  const TemporaryFolder folder;
  const std::string page = folder.file("page.html"), shot = folder.file("picture.png"),
                    log = folder.file("log");
  io::PartialFile page_file(page, "the page of the picture");
  page_file.append(html);
  page_file.finish();
  // A page draws its first view before it counts as loaded. --virtual-time-budget adds nothing, and now and then never ends.
  const pid_t child = start(browser_words(browser, folder, view, page, shot), log);
  const ChildEnd end = child < 0 ? ChildEnd{} : wait_for(child, observer);
  if (observer.must_stop(0)) return std::nullopt;
  std::string bytes = contents(shot);
  if (is_png(bytes, size)) return bytes;
  const std::string said = last_line(contents(log));
  throw core::ModelError({.what = "the browser made no picture",
                          .where = browser,
                          .expected = fmt::format("a PNG of {} × {} pixels within {} s", size.width,
                                                  size.height, kTimeLimit.count()),
                          .actual = (child < 0         ? "it could not be started"
                                     : !end.is_in_time ? "nothing in that time"
                                     : bytes.empty()   ? "none"
                                                       : "another file") +
                                    (said.empty() ? "" : "; it says: " + said),
                          .next = "Call it on the page of " + runs::field("out") + " to see why; " +
                                  runs::field("svg") + " needs no browser."});
}

}  // namespace eslabon::recording
