#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "eslabon/coordinates/body_motion.hpp"
#include "eslabon/coordinates/feature.hpp"
#include "eslabon/coordinates/row.hpp"
#include "eslabon/model/length_scale.hpp"
#include "eslabon/model/mechanism.hpp"
#include "eslabon/structure/structure.hpp"

namespace eslabon::coordinates {

/// One of the numbers q.
struct Coordinate {
  std::string name;  ///< "coupler.P2.x", "arm.e0", "A.q"
  core::Dimension dimension =
      core::kLength;  ///< a length, an angle or, of directions and Euler parameters, a pure number
};

/// q, v and a of one instant, as spans of the caller.
struct CoordinateSpans {
  std::span<double> q, v, a;
};

/// Scratch of evaluate_bodies, one per thread.
struct BodiesWorkspace {
  FeatureValues<double> features;
  std::vector<Eigen::Vector3d> bias;
  std::vector<Eigen::Vector3d> links;  ///< relative coordinates: four vectors per link
};

/// One way of writing a mechanism down: its coordinates, the constraint rows that come with them, and where the
/// bodies are. The seam between the kinds of coordinates; ConstraintSystem makes equations of it.
/// Immutable after construction, keeps references to the mechanism and its structure, safe to share between threads.
class Layout {
 public:
  virtual ~Layout() = default;
  virtual std::string_view name() const = 0;  ///< "natural", "reference-point", "relative"

  const std::vector<Coordinate>& coordinates() const { return coordinates_; }
  /// Rows of bodies first, then of joints in the order of the spanning tree, then of those that close loops, so that
  /// what is redundant is found where a loop closes.
  const std::vector<Row>& rows() const { return rows_; }

  /// Whether features follow from chains of joints, so that a coordinate that is common to several moves them as one
  /// body.
  virtual bool has_chains() const { return false; }

  virtual std::unique_ptr<FeatureMap> make_map(const std::vector<Feature>& features) const = 0;

  /// The coordinate that is this position variable, if there is one.
  virtual std::optional<int> column_of(const model::Variable& variable) const = 0;

  /// Motion of every body from q, v and a. Bodies are `out.size()`.
  virtual void evaluate_bodies(std::span<const double> q, std::span<const double> v,
                               std::span<const double> a, BodiesWorkspace& workspace,
                               MechanismMotion& out) const = 0;

  /// The other way: q, v and a of the motion of the bodies. Angles come out in (−π, π].
  virtual void read_bodies(const MechanismMotion& bodies, CoordinateSpans out) const = 0;

 protected:
  std::vector<Coordinate> coordinates_;
  std::vector<Row> rows_;
};

/// The kinds of coordinates by name, in the order in which messages list them.
std::vector<std::string> layout_names();

/// Throws core::ModelError that lists the kinds there are for an unknown name. The layout looks at mechanism
/// and structure, and lives inside what keeps them.
std::unique_ptr<Layout> make_layout(std::string_view name, const model::Mechanism& mechanism,
                                    const structure::Structure& structure);

std::unique_ptr<Layout> make_natural_layout(const model::Mechanism& mechanism,
                                            const structure::Structure& structure);
std::unique_ptr<Layout> make_reference_point_layout(const model::Mechanism& mechanism,
                                                    const structure::Structure& structure);
std::unique_ptr<Layout> make_relative_layout(const model::Mechanism& mechanism,
                                             const structure::Structure& structure);

/// Joints of the tree, parents first, then those that close loops; fixed joints inside links are in neither.
std::vector<model::JointIndex> joints_in_tree_order(const structure::Structure& structure);

using model::length_scale;

/// (bodies) pose of each body in the frame of the first body of its link, which fixed joints weld it to.
std::vector<core::Pose<double>> poses_in_links(const model::Mechanism& mechanism,
                                               const structure::Topology& topology);

}  // namespace eslabon::coordinates
