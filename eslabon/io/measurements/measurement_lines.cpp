#include "eslabon/io/measurements/measurement_lines.hpp"

#include <algorithm>
#include <cstring>

namespace eslabon::io {

namespace {

std::string_view without_return(std::string_view line) {
  if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
  return line;
}

}  // namespace

std::span<char> MeasurementLines::room() {
  if (begin_ > 0) {
    std::memmove(buffer_.get(), buffer_.get() + begin_, end_ - begin_);
    searched_ -= begin_;
    end_ -= begin_;
    begin_ = 0;
  }
  return {buffer_.get() + end_, size_ - end_};
}

MeasurementLines::Kind MeasurementLines::next(std::string_view& line) {
  for (;;) {
    const char* const from = buffer_.get() + searched_;
    const char* const to = buffer_.get() + end_;
    const char* const place = std::find(from, to, '\n');
    if (place == to) {
      searched_ = end_;
      if (is_passing_over_) begin_ = end_;
      if (end_ - begin_ < size_) return Kind::kNone;
      is_passing_over_ = true;
      begin_ = end_;
      ++number_;
      return Kind::kTooLong;
    }
    const auto stop = static_cast<std::size_t>(place - buffer_.get());
    const std::string_view found(buffer_.get() + begin_, stop - begin_);
    begin_ = searched_ = stop + 1;
    if (is_passing_over_) {
      is_passing_over_ = false;
      continue;
    }
    line = without_return(found);
    ++number_;
    return Kind::kLine;
  }
}

MeasurementLines::Kind MeasurementLines::last(std::string_view& line) {
  const bool is_rest_of_long_line = is_passing_over_;
  line = without_return({buffer_.get() + begin_, end_ - begin_});
  const bool is_empty = begin_ == end_;
  begin_ = searched_ = end_;
  is_passing_over_ = false;
  if (is_rest_of_long_line || is_empty) return Kind::kNone;
  ++number_;
  return Kind::kLine;
}

}  // namespace eslabon::io
