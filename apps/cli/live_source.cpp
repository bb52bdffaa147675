#include "apps/cli/live_source.hpp"

#include <cerrno>
#include <chrono>
#include <csignal>
#include <system_error>
#include <utility>

#include "apps/cli/live_clock.hpp"
#include "apps/cli/live_stop.hpp"
#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <pthread.h>
#include <sys/socket.h>
#include <unistd.h>

#include "eslabon/core/error.hpp"

namespace eslabon::cli {

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

int port_of(int socket) {
  sockaddr_in address{};
  socklen_t size = sizeof address;
  return ::getsockname(socket, reinterpret_cast<sockaddr*>(&address), &size) == 0 ? ntohs(address.sin_port)
                                                                                  : 0;
}

}  // namespace

LiveSource::LiveSource(int file, std::string name, std::vector<sensing::SensorFacts> sensors,
                       std::size_t capacity)
    : file_(file),
      is_socket_(false),
      feed_(std::move(sensors), std::move(name), io::MeasurementParser::Header::kOnce),
      ring_(capacity) {
  start();
}

LiveSource::LiveSource(Port port, std::vector<sensing::SensorFacts> sensors, std::size_t capacity)
    : file_(open_port(port.number)),
      is_socket_(true),
      port_(port_of(file_)),
      feed_(std::move(sensors), "port " + std::to_string(port_), io::MeasurementParser::Header::kAnyTime),
      ring_(capacity) {
  start();
}

LiveSource::~LiveSource() {
  stop();
  if (is_socket_) ::close(file_);
}

void LiveSource::start() {
  readings_.reserve(feed_.parser().sensors().size());
  sigset_t before;
  pthread_sigmask(SIG_BLOCK, nullptr, &before);
  block_stop_signals();
  thread_ = std::thread([this] {
    loop();
    has_ended_.store(true);
  });
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
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
    if (!receive()) return;
  }
}

/// What is there. False at the end.
bool LiveSource::receive() {
  const std::span<char> room = feed_.room();
  const ssize_t count =
      is_socket_ ? ::recv(file_, room.data(), room.size(), 0) : ::read(file_, room.data(), room.size());
  if (count < 0) {
    if (errno == EINTR || errno == EAGAIN || errno == EWOULDBLOCK) return true;
    report_.error = std::generic_category().message(errno);
    return false;
  }
  if (count == 0 && !is_socket_) {
    feed_.finish();
    return false;
  }
  feed_.add(static_cast<std::size_t>(count));
  if (is_socket_) {
    feed_.end_line();
    ++report_.num_datagrams;
  }
  hand_over();
  return true;
}

void LiveSource::hand_over() {
  const std::int64_t now = monotonic_now();
  while (feed_.next(readings_)) {
    for (const sensing::Reading& reading : readings_) {
      if (ring_.push({now, reading})) continue;
      if (is_socket_) {
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
  report_.feed = feed_.report();
}

}  // namespace eslabon::cli
