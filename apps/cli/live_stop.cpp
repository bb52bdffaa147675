#include "apps/cli/live_stop.hpp"

#include <atomic>
#include <csignal>

#include <pthread.h>

namespace eslabon::cli {

namespace {

std::atomic<bool> was_requested = false;
static_assert(std::atomic<bool>::is_always_lock_free);  // what a handler may use

void request(int /*signal*/) { was_requested.store(true); }

struct sigaction before_interrupt, before_terminate;

}  // namespace

StopSignals::StopSignals() {
  was_requested.store(false);
  struct sigaction action {};
  action.sa_handler = request;
  action.sa_flags = static_cast<int>(SA_RESETHAND);  // the second one does what it does by itself
  sigaction(SIGINT, &action, &before_interrupt);
  sigaction(SIGTERM, &action, &before_terminate);
}

StopSignals::~StopSignals() {
  was_requested.store(false);
  sigaction(SIGINT, &before_interrupt, nullptr);
  sigaction(SIGTERM, &before_terminate, nullptr);
}

bool StopSignals::requested() { return was_requested.load(); }

void block_stop_signals() {
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGINT);
  sigaddset(&signals, SIGTERM);
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);
}

}  // namespace eslabon::cli
