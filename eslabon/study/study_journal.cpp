#include "eslabon/study/study_journal.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <limits>
#include <system_error>
#include <utility>

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include "eslabon/core/fnv1a.hpp"
#include "eslabon/core/text/error.hpp"
#include "eslabon/io/files/file_error.hpp"
#include "eslabon/io/files/folder_sync.hpp"
#include "eslabon/runs/request_error.hpp"

namespace eslabon::study {

namespace {

constexpr std::string_view kKind = "eslabon-study-journal-";
constexpr std::string_view kFirstWord = "eslabon-study-journal-2 ";
constexpr std::size_t kHexDigits = 16;

/// 16 digits.
std::string hex(std::uint64_t bits) {
  std::array<char, kHexDigits> digits{};
  const auto result = std::to_chars(digits.data(), digits.data() + digits.size(), bits, 16);
  const std::string text(digits.data(), result.ptr);
  return std::string(kHexDigits - text.size(), '0') + text;
}

std::string hex(double value) { return hex(std::bit_cast<std::uint64_t>(value)); }

std::optional<std::uint64_t> read_hex(std::string_view text) {
  std::uint64_t bits = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), bits, 16);
  if (text.size() != kHexDigits || error != std::errc() || end != text.data() + text.size())
    return std::nullopt;
  return bits;
}

/// Takes words off a line, one after the other.
class Words {
 public:
  explicit Words(std::string_view text) : text_(text) {}

  std::string_view word() {
    const std::size_t end = std::min(text_.find(' '), text_.size());
    const std::string_view found = text_.substr(0, end);
    text_.remove_prefix(std::min(end + 1, text_.size()));
    is_whole_ &= !found.empty();
    return found;
  }
  std::uint64_t whole() {
    const std::string_view found = word();
    std::uint64_t number = 0;
    const auto [end, error] = std::from_chars(found.data(), found.data() + found.size(), number);
    is_whole_ &= error == std::errc() && end == found.data() + found.size();
    return number;
  }
  double number() {
    const auto bits = read_hex(word());
    is_whole_ &= bits.has_value();
    return bits ? std::bit_cast<double>(*bits) : 0.0;
  }
  std::string rest() const { return std::string(text_); }
  bool is_whole() const { return is_whole_; }

 private:
  std::string_view text_;
  bool is_whole_ = true;
};

std::string first_line(const JournalOwner& owner) {
  return std::string(kFirstWord) + hex(owner.study) + " " + hex(owner.model) + " " + owner.build;
}

std::string with_checksum(const std::string& text) { return text + " " + hex(core::fnv1a(text)); }

/// The text before a checksum that is right.
std::optional<std::string_view> without_checksum(std::string_view line) {
  if (line.size() < kHexDigits + 1 || line[line.size() - kHexDigits - 1] != ' ') return std::nullopt;
  const std::string_view text = line.substr(0, line.size() - kHexDigits - 1);
  const auto sum = read_hex(line.substr(line.size() - kHexDigits));
  if (!sum || *sum != core::fnv1a(text)) return std::nullopt;
  return text;
}

/// What is expected and what is there instead, of a result that cannot be; both empty when all is well.
struct JournalFault {
  std::string expected, actual;
};

bool has_finite_numbers(const OutputResult& output) {
  for (const double value :
       {output.start, output.end, output.estimate, output.sigma, output.error, output.rmse})
    if (!std::isfinite(value)) return false;
  return true;
}

JournalFault find_fault(const TryResult& result, const StudyPlan& plan) {
  if (result.index.point >= plan.num_points() || result.index.attempt >= plan.num_tries())
    return {"points up to " + std::to_string(plan.num_points()) + " and tries up to " +
                std::to_string(plan.num_tries()),
            "another"};
  const bool has_failed = result.outcome == TryResult::Outcome::kFailed;
  const std::size_t wanted = has_failed ? 0 : plan.study().criteria.size();
  if (result.outputs.size() != wanted)
    return {std::to_string(wanted) + (wanted == 1 ? " output" : " outputs"),
            std::to_string(result.outputs.size())};
  if (!std::ranges::all_of(result.outputs, has_finite_numbers)) return {"finite numbers", "one that is not"};
  if (has_failed) return {};
  const bool took_time = result.steps > 0 && result.simulated > 0.0 && result.wall > 0.0 &&
                         std::isfinite(result.simulated / result.wall) &&
                         std::isfinite(result.wall / result.simulated);
  if (!took_time) return {"steps and times above 0", "others"};
  return {};
}

}  // namespace

std::string journal_line(const TryResult& result) {
  std::string text = std::to_string(result.index.point) + " " + std::to_string(result.index.attempt) + " " +
                     std::to_string(static_cast<int>(result.outcome)) + " " + std::to_string(result.steps) +
                     " " + hex(result.simulated) + " " + hex(result.wall) + " " +
                     std::to_string(result.outputs.size());
  for (const OutputResult& output : result.outputs)
    for (const double value :
         {output.start, output.end, output.estimate, output.sigma, output.error, output.rmse})
      text += " " + hex(value);
  std::string message = result.message;
  std::ranges::replace(message, '\n', ' ');
  return with_checksum(text + " " + message);
}

std::optional<TryResult> read_journal_line(std::string_view line) {
  const auto text = without_checksum(line);
  if (!text) return std::nullopt;
  Words words(*text);
  TryResult result;
  result.index.point = words.whole();
  result.index.attempt = words.whole();
  const std::uint64_t outcome = words.whole();
  const std::uint64_t steps = words.whole();
  result.simulated = words.number();
  result.wall = words.number();
  const std::uint64_t outputs = words.whole();
  constexpr auto kMostSteps = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
  if (!words.is_whole() || outcome > 2 || steps > kMostSteps || outputs > text->size()) return std::nullopt;
  result.steps = static_cast<std::int64_t>(steps);
  result.outcome = static_cast<TryResult::Outcome>(outcome);
  result.outputs.resize(outputs);
  for (OutputResult& output : result.outputs)
    for (double* value :
         {&output.start, &output.end, &output.estimate, &output.sigma, &output.error, &output.rmse})
      *value = words.number();
  if (!words.is_whole()) return std::nullopt;
  result.message = words.rest();
  return result;
}

void check_journal_result(const TryResult& result, const StudyPlan& plan, const std::string& path) {
  const JournalFault fault = find_fault(result, plan);
  if (fault.expected.empty()) return;
  throw io::FileError({.what = "the journal has a result that no try can have",
                       .where = path + ", point " + std::to_string(result.index.point + 1) + ", try " +
                                std::to_string(result.index.attempt + 1),
                       .expected = fault.expected,
                       .actual = fault.actual,
                       .next = "Another program wrote it: start over with " + runs::field("is_fresh") +
                               ", or give another " + runs::field("folder") + "."});
}

StudyJournal::StudyJournal(std::string path, const JournalOwner& owner, bool is_fresh)
    : path_(std::move(path)) {
  try {
    open(is_fresh);
    read(owner);
  } catch (...) {
    if (file_ >= 0) close(file_);
    throw;
  }
}

StudyJournal::~StudyJournal() { close(file_); }  // and with it the lock

void StudyJournal::open(bool is_fresh) {
  file_ = ::open(path_.c_str(), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
  if (file_ < 0) fail(errno);
  if (flock(file_, LOCK_EX | LOCK_NB) != 0)
    throw core::ModelError({.what = "another program is at work on this study",
                            .where = path_,
                            .expected = "one at a time",
                            .actual = "a journal that is being written",
                            .next = "Wait for it, or give another " + runs::field("folder") + "."});
  if (is_fresh && ftruncate(file_, 0) != 0) fail(errno);
}

void StudyJournal::read(const JournalOwner& owner) {
  std::string text;
  std::array<char, 1 << 16> buffer;
  while (true) {
    const ssize_t size = pread(file_, buffer.data(), buffer.size(), static_cast<off_t>(text.size()));
    if (size < 0) fail(errno);
    if (size == 0) break;
    text.append(buffer.data(), static_cast<std::size_t>(size));
  }
  // What comes after the last line break was cut off.
  const std::size_t whole = text.rfind('\n') + 1;  // npos + 1 = 0
  if (whole != text.size()) {
    ++num_torn_;
    if (ftruncate(file_, static_cast<off_t>(whole)) != 0) fail(errno);
  }
  if (whole == 0) {
    write(first_line(owner) + "\n");
    if (const int error = io::sync_folder_of(path_)) fail(error);
    return;
  }
  std::size_t start = 0;
  for (bool is_first = true; start < whole; is_first = false) {
    const std::size_t end = text.find('\n', start);
    const std::string_view line = std::string_view(text).substr(start, end - start);
    start = end + 1;
    if (is_first) {
      check_owner(line, owner);
      continue;
    }
    if (auto result = read_journal_line(line))
      found_.push_back(std::move(*result));
    else
      ++num_torn_;
  }
}

/// Says which of study, model and build is another.
void StudyJournal::check_owner(std::string_view line, const JournalOwner& owner) const {
  if (line == first_line(owner)) return;
  const auto fail_for = [&](const std::string& what, const std::string& expected, const std::string& actual) {
    throw io::FileError({.what = "this folder has the results of " + what,
                         .where = path_,
                         .expected = expected,
                         .actual = actual,
                         .next = "Give another " + runs::field("folder") + ", or start over with " +
                                 runs::field("is_fresh") + ", which forgets them."});
  };
  const bool is_journal = line.starts_with(kFirstWord);
  if (!is_journal && line.starts_with(kKind))
    fail_for("another version", "a journal of the kind that this version writes", "one of another kind");
  if (!is_journal) fail_for("something else", "a journal of a study", "a file that is no journal");
  Words words(line.substr(kFirstWord.size()));
  const std::string_view study = words.word(), model = words.word();
  if (study != hex(owner.study))
    fail_for("another study", "those of this study file as it is now, FNV-1a " + hex(owner.study),
             "those of " + std::string(study));
  if (model != hex(owner.model))
    fail_for("another model", "those of the study's model as it is now, FNV-1a " + hex(owner.model),
             "those of " + std::string(model));
  fail_for("another build", "those of " + owner.build, "those of " + words.rest());
}

std::vector<TryResult> StudyJournal::found_of(const StudyPlan& plan, std::vector<bool>& is_done) const {
  std::vector<TryResult> results;
  for (const TryResult& result : found_) {
    check_journal_result(result, plan, path_);
    if (is_done[plan.place_of(result.index)]) continue;
    is_done[plan.place_of(result.index)] = true;
    results.push_back(result);
  }
  return results;
}

void StudyJournal::write(const std::string& text) {
  std::size_t done = 0;
  while (done < text.size()) {
    const ssize_t size = ::write(file_, text.data() + done, text.size() - done);
    if (size < 0 && errno == EINTR) continue;
    if (size < 0) fail(errno);
    done += static_cast<std::size_t>(size);
  }
  has_new_ = true;
}

void StudyJournal::append(const TryResult& result) {
  const std::string line = journal_line(result) + "\n";
  const std::scoped_lock lock(mutex_);
  write(line);
}

void StudyJournal::sync() {
  {
    const std::scoped_lock lock(mutex_);
    if (!std::exchange(has_new_, false)) return;
  }
  if (fdatasync(file_) != 0) fail(errno);
}

void StudyJournal::fail(int error) const {
  throw core::ModelError({.what = "the journal of the study could not be kept",
                          .where = path_,
                          .expected = "a file that can be read and written, and room for it",
                          .actual = std::generic_category().message(error),
                          .next = "Check that the folder exists, may be written to and has space left."});
}

}  // namespace eslabon::study
