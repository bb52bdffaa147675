#include "eslabon/live/live_source.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <system_error>
#include <utility>

#include <arpa/inet.h>
#include <linux/sock_diag.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include "eslabon/core/text/error.hpp"
#include "eslabon/live/blocked_signals.hpp"
#include "eslabon/live/step_clock.hpp"

namespace eslabon::live {

namespace {

constexpr int kPatience = 50;  // [ms] to look whether to stop

[[noreturn]] void fail(int number, int error) {
  throw core::ModelError({.what = "no readings can be received",
                          .where = "127.0.0.1:" + std::to_string(number),
                          .expected = "a port that is free, 1024 … 65535",
                          .actual = std::generic_category().message(error),
                          .next = "Choose another port."});
}

int open_port(int number) {
  if (number < 0 || number > 65535) fail(number, EINVAL);
  const int socket = ::socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  if (socket < 0) fail(number, errno);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  address.sin_port = htons(static_cast<std::uint16_t>(number));
  if (::bind(socket, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0) {
    const int error = errno;
    ::close(socket);
    fail(number, error);
  }
  return socket;
}

/// Each datagram then tells how many the system has dropped before it.
void ask_for_losses(int socket) {
  const int yes = 1;
  static_cast<void>(::setsockopt(socket, SOL_SOCKET, SO_RXQ_OVFL, &yes, sizeof yes));
}

/// What came with a datagram beside its bytes: how many were dropped before it, nothing when none ever was.
std::optional<std::uint32_t> losses_before(msghdr& message) {
  for (cmsghdr* one = CMSG_FIRSTHDR(&message); one != nullptr; one = CMSG_NXTHDR(&message, one)) {
    if (one->cmsg_level != SOL_SOCKET || one->cmsg_type != SO_RXQ_OVFL) continue;
    std::uint32_t count = 0;
    std::memcpy(&count, CMSG_DATA(one), sizeof count);
    return count;
  }
  return std::nullopt;
}

/// How many datagrams the system has dropped so far, those behind the last one that was read too; 0 where it does not tell.
std::int64_t losses_of(int socket) {
  std::array<std::uint32_t, SK_MEMINFO_VARS> facts{};
  socklen_t size = sizeof facts;
  return ::getsockopt(socket, SOL_SOCKET, SO_MEMINFO, facts.data(), &size) == 0 ? facts[SK_MEMINFO_DROPS] : 0;
}

int port_of(int socket) {
  sockaddr_in address{};
  socklen_t size = sizeof address;
  return ::getsockname(socket, reinterpret_cast<sockaddr*>(&address), &size) == 0 ? ntohs(address.sin_port)
                                                                                  : 0;
}

}  // namespace

LiveSource::LiveSource(int file, std::string name, std::vector<sensing::SensorFacts> sensors,
                       std::size_t capacity)
    : file_(file), ring_(capacity) {
  feed_.emplace(std::move(sensors), std::move(name), io::MeasurementParser::Header::kOnce);
  start(feed_->parser().sensors().size());
}

LiveSource::LiveSource(Port port, std::vector<sensing::SensorFacts> sensors, std::size_t capacity)
    : file_(open_port(port.number)), port_(port_of(file_)), ring_(capacity) {
  ask_for_losses(file_);
  datagram_feed_.emplace(std::move(sensors), "port " + std::to_string(port_), port.senders);
  start(datagram_feed_->sensors().size());
}

LiveSource::~LiveSource() {
  stop();
  if (datagram_feed_) ::close(file_);
}

void LiveSource::start(std::size_t num_sensors) {
  readings_.reserve(num_sensors);
  const BlockedSignals blocked;
  thread_ = std::thread([this] {
    loop();
    has_ended_.store(true);
  });
}

void LiveSource::loop() {
  while (!must_end_.load()) {
    pollfd wanted{file_, POLLIN, 0};
    const int count = ::poll(&wanted, 1, kPatience);
    if (count == 0 || (count < 0 && errno == EINTR)) continue;
    if (count < 0) {
      report_.error = std::generic_category().message(errno);
      return;
    }
    if (!(datagram_feed_ ? receive_datagram() : receive_bytes())) return;
  }
}

/// Whether reading cannot go on; then the report says why.
bool LiveSource::has_failed(int error) {
  if (error == EINTR || error == EAGAIN || error == EWOULDBLOCK) return false;
  report_.error = std::generic_category().message(error);
  return true;
}

/// What is there. False at the end.
bool LiveSource::receive_bytes() {
  const std::span<char> room = feed_->room();
  const ssize_t count = ::read(file_, room.data(), room.size());
  if (count < 0) return !has_failed(errno);
  if (count == 0) {
    feed_->finish();
    return false;
  }
  feed_->add(static_cast<std::size_t>(count));
  hand_over(*feed_);
  return true;
}

/// One datagram and whose it is. False when there will be none.
bool LiveSource::receive_datagram() {
  const std::span<char> room = datagram_feed_->room();
  sockaddr_in sender{};
  iovec place{room.data(), room.size()};
  alignas(cmsghdr) std::array<char, CMSG_SPACE(sizeof(std::uint32_t))> beside{};
  msghdr message{};
  message.msg_name = &sender;
  message.msg_namelen = sizeof sender;
  message.msg_iov = &place;
  message.msg_iovlen = 1;
  message.msg_control = beside.data();
  message.msg_controllen = beside.size();
  const ssize_t count = ::recvmsg(file_, &message, 0);
  if (count < 0) return !has_failed(errno);
  if (const auto losses = losses_before(message)) report_.datagrams_lost = *losses;
  datagram_feed_->add({ntohl(sender.sin_addr.s_addr), ntohs(sender.sin_port)},
                      static_cast<std::size_t>(count));
  hand_over(*datagram_feed_);
  return true;
}

template <class Feed>
void LiveSource::hand_over(Feed& feed) {
  const std::int64_t now = monotonic_now();
  while (feed.next(readings_)) {
    for (const sensing::Reading& reading : readings_) {
      if (ring_.push({now, reading})) continue;
      if (datagram_feed_) {
        ++report_.readings_dropped;
        continue;
      }
      ++report_.num_waits;
      while (!must_end_.load() && !ring_.push({monotonic_now(), reading}))
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
      if (must_end_.load()) return;
    }
  }
}

void LiveSource::stop() {
  if (!thread_.joinable()) return;
  must_end_.store(true);
  thread_.join();
  report_.feed = datagram_feed_ ? datagram_feed_->lines() : feed_->report();
  if (!datagram_feed_) return;
  report_.datagrams = datagram_feed_->report();
  report_.datagrams_lost = std::max(report_.datagrams_lost, losses_of(file_));
}

}  // namespace eslabon::live
