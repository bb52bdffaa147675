#pragma once

#include <atomic>
#include <cstdint>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "eslabon/io/measurements/datagram_feed.hpp"
#include "eslabon/io/measurements/measurement_feed.hpp"
#include "eslabon/live/live_ring.hpp"
#include "eslabon/sensing/reading.hpp"

namespace eslabon::live {

/// A reading and when it came.
struct Arrival {
  std::int64_t came = 0;  ///< monotonic clock [ns]
  sensing::Reading reading;
};

/// What a source of readings has seen.
struct SourceReport {
  io::FeedReport feed;
  io::DatagramReport datagrams;
  std::int64_t datagrams_lost = 0;    ///< by the system: they came faster than they were read
  std::int64_t readings_dropped = 0;  ///< of datagrams: the filter was too slow and the ring full
  std::int64_t num_waits = 0;         ///< of pipes: times that the sender was made to wait for the filter
  std::string error;                  ///< what the system said when reading failed; empty: it did not
};

/// Readings from the standard input or a port, taken by a thread of its own: it reads, checks and hands over at once, whatever the filter
/// does meanwhile. A pipe has an end, and its sender waits when the ring is full, so a file can be piped in; datagrams come until
/// stop() and are dropped then. Lines are those of a measurement file; datagrams hold whole ones, see io::DatagramFeed.
class LiveSource {
 public:
  /// Reads an open file, such as 0, to its end. Does not close it.
  static constexpr std::size_t kCapacity = 4096;
  LiveSource(int file, std::string name, std::vector<sensing::SensorFacts> sensors,
             std::size_t capacity = kCapacity);

  struct Port {
    int number = 0;  ///< 0: any that is free
    io::DatagramFeed::Senders senders = io::DatagramFeed::Senders::kFirst;
  };
  /// Binds 127.0.0.1:PORT (UDP). Throws core::ModelError when it is taken or not allowed.
  LiveSource(Port port, std::vector<sensing::SensorFacts> sensors, std::size_t capacity = kCapacity);
  /// stop().
  ~LiveSource();
  LiveSource(const LiveSource&) = delete;
  LiveSource& operator=(const LiveSource&) = delete;

  /// The next reading, in the order of arrival. Never waits.
  [[nodiscard]] bool next(Arrival& arrival) { return ring_.pop(arrival); }
  /// Whether no reading will come any more, and all have been taken.
  bool is_over() const { return has_ended_.load() && ring_.size() == 0; }
  int port() const { return port_; }  ///< the one that was bound; 0 of files

  /// Ends the thread within a tenth of a second, and fills the report.
  void stop();
  /// After stop.
  const SourceReport& report() const { return report_; }

 private:
  void start(std::size_t num_sensors);
  void loop();
  bool receive_bytes();
  bool receive_datagram();
  bool has_failed(int error);
  template <class Feed>
  void hand_over(Feed& feed);

  int file_;
  int port_ = 0;
  std::optional<io::MeasurementFeed> feed_;        ///< of files
  std::optional<io::DatagramFeed> datagram_feed_;  ///< of ports
  LiveRing<Arrival> ring_;
  std::vector<sensing::Reading> readings_;
  SourceReport report_;  ///< of the thread until stop
  std::atomic<bool> must_end_ = false, has_ended_ = false;
  std::thread thread_;
};

}  // namespace eslabon::live
