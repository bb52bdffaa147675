#pragma once

#include <span>
#include <vector>

#include "eslabon/model/mechanism.hpp"

namespace eslabon::coordinates {

/// A relation between numbers of a list:  Σ factor · x[place] = constant;  a term may have a function of x[place] in its place.
struct LinearRelation {
  struct Term {
    int place;
    double factor;
    bool is_angle;
    const model::CouplingLaw* law = nullptr;  ///< of the mechanism

    double value_at(double x) const { return factor * (law != nullptr ? law->value.evaluate(x) : x); }
  };
  std::vector<Term> terms;
  double constant = 0.0;
};

/// Which whole turns angles have. Poses tell angles up to whole turns only, couplings are relations between the angles themselves:
///   Σ c_i (x_i + 2π n_i) = c₀,   n_i whole, 0 where x_i is no angle                              (1)
/// Any n that fulfils (1) describes the same positions, and the same motion from there on: two of them differ by turns that leave the
/// sum as it is. What is read from closed positions is found among |n_i| as small as possible; where nothing fulfils (1), positions are
/// a guess, and the n nearest to it are taken: wheels are put in mesh at the nearest teeth.
class CouplingTurns {
 public:
  CouplingTurns() = default;
  explicit CouplingTurns(std::vector<LinearRelation> relations);

  /// Adds whole turns to those angles that are not fixed, (as x). Cost: some 10 to 10⁴ sums for each set of relations that share angles.
  void apply(std::span<double> x, std::vector<bool> is_fixed) const;

 private:
  class Search;
  std::vector<LinearRelation> relations_;
  std::vector<std::vector<int>>
      sets_;  ///< relations that share angles, each after one that it shares one with
};

/// The coupling as a relation between joint coordinates at these places, measured in what its first one is measured in.
LinearRelation relation_of(const model::Mechanism& mechanism, const model::Coupling& coupling,
                           std::span<const int> places);

}  // namespace eslabon::coordinates
