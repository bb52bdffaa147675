#include "apps/cli/live_stop.hpp"

#include <atomic>
#include <csignal>

#include <pthread.h>

namespace eslabon::cli {

namespace {

std::atomic<bool> was_requested = false;
std::atomic<int> first_signal = 0;
// What a handler may use.
static_assert(std::atomic<bool>::is_always_lock_free && std::atomic<int>::is_always_lock_free);

/// The second one does what it does by itself, also where the first was another.
void request(int signal) {
  if (was_requested.exchange(true)) {
    std::signal(signal, SIG_DFL);
    std::raise(signal);
    return;
  }
  first_signal.store(signal);
}

struct sigaction before_interrupt, before_terminate;

}  // namespace

StopSignals::StopSignals() {
  was_requested.store(false);
  struct sigaction action {};
  action.sa_handler = request;
  sigaction(SIGINT, &action, &before_interrupt);
  sigaction(SIGTERM, &action, &before_terminate);
}

StopSignals::~StopSignals() {
  was_requested.store(false);
  sigaction(SIGINT, &before_interrupt, nullptr);
  sigaction(SIGTERM, &before_terminate, nullptr);
}

bool StopSignals::requested() { return was_requested.load(std::memory_order_relaxed); }
int StopSignals::signal() { return first_signal.load(); }
const std::atomic<bool>& StopSignals::flag() { return was_requested; }

void block_stop_signals() {
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGINT);
  sigaddset(&signals, SIGTERM);
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);
}

}  // namespace eslabon::cli
