#pragma once

#include <csignal>

namespace eslabon::live {

/// While one of these lives, SIGINT and SIGTERM are left to other threads; threads that are made meanwhile leave them to others as long as
/// they live.
class BlockedSignals {
 public:
  BlockedSignals();
  ~BlockedSignals();
  BlockedSignals(const BlockedSignals&) = delete;
  BlockedSignals& operator=(const BlockedSignals&) = delete;

 private:
  sigset_t before_;
};

}  // namespace eslabon::live
