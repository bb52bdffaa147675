#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>

namespace eslabon::io {

/// Bytes as they come, cut into lines. Memory is fixed: a line that does not fit is reported once and passed over.
class MeasurementLines {
 public:
  static constexpr std::size_t kLongestLine = 1 << 18;  ///< characters

  explicit MeasurementLines(std::size_t longest = kLongestLine)
      : size_(longest + 1), buffer_(std::make_unique_for_overwrite<char[]>(size_)) {}

  std::size_t longest() const { return size_ - 1; }
  /// Where bytes can be put; never empty after next has said kNone.
  std::span<char> room();
  /// So many were put there.
  void add(std::size_t count) { end_ += count; }

  enum class Kind {
    kNone,  ///< no whole line is left
    kLine,
    kTooLong,  ///< a line longer than there is room for; its rest is passed over
  };
  /// The next line, without "\n" or "\r\n"; valid until room is called.
  Kind next(std::string_view& line);
  /// What is left is a line, as at the end of a datagram. kNone when nothing is left.
  Kind last(std::string_view& line);
  /// Whether the bytes so far end within a line.
  bool is_within_line() const { return begin_ != end_ || is_passing_over_; }
  /// Of the line that next or last gave; the first is 1.
  std::int64_t number() const { return number_; }

 private:
  std::size_t size_;                 ///< of buffer_
  std::unique_ptr<char[]> buffer_;   ///< not touched before something is put there
  std::size_t begin_ = 0, end_ = 0;  ///< of what was put and not taken
  std::size_t searched_ = 0;         ///< no line break before this place
  bool is_passing_over_ = false;
  std::int64_t number_ = 0;
};

}  // namespace eslabon::io
