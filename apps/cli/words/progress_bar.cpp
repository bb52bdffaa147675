#include "apps/cli/words/progress_bar.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

#include <unistd.h>

namespace eslabon::cli {

namespace {

using namespace std::chrono_literals;

constexpr int kCells = 24;
constexpr auto kBetweenLines = 100ms;
constexpr auto kBeforeFirst = 200ms;
constexpr const char* kEraseLine = "\r\x1b[K";

/// The first n eighths of the bar, and blanks up to its end.
std::string bar(int n) {
  static constexpr std::array<const char*, 8> kParts{"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"};
  std::string text;
  for (int k = 0; k < n / 8; ++k) text += "█";
  const int rest = n % 8;
  text += kParts[static_cast<std::size_t>(rest)];
  const int filled = n / 8 + (rest > 0 ? 1 : 0);
  return text + std::string(static_cast<std::size_t>(kCells - filled), ' ');
}

/// "12.3 s", "4 min 05 s", "2 h 07 min"
std::string duration(double seconds) {
  std::array<char, 48> text{};
  if (seconds < 99.95) {
    std::snprintf(text.data(), text.size(), "%.1f s", seconds);
  } else if (seconds < 3600.0) {
    const int whole = static_cast<int>(seconds);
    std::snprintf(text.data(), text.size(), "%d min %02d s", whole / 60, whole % 60);
  } else {
    const double minutes = std::floor(std::min(seconds, 3.6e9) / 60.0);
    std::snprintf(text.data(), text.size(), "%.0f h %02.0f min", std::floor(minutes / 60.0),
                  std::fmod(minutes, 60.0));
  }
  return text.data();
}

}  // namespace

std::string progress_line(double fraction, double elapsed_s) {
  const double done = fraction > 0.0 ? std::min(fraction, 1.0) : 0.0;  // also for what is no number
  std::array<char, 16> percent{};
  std::snprintf(percent.data(), percent.size(), "%4d %%  ", static_cast<int>(100.0 * done));
  std::string line = percent.data() + bar(static_cast<int>(8 * kCells * done));
  if (done > 0.0) line += "  " + duration(elapsed_s * (1.0 - done) / done) + " left";
  return line;
}

ProgressBar::ProgressBar()
    : is_terminal_(isatty(STDERR_FILENO) != 0), start_(Clock::now()), next_(start_ + kBeforeFirst) {}

void ProgressBar::update(double fraction) {
  if (!is_terminal_) return;
  const Clock::time_point now = Clock::now();
  if (now < next_) return;
  next_ = now + kBetweenLines;
  is_shown_ = true;
  const std::string line =
      kEraseLine + progress_line(fraction, std::chrono::duration<double>(now - start_).count());
  std::fputs(line.c_str(), stderr);
  std::fflush(stderr);
}

void ProgressBar::clear() {
  if (!is_shown_) return;
  std::fputs(kEraseLine, stderr);
  std::fflush(stderr);
  is_shown_ = false;
}

}  // namespace eslabon::cli
