#include "eslabon/study/study_run.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <thread>

#include "eslabon/live/blocked_signals.hpp"

namespace eslabon::study {

namespace {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

constexpr auto kBetweenReports = 100ms;
constexpr auto kBetweenSyncs = 500ms;

/// Threads that take one try after the other.
class Workers {
 public:
  Workers(const StudyPlan& plan, StudyCases& cases, StudyJournal& journal, std::vector<TryIndex> tries)
      : plan_(plan), cases_(cases), journal_(journal), tries_(std::move(tries)) {}
  ~Workers() { end(); }
  Workers(const Workers&) = delete;
  Workers& operator=(const Workers&) = delete;

  void begin(int threads) {
    num_working_ = threads;
    const live::BlockedSignals blocked;
    for (int k = 0; k < threads; ++k) threads_.emplace_back([this] { work(); });
  }
  /// Waits for a while. False when nobody works any more.
  bool wait() {
    std::unique_lock lock(mutex_);
    return !is_idle_.wait_for(lock, kBetweenReports, [this] { return num_working_ == 0; });
  }
  void end() {
    is_stopped_ = true;
    for (std::thread& thread : threads_)
      if (thread.joinable()) thread.join();
  }
  std::size_t num_done() const { return num_done_; }
  /// After the end.
  std::vector<TryResult>& results() { return results_; }
  void rethrow() const {
    if (trouble_) std::rethrow_exception(trouble_);
  }

 private:
  void work() {
    try {
      for (std::size_t k = next_++; k < tries_.size() && !is_stopped_; k = next_++) {
        auto result = run(tries_[k]);
        if (!result) break;
        journal_.append(*result);
        const std::scoped_lock lock(mutex_);
        results_.push_back(std::move(*result));
        ++num_done_;
      }
    } catch (...) {
      const std::scoped_lock lock(mutex_);
      if (!trouble_) trouble_ = std::current_exception();
      is_stopped_ = true;
    }
    const std::scoped_lock lock(mutex_);
    if (--num_working_ == 0) is_idle_.notify_all();
  }

  std::optional<TryResult> run(const TryIndex& index) {
    const StudyCase* one = nullptr;
    try {
      one = &cases_.at(index.point);
    } catch (const core::ModelError& error) {
      return TryResult{.index = index, .message = error.what()};  // a point that cannot be tried
    }
    return one->run(index.attempt, is_stopped_);
  }

  const StudyPlan& plan_;
  StudyCases& cases_;
  StudyJournal& journal_;
  std::vector<TryIndex> tries_;
  std::atomic<std::size_t> next_ = 0, num_done_ = 0;
  std::atomic<bool> is_stopped_ = false;
  std::mutex mutex_;
  std::condition_variable is_idle_;
  int num_working_ = 0;  ///< of these four the mutex takes care
  std::vector<TryResult> results_;
  std::exception_ptr trouble_;
  std::vector<std::thread> threads_;
};

}  // namespace

StudyCases::StudyCases(const StudyPlan& plan, runs::RunObserver& observer,
                       std::shared_ptr<codegen::NativeCompiler> compiler)
    : plan_(plan),
      observer_(observer),
      compiler_(std::move(compiler)),
      is_made_(plan.num_points()),
      cases_(plan.num_points()) {}

const StudyCase& StudyCases::at(std::size_t point) {
  std::call_once(is_made_[point],
                 [&] { cases_[point] = std::make_unique<StudyCase>(plan_, point, observer_, compiler_); });
  return *cases_[point];
}

bool run_study(const StudyPlan& plan, StudyCases& cases, StudyJournal& journal,
               const std::vector<bool>& is_done, int threads,
               const std::function<bool(const StudyProgress&)>& report, std::vector<TryResult>& results) {
  std::vector<TryIndex> tries;
  for (std::size_t k = 0; k < plan.size(); ++k)
    if (!is_done[plan.place_of(plan.turn(k))]) tries.push_back(plan.turn(k));
  const std::size_t of = tries.size();
  threads =
      std::clamp(threads, 1, static_cast<int>(std::max<std::size_t>(1, std::min<std::size_t>(of, 1024))));
  Workers workers(plan, cases, journal, std::move(tries));
  workers.begin(threads);
  auto next_sync = Clock::now() + kBetweenSyncs;
  bool is_asked_to_end = false;
  while (workers.wait() && !is_asked_to_end) {
    is_asked_to_end = report({workers.num_done(), of});
    if (Clock::now() < next_sync) continue;
    journal.sync();
    next_sync = Clock::now() + kBetweenSyncs;
  }
  workers.end();
  workers.rethrow();
  journal.sync();
  results.insert(results.end(), workers.results().begin(), workers.results().end());
  return workers.num_done() == of;
}

}  // namespace eslabon::study
