#pragma once

#include <optional>
#include <string>
#include <vector>

#include <Eigen/Core>

#include "eslabon/coordinates/linear_form.hpp"
#include "eslabon/model/indices.hpp"

namespace eslabon::coordinates {

/// A point or unit vector that may carry coordinates, seen from one link.
struct BaseElement {
  bool is_point = true;
  Eigen::Vector3d local = Eigen::Vector3d::Zero();  ///< (3) in the link's frame
  std::string name;                                 ///< "P1", "axis of A"
  /// How it follows from q when an earlier link has it already; none: it is new.
  std::optional<LinearForm> form = {};
  std::vector<int> links =
      {};  ///< links that hold it already: what they fix between two elements needs no row here
};

/// The points and vectors that a link is described by: an origin and as many directions as the space has
/// dimensions (in the plane one, the second is perpendicular to it). Each point or vector of the link is a
/// linear combination of them, so its place is linear in q.
class NaturalBase {
 public:
  /// Chooses the base among candidates, in their order, as far as they span it; completes it with new vectors (and a
  /// point) where they do not. A direction counts when it is at least 6° out of the plane or line of those before.
  NaturalBase(std::vector<BaseElement> candidates, bool is_planar, double length_scale);

  const std::vector<BaseElement>& elements() const { return elements_; }  ///< the origin first
  std::vector<BaseElement>& elements() { return elements_; }
  /// (candidates) position in elements(); −1 when it is not in the base.
  const std::vector<int>& place_of_candidate() const { return place_of_candidate_; }

  /// The point or direction of the link at `local`. Every element has its form by now.
  LinearForm form_of(const Eigen::Vector3d& local, bool is_point) const;

 private:
  bool try_add(const BaseElement& element);
  Eigen::Vector3d direction(std::size_t i) const;

  bool is_planar_;
  double length_scale_;
  std::vector<BaseElement> elements_;
  std::vector<int> place_of_candidate_;
  std::vector<Eigen::Vector3d> orthonormal_;  ///< directions so far, made orthonormal
};

}  // namespace eslabon::coordinates
