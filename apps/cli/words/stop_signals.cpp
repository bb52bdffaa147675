#include "apps/cli/words/stop_signals.hpp"

#include <atomic>
#include <csignal>

#include "eslabon/io/files/partial_file.hpp"

namespace eslabon::cli {

namespace {

std::atomic<bool> was_requested = false;
std::atomic<int> first_signal = 0;
// What a handler may use.
static_assert(std::atomic<bool>::is_always_lock_free && std::atomic<int>::is_always_lock_free);

/// What a signal does by itself, without files that are not complete.
void end_at_once(int signal) {
  io::PartialFile::remove_all();
  std::signal(signal, SIG_DFL);
  std::raise(signal);
}

/// The second one ends the program, also where the first was another.
void request(int signal) {
  int none = 0;
  if (!first_signal.compare_exchange_strong(none, signal)) end_at_once(signal);
  was_requested.store(true);
}

/// Sets a handler, unless who started the program wants the signal to be ignored, as nohup and '&' in scripts do.
void handle(int signal, void (*handler)(int), struct sigaction& before) {
  struct sigaction action {};
  action.sa_handler = handler;
  sigaction(signal, nullptr, &before);
  if (before.sa_handler != SIG_IGN) sigaction(signal, &action, nullptr);
}

struct sigaction before_interrupt, before_terminate;

}  // namespace

StopSignals::StopSignals() {
  was_requested.store(false);
  first_signal.store(0);
  handle(SIGINT, request, before_interrupt);
  handle(SIGTERM, request, before_terminate);
}

StopSignals::~StopSignals() {
  was_requested.store(false);
  first_signal.store(0);
  sigaction(SIGINT, &before_interrupt, nullptr);
  sigaction(SIGTERM, &before_terminate, nullptr);
}

bool StopSignals::requested() { return was_requested.load(std::memory_order_relaxed); }
int StopSignals::signal() { return first_signal.load(); }
const std::atomic<bool>& StopSignals::flag() { return was_requested; }

void leave_nothing_at_signals() {
  struct sigaction before {};
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGPIPE}) handle(signal, end_at_once, before);
}

}  // namespace eslabon::cli
