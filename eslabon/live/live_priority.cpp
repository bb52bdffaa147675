#include "eslabon/live/live_priority.hpp"

#include <pthread.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace eslabon::live {

std::string_view prefer_this_thread() {
  // By default the system may wake a thread 50 µs late, to save power.
  static_cast<void>(::prctl(PR_SET_TIMERSLACK, 1UL, 0UL, 0UL, 0UL));
  sched_param wish{};
  wish.sched_priority = sched_get_priority_min(SCHED_FIFO) + 1;
  if (::pthread_setschedparam(::pthread_self(), SCHED_FIFO, &wish) == 0) return "real-time priority";
  const auto thread = static_cast<id_t>(::syscall(SYS_gettid));
  if (::setpriority(PRIO_PROCESS, thread, -15) == 0) return "raised priority";
  return "no priority";
}

}  // namespace eslabon::live
