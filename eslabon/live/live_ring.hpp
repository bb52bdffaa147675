#pragma once

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "eslabon/core/text/error.hpp"

namespace eslabon::live {

/// Places of a queue from one thread to one other, without locks. Counters only grow; place k is slot k mod capacity. The writer
/// publishes a slot by storing `head_` (release), the reader sees what was written when it has loaded it (acquire); and the other way
/// round for slots that are free again. Each side keeps the other's counter as it last saw it, and loads it again only when that one says
/// full or empty.
class RingPlaces {
 public:
  static constexpr std::size_t kNone = static_cast<std::size_t>(-1);

  /// Throws core::ContractError unless capacity is a power of two.
  explicit RingPlaces(std::size_t capacity) : capacity_(capacity) {
    if (!std::has_single_bit(capacity))
      throw core::ContractError({.what = "a ring of this size cannot be made",
                                 .where = "RingPlaces",
                                 .expected = "a power of two",
                                 .actual = std::to_string(capacity),
                                 .next = "Take the next one."});
  }

  std::size_t capacity() const { return capacity_; }
  /// By either thread: how many are waiting, roughly.
  std::size_t size() const {
    const std::uint64_t tail = tail_.load(std::memory_order_acquire);
    return static_cast<std::size_t>(head_.load(std::memory_order_acquire) - tail);
  }

  /// The writer: the slot to fill, kNone when full; then publish().
  std::size_t to_fill() {
    const std::uint64_t head = head_.load(std::memory_order_relaxed);
    if (head - tail_seen_ == capacity_) {
      tail_seen_ = tail_.load(std::memory_order_acquire);
      if (head - tail_seen_ == capacity_) return kNone;
    }
    return static_cast<std::size_t>(head) & (capacity_ - 1);
  }
  void publish() { head_.store(head_.load(std::memory_order_relaxed) + 1, std::memory_order_release); }

  /// The reader: the oldest slot, kNone when empty; then release().
  std::size_t to_read() {
    const std::uint64_t tail = tail_.load(std::memory_order_relaxed);
    if (tail == head_seen_) {
      head_seen_ = head_.load(std::memory_order_acquire);
      if (tail == head_seen_) return kNone;
    }
    return static_cast<std::size_t>(tail) & (capacity_ - 1);
  }
  void release() { tail_.store(tail_.load(std::memory_order_relaxed) + 1, std::memory_order_release); }

 private:
  static constexpr std::size_t kLine = 64;  ///< of the cache: the two sides write to different ones
  const std::size_t capacity_;
  alignas(kLine) std::atomic<std::uint64_t> head_ = 0;  ///< published; written by the writer
  std::uint64_t tail_seen_ = 0;                         ///< of the writer
  alignas(kLine) std::atomic<std::uint64_t> tail_ = 0;  ///< released; written by the reader
  std::uint64_t head_seen_ = 0;                         ///< of the reader
};

/// A queue from one thread to one other: neither ever waits for the other, nothing is allocated after construction.
template <class T>
class LiveRing {
 public:
  explicit LiveRing(std::size_t capacity) : places_(capacity), slots_(capacity) {}

  /// By the one thread. False when it is full: `value` is not in it.
  [[nodiscard]] bool push(const T& value) {
    const std::size_t place = places_.to_fill();
    if (place == RingPlaces::kNone) return false;
    slots_[place] = value;
    places_.publish();
    return true;
  }
  /// By the other thread. False when it is empty.
  [[nodiscard]] bool pop(T& value) {
    const std::size_t place = places_.to_read();
    if (place == RingPlaces::kNone) return false;
    value = slots_[place];
    places_.release();
    return true;
  }
  std::size_t size() const { return places_.size(); }
  std::size_t capacity() const { return places_.capacity(); }

 private:
  RingPlaces places_;
  std::vector<T> slots_;
};

/// The same for rows of numbers, all of one width.
class LiveRows {
 public:
  LiveRows(std::size_t width, std::size_t capacity)
      : width_(width), places_(capacity), values_(width * capacity) {}

  std::size_t width() const { return width_; }
  /// False when it is full; throws core::ContractError for another width.
  [[nodiscard]] bool push(std::span<const double> row) {
    if (row.size() != width_)
      throw core::ContractError({.what = "a row of the wrong length",
                                 .where = "LiveRows",
                                 .expected = std::to_string(width_) + " numbers",
                                 .actual = std::to_string(row.size()),
                                 .next = "Give one number per column."});
    const std::size_t place = places_.to_fill();
    if (place == RingPlaces::kNone) return false;
    std::copy(row.begin(), row.end(), values_.begin() + static_cast<std::ptrdiff_t>(place * width_));
    places_.publish();
    return true;
  }
  /// The oldest row, until release; empty span when there is none.
  std::span<const double> front() {
    const std::size_t place = places_.to_read();
    if (place == RingPlaces::kNone) return {};
    return std::span(values_).subspan(place * width_, width_);
  }
  void release() { places_.release(); }
  std::size_t size() const { return places_.size(); }
  std::size_t capacity() const { return places_.capacity(); }

 private:
  std::size_t width_;
  RingPlaces places_;
  std::vector<double> values_;  ///< (capacity × width)
};

}  // namespace eslabon::live
