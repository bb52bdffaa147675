#include <cmath>

#include <Eigen/Geometry>

#include "eslabon/coordinates/euler_parameters.hpp"
#include "eslabon/coordinates/joint_rows.hpp"
#include "eslabon/coordinates/layout.hpp"
#include "eslabon/core/index.hpp"

// Reference-point coordinates: for each moving body the position r of its centre of mass and its orientation,
// in space by four Euler parameters e with one row |e| = 1, in the plane by an angle θ. Every joint gets all its rows.
//   space   x = r + S(e) s,   S(e) = |e|² R(e) quadratic in e                                        (1)
//           ∂x/∂e_k by euler_parameters.hpp,   x_bias = 2 S(ė) s                                     (2)
//   plane   x = r + R(θ) s,   ∂x/∂θ = ẑ × R s,   x_bias = −θ̇² R s                                    (3)
// s is the feature from the reference point; directions have no r. Source: [Seed002, §2.1, eqs. (1)–(5)]; it differs in
// that S(e) stands for R(e), so that the rows are polynomials also before |e| = 1 holds.
namespace eslabon::coordinates {

namespace {

using core::index;
using core::Matrix3;
using core::Vector3;
using Eigen::Vector3d;

/// First coordinate of each body; −1 for the ground.
struct Columns {
  bool is_planar;
  std::vector<int> first;
  int turn(model::BodyIndex body) const { return first[body.slot()] + (is_planar ? 2 : 3); }
};

class ReferencePointMap final : public FeatureMap {
 public:
  ReferencePointMap(const Columns& columns, const std::vector<Vector3d>& reference_points,
                    const std::vector<Feature>& features)
      : is_planar_(columns.is_planar) {
    for (const Feature& feature : features) {
      const int first = columns.first[feature.body.slot()];
      std::vector<int> list;
      if (first >= 0) {
        const int turn = columns.turn(feature.body);
        for (int k = first; feature.is_point && k < turn; ++k) list.push_back(k);
        for (int k = turn; k < turn + (is_planar_ ? 1 : 4); ++k) list.push_back(k);
      }
      const Vector3d local = feature.is_point
                                 ? Vector3d(feature.local_B - reference_points[feature.body.slot()])
                                 : feature.local_B;
      places_.push_back(
          {append(list), first < 0 ? -1 : columns.turn(feature.body), feature.is_point ? first : -1, local});
    }
  }

#define ESLABON_OVERRIDE(T) \
  void evaluate(std::span<const T> q, FeatureValues<T>& out) const override { evaluate_as<T>(q, out); }
  ESLABON_FOR_EACH_SCALAR_AND_JET(ESLABON_OVERRIDE)
#undef ESLABON_OVERRIDE

  void evaluate_bias(std::span<const double>, std::span<const double> v, const FeatureValues<double>& values,
                     std::span<Vector3d> bias) const override {
    for (std::size_t f = 0; f < places_.size(); ++f) {
      const Place& place = places_[f];
      if (place.turn < 0) {
        bias[f].setZero();
      } else if (is_planar_) {
        const double rate = v[static_cast<std::size_t>(place.turn)];
        // ẑ × (ẑ × s) = −s:  J_θ is ẑ × R s.
        const Vector3d& J = values.J[turn_slot(place)];
        bias[f] = rate * rate * Vector3d(-J.y(), J.x(), 0.0);  // (3)
      } else {
        bias[f] = 2.0 * (core::scaled_rotation_matrix<double>(four(v, place.turn)) * place.local);  // (2)
      }
    }
  }

 private:
  struct Place {
    int first_J;
    int turn;  ///< column of θ or e₀; −1 on the ground
    int r;     ///< column of r; −1 for directions
    Vector3d local;
  };

  std::size_t turn_slot(const Place& place) const {
    return index(place.first_J + (place.r >= 0 ? (is_planar_ ? 2 : 3) : 0));
  }
  template <class T>
  static core::Vector4<T> four(std::span<const T> q, int k) {
    return {q[index(k)], q[index(k + 1)], q[index(k + 2)], q[index(k + 3)]};
  }
  static core::Vector4<double> four(std::span<const double> q, int k) { return four<double>(q, k); }

  template <class T>
  void evaluate_as(std::span<const T> q, FeatureValues<T>& out) const {
    if (prepare(out)) write_constants(out);
    for (std::size_t f = 0; f < places_.size(); ++f) {
      const Place& place = places_[f];
      if (place.turn < 0) continue;
      Vector3<T>& x = out.x[f];
      const std::size_t J = turn_slot(place);
      if (is_planar_) {
        using std::cos;
        using std::sin;
        const T c = cos(q[index(place.turn)]), s = sin(q[index(place.turn)]);
        x = Vector3<T>(c * place.local.x() - s * place.local.y(), s * place.local.x() + c * place.local.y(),
                       T(place.local.z()));
        out.J[J] = Vector3<T>(-x.y(), x.x(), T(0.0));
      } else {
        const core::Vector4<T> e = four(q, place.turn);
        const Vector3<T> local = place.local.cast<T>();
        x = core::scaled_rotation_matrix<T>(e) * local;
        rotated_by_euler_parameters(e, local, std::span(out.J).subspan(J).template first<4>());
      }
      if (place.r >= 0)
        for (int k = 0; k < (is_planar_ ? 2 : 3); ++k) x[k] = x[k] + q[index(place.r + k)];  // (1), (3)
    }
  }

  template <class T>
  void write_constants(FeatureValues<T>& out) const {
    for (std::size_t f = 0; f < places_.size(); ++f) {
      const Place& place = places_[f];
      if (place.turn < 0) out.x[f] = place.local.cast<T>();
      if (place.r >= 0)
        for (int k = 0; k < (is_planar_ ? 2 : 3); ++k) out.J[index(place.first_J + k)][k] = T(1.0);
    }
  }

  bool is_planar_;
  std::vector<Place> places_;
};

class ReferencePointLayout final : public Layout {
 public:
  // Seed002 eq. 10
  ReferencePointLayout(const model::Mechanism& mechanism, const structure::Structure& structure)
      : mechanism_(mechanism), columns_{mechanism.is_planar(), {}} {
    for (std::size_t b = 0; b < mechanism.bodies().size(); ++b) {
      const model::Body& body = mechanism.bodies()[b];
      reference_points_.push_back(b == 0 ? Vector3d(Vector3d::Zero()) : body.mass_properties.p_BC_B);
      columns_.first.push_back(b == 0 ? -1 : static_cast<int>(coordinates_.size()));
      if (b > 0) append_coordinates(model::BodyIndex(static_cast<int>(b)), body.name);
    }
    // Welds are joints like others here; within their links they go right after the rows of the bodies.
    const std::vector<model::JointIndex> ordered = joints_in_tree_order(structure);
    std::vector<bool> is_ordered(mechanism.joints().size(), false);
    for (const model::JointIndex joint : ordered) is_ordered[joint.slot()] = true;
    for (std::size_t j = 0; j < mechanism.joints().size(); ++j)
      if (!is_ordered[j]) append_joint(model::JointIndex(static_cast<int>(j)));
    for (const model::JointIndex joint : ordered) append_joint(joint);
  }

  std::string_view name() const override { return "reference-point"; }

  std::unique_ptr<FeatureMap> make_map(const std::vector<Feature>& features) const override {
    return std::make_unique<ReferencePointMap>(columns_, reference_points_, features);
  }

  std::optional<int> column_of(const model::Variable& variable) const override {
    if (variable.kind != model::VariableKind::kBodyAngle) return std::nullopt;
    const auto body = std::get<model::BodyIndex>(variable.element);
    if (body == model::kGround) return std::nullopt;
    return columns_.turn(body);
  }

  void evaluate_bodies(std::span<const double> q, std::span<const double> v, std::span<const double> a,
                       BodiesWorkspace&, MechanismMotion& out) const override {
    for (std::size_t b = 1; b < out.size(); ++b) {
      const auto first = static_cast<std::size_t>(columns_.first[b]);
      BodyMotion& body = out[b];
      Vector3d r, r_dot, r_ddot;
      if (columns_.is_planar) {
        r = {q[first], q[first + 1], 0.0};
        r_dot = {v[first], v[first + 1], 0.0};
        r_ddot = {a[first], a[first + 1], 0.0};
        body.X_WB.R_AB = core::Rotation<double>::about_z(q[first + 2]);
        body.w_WB_W = {0.0, 0.0, v[first + 2]};
        body.alpha_WB_W = {0.0, 0.0, a[first + 2]};
      } else {
        r = Eigen::Map<const Vector3d>(&q[first]);
        r_dot = Eigen::Map<const Vector3d>(&v[first]);
        r_ddot = Eigen::Map<const Vector3d>(&a[first]);
        const Orientation turned = orientation_of({Eigen::Map<const Eigen::Vector4d>(&q[first + 3]),
                                                   Eigen::Map<const Eigen::Vector4d>(&v[first + 3]),
                                                   Eigen::Map<const Eigen::Vector4d>(&a[first + 3])});
        body.X_WB.R_AB = turned.R;
        body.w_WB_W = turned.w;
        body.alpha_WB_W = turned.alpha;
      }
      // From the reference point C back to the body's origin.
      const Vector3d s = body.X_WB.R_AB * Vector3d(-reference_points_[b]);
      body.X_WB.p_AB_A = r + s;
      body.v_WB_W = r_dot + body.w_WB_W.cross(s);
      body.a_WB_W = r_ddot + body.alpha_WB_W.cross(s) + body.w_WB_W.cross(body.w_WB_W.cross(s));
    }
  }

  void read_bodies(const MechanismMotion& bodies, CoordinateSpans out) const override {
    for (std::size_t b = 1; b < bodies.size(); ++b) {
      const auto first = static_cast<std::size_t>(columns_.first[b]);
      const BodyMotion& body = bodies[b];
      const Vector3d r = body.point_position(reference_points_[b]);
      const Vector3d r_dot = body.point_velocity(reference_points_[b]);
      const Vector3d r_ddot = body.point_acceleration(reference_points_[b]);
      const std::size_t dimensions = columns_.is_planar ? 2 : 3;
      for (std::size_t k = 0; k < dimensions; ++k) {
        const auto i = static_cast<Eigen::Index>(k);
        out.q[first + k] = r[i];
        out.v[first + k] = r_dot[i];
        out.a[first + k] = r_ddot[i];
      }
      if (columns_.is_planar) {
        const auto& R = body.X_WB.R_AB.matrix();
        out.q[first + 2] = std::atan2(R(1, 0), R(0, 0));
        out.v[first + 2] = body.w_WB_W.z();
        out.a[first + 2] = body.alpha_WB_W.z();
      } else {
        const EulerParameterMotion e = euler_parameters_of({body.X_WB.R_AB, body.w_WB_W, body.alpha_WB_W});
        for (std::size_t k = 0; k < 4; ++k) {
          const auto i = static_cast<Eigen::Index>(k);
          out.q[first + 3 + k] = e.e[i];
          out.v[first + 3 + k] = e.e_dot[i];
          out.a[first + 3 + k] = e.e_ddot[i];
        }
      }
    }
  }

 private:
  // Seed002 eq. 5
  void append_coordinates(model::BodyIndex index, const std::string& body) {
    for (const char* axis : {".x", ".y", ".z"})
      if (!columns_.is_planar || axis[1] != 'z') coordinates_.push_back({body + axis, core::kLength});
    if (columns_.is_planar) {
      coordinates_.push_back({body + ".angle", core::kAngle});
      return;
    }
    rows_.push_back({.form = RowForm::kUnit,
                     .features = {},
                     .column = static_cast<int>(coordinates_.size()),
                     .label = {index, "unit Euler parameters"}});  // [Seed002, eq. (5)]
    for (const char* k : {".e0", ".e1", ".e2", ".e3"}) coordinates_.push_back({body + k, core::kNumber});
  }

  // Seed001 eq. 1.5
  void append_joint(model::JointIndex joint) {
    for (Row& row : joint_rows(mechanism_, joint)) rows_.push_back(std::move(row));
  }

  const model::Mechanism& mechanism_;
  Columns columns_;
  std::vector<Vector3d> reference_points_;  ///< (bodies) p_BC_B
};

}  // namespace

std::unique_ptr<Layout> make_reference_point_layout(const model::Mechanism& mechanism,
                                                    const structure::Structure& structure) {
  return std::make_unique<ReferencePointLayout>(mechanism, structure);
}

}  // namespace eslabon::coordinates
