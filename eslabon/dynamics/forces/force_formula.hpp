#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "eslabon/core/text/error.hpp"
#include "eslabon/dynamics/forces/counted_angles.hpp"

namespace eslabon::dynamics {

/// The variables of one load or law: their values are the arguments of its functions. Angles of joints, and lengths of springs and dampers
/// along them, are counted beyond ±π; positions of points are from the user's origin, as everywhere in formulas. Auxiliary states are those
/// of the memory.
class ForceFormula {
 public:
  /// Looks at the mechanism and at `variables`, which live as long; joint angles among them are added to `angles`.
  ForceFormula(const model::Mechanism& mechanism, const std::vector<model::Variable>& variables,
               CountedAngles& angles);

  /// The place of its first choice in ForceMemory::choices. Until then its choices are not kept: they take the side that their values say.
  void count_choices_from(std::size_t first) { first_choice_ = first; }

  /// The functions at time t in this motion; out: as many. Does not allocate.
  template <core::Scalar T>
  void evaluate(std::span<const model::TimeFunction> functions, double t, const CountedAngles& angles,
                const coordinates::MechanismMotionOf<T>& bodies, MemoryOf<T> memory, std::span<T> out) const;
  /// The same of one function.
  template <core::Scalar T>
  T value(const model::TimeFunction& function, double t, const CountedAngles& angles,
          const coordinates::MechanismMotionOf<T>& bodies, MemoryOf<T> memory) const {
    T out(0.0);
    evaluate(std::span(&function, 1), t, angles, bodies, memory, std::span<T>(&out, 1));
    return out;
  }

  /// What the choices in the functions look at, model::switch_values; out: as many as they have. Does not allocate.
  void switch_values(std::span<const model::TimeFunction> functions, double t, const CountedAngles& angles,
                     const coordinates::MechanismMotion& bodies, const ForceMemory& memory,
                     std::span<double> out) const;

  /// What is said when a function has no value there: "a formula has no value [force 'drag', t = 0.5 s]: …"; nothing when all have.
  std::optional<core::ErrorText> why_no_value(std::span<const model::TimeFunction> functions,
                                              std::string_view kind, const std::string& name, double t,
                                              const CountedAngles& angles,
                                              const coordinates::MechanismMotion& bodies,
                                              const ForceMemory& memory) const;

 private:
  template <core::Scalar T>
  T argument(std::size_t k, const CountedAngles& angles, const coordinates::MechanismMotionOf<T>& bodies,
             MemoryOf<T> memory) const;

  const model::Mechanism& mechanism_;
  const std::vector<model::Variable>& variables_;
  std::vector<CountedAngles::Places> places_;  ///< (variables)
  std::optional<std::size_t> first_choice_;
};

}  // namespace eslabon::dynamics
