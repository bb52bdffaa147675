#include "eslabon/coordinates/coupling_turns.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "eslabon/core/index.hpp"

namespace eslabon::coordinates {

namespace {

using core::index;

constexpr double kTurn = 2.0 * std::numbers::pi;
constexpr double kFulfilled =
    1e-6;                         // of what a turn makes in a sum: far more than roundoff of closed positions
constexpr int kMostTurns = 512;   // of the angles that are tried one by one
constexpr int kMostSums = 50000;  // looked at before the positions count as a guess

bool share_an_angle(const LinearRelation& a, const LinearRelation& b) {
  return std::ranges::any_of(a.terms, [&](const LinearRelation::Term& one) {
    return one.is_angle &&
           std::ranges::find(b.terms, one.place, &LinearRelation::Term::place) != b.terms.end();
  });
}

}  // namespace

/// Depth first over the relations of one set; within one, over its open angles, of which the last follows from the others.
class CouplingTurns::Search {
 public:
  Search(const std::vector<LinearRelation>& relations, const std::vector<int>& set, std::span<double> x,
         std::vector<bool>& is_fixed)
      : relations_(relations), set_(set), x_(x), is_fixed_(is_fixed) {}

  void run() {
    const std::vector<double> before(x_.begin(), x_.end());
    const std::vector<bool> fixed_before = is_fixed_;
    for (radius_ = 0; radius_ <= kMostTurns && sums_ < kMostSums; radius_ = std::max(1, 2 * radius_))
      if (fulfil(0)) return;
    std::ranges::copy(before, x_.begin());
    is_fixed_ = fixed_before;
    take_nearest();
  }

 private:
  const LinearRelation& relation(std::size_t k) const { return relations_[index(set_[k])]; }

  double residual(const LinearRelation& relation) const {
    double sum = -relation.constant;
    for (const LinearRelation::Term& term : relation.terms) sum += term.value_at(x_[index(term.place)]);
    return sum;
  }
  /// What a turn makes at least; of a function, whose turns may make nothing, how much it has in it.
  double step_of(const LinearRelation& relation) const {
    double step = std::numeric_limits<double>::infinity();
    for (const LinearRelation::Term& term : relation.terms) {
      const double x = x_[index(term.place)];
      if (term.law != nullptr)
        step = std::min(step, std::abs(term.value_at(x)) +
                                  std::abs(term.value_at(x + kTurn) - term.value_at(x)) +
                                  std::abs(residual(relation) - term.value_at(x)));
      else if (term.is_angle)
        step = std::min(step, kTurn * std::abs(term.factor));
    }
    return step;
  }
  /// Functions first: of them no turn follows from the others.
  const LinearRelation::Term* next_open(const LinearRelation& relation) const {
    const LinearRelation::Term* next = nullptr;
    for (const LinearRelation::Term& term : relation.terms)
      if (term.is_angle && !is_fixed_[index(term.place)] &&
          (next == nullptr || (next->law == nullptr && term.law != nullptr)))
        next = &term;
    return next;
  }

  bool fulfil(std::size_t k) {
    if (k == set_.size()) return true;
    const LinearRelation& own = relation(k);
    const LinearRelation::Term* open = next_open(own);
    if (open == nullptr) {
      ++sums_;
      return std::abs(residual(own)) <= kFulfilled * step_of(own) && fulfil(k + 1);
    }
    const std::size_t place = index(open->place);
    const double start = x_[place];
    is_fixed_[place] = true;
    if (next_open(own) == nullptr && open->law == nullptr) {
      x_[place] = start + kTurn * std::round(-residual(own) / (kTurn * open->factor));
      if (fulfil(k)) return true;
    } else {
      // 0, 1, −1, 2, …
      for (int i = 0; i <= 2 * radius_ && sums_ < kMostSums; ++i) {
        x_[place] = start + kTurn * (i % 2 == 1 ? (i + 1) / 2 : -i / 2);
        if (open->law != nullptr && !open->law->reaches(x_[place])) continue;
        if (fulfil(k)) return true;
      }
    }
    is_fixed_[place] = false;
    x_[place] = start;
    return false;
  }

  /// One relation after the other: the last open angle to the nearest turn, the others at most one turn away.
  void take_nearest() {
    for (std::size_t k = 0; k < set_.size(); ++k) {
      const LinearRelation& own = relation(k);
      std::vector<const LinearRelation::Term*> open;
      for (const LinearRelation::Term& term : own.terms)
        if (term.is_angle && !is_fixed_[index(term.place)]) open.push_back(&term);
      if (open.empty()) continue;
      std::ranges::stable_sort(open, {},
                               [](const LinearRelation::Term* term) { return term->law == nullptr; });
      best_ = std::numeric_limits<double>::infinity();
      try_turns(own, open, 0);
      for (std::size_t i = 0; i < open.size(); ++i) {
        x_[index(open[i]->place)] = nearest_[i];
        is_fixed_[index(open[i]->place)] = true;
      }
    }
  }

  void try_turns(const LinearRelation& own, const std::vector<const LinearRelation::Term*>& open,
                 std::size_t i) {
    const std::size_t place = i < open.size() ? index(open[i]->place) : 0;
    const double start = x_[place];
    if (i == open.size() || (i + 1 == open.size() && open[i]->law == nullptr)) {
      if (i < open.size()) x_[place] = start + kTurn * std::round(-residual(own) / (kTurn * open[i]->factor));
      const double left = std::abs(residual(own));
      if (left < best_ - kFulfilled * step_of(own)) {
        best_ = left;
        nearest_.clear();
        for (const LinearRelation::Term* term : open) nearest_.push_back(x_[index(term->place)]);
      }
    } else {
      for (const int turns : {0, 1, -1}) {
        x_[place] = start + kTurn * turns;
        try_turns(own, open, i + 1);
      }
    }
    x_[place] = start;
  }

  const std::vector<LinearRelation>& relations_;
  const std::vector<int>& set_;
  std::span<double> x_;
  std::vector<bool>& is_fixed_;
  int radius_ = 0;
  int sums_ = 0;
  double best_ = 0.0;
  std::vector<double> nearest_;
};

CouplingTurns::CouplingTurns(std::vector<LinearRelation> relations) : relations_(std::move(relations)) {
  std::vector<bool> is_taken(relations_.size(), false);
  for (std::size_t first = 0; first < relations_.size(); ++first) {
    if (is_taken[first]) continue;
    std::vector<int> set{static_cast<int>(first)};
    is_taken[first] = true;
    for (std::size_t i = 0; i < set.size(); ++i)
      for (std::size_t r = 0; r < relations_.size(); ++r)
        if (!is_taken[r] && share_an_angle(relations_[index(set[i])], relations_[r])) {
          is_taken[r] = true;
          set.push_back(static_cast<int>(r));
        }
    sets_.push_back(std::move(set));
  }
}

void CouplingTurns::apply(std::span<double> x, std::vector<bool> is_fixed) const {
  for (const std::vector<int>& set : sets_) Search(relations_, set, x, is_fixed).run();
}

LinearRelation relation_of(const model::Mechanism& mechanism, const model::Coupling& coupling,
                           std::span<const int> places) {
  const double unit = coupling.terms.front().factor;
  LinearRelation relation{{}, coupling.offset / unit};
  for (std::size_t k = 0; k < coupling.terms.size(); ++k) {
    const model::JointCoordinate& coordinate = coupling.terms[k].coordinate;
    const bool is_angle = model::coordinate_dimension(mechanism.joint(coordinate.joint).type,
                                                      coordinate.component) == core::kAngle;
    relation.terms.push_back({places[k], coupling.terms[k].factor / unit, is_angle, coupling.law_of_term(k)});
  }
  return relation;
}

}  // namespace eslabon::coordinates
