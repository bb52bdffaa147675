#include <algorithm>
#include <cmath>
#include <string>

#include <Eigen/Geometry>

#include "eslabon/coordinates/joint_rows.hpp"
#include "eslabon/coordinates/layout.hpp"
#include "eslabon/coordinates/natural_base.hpp"
#include "eslabon/core/index.hpp"
#include "eslabon/core/linalg/orthonormal.hpp"

// Natural coordinates: Cartesian coordinates of points and components of unit vectors, shared by the links that a joint
// makes meet there [Seed003, §2] [Seed001, ch. 1] [GarciaDeJalonBayo1994, ch. 2].
//
// The program goes through the links, the frame first, in the order of the spanning tree. What a joint lets two
// links share (revolute: point and axis; spherical, universal: point; cylindrical, prismatic, planar: axis) is an
// element of the base of the second link if the base has room for it; the rest of the joint becomes rows. Each
// link is an origin and three directions (in the plane: an origin and one direction), whose lengths and angles are kept by rows:
//   |p_j − p_i| = const,   u·u = 1,   u·(p_i − p_0) = const,   u_i·u_j = const                       (1)
// unless an earlier link keeps them already. All else of the link is linear in them, hence in q:
//   x = c + C q,   J = C constant,   x_bias = 0.                                                      (2)
namespace eslabon::coordinates {

namespace {

using core::index;
using core::Vector3;
using Eigen::Matrix3d;
using Eigen::Vector3d;
using model::JointType;
using structure::LinkIndex;

class NaturalMap final : public FeatureMap {
 public:
  explicit NaturalMap(std::vector<LinearForm> forms) : forms_(std::move(forms)) {
    std::vector<int> columns;
    for (const LinearForm& form : forms_) {
      columns.clear();
      for (const LinearForm::Term& term : form.terms) columns.push_back(term.column);
      (void)append(columns);
    }
  }

#define ESLABON_OVERRIDE(T) \
  void evaluate(std::span<const T> q, FeatureValues<T>& out) const override { evaluate_as<T>(q, out); }
  ESLABON_FOR_EACH_SCALAR_AND_JET(ESLABON_OVERRIDE)
#undef ESLABON_OVERRIDE

  void evaluate_bias(std::span<const double>, std::span<const double>, const FeatureValues<double>&,
                     std::span<Vector3d> bias) const override {
    for (Vector3d& b : bias) b.setZero();  // (2)
  }
  bool is_linear() const override { return true; }

 private:
  template <class T>
  void evaluate_as(std::span<const T> q, FeatureValues<T>& out) const {
    if (prepare(out)) {
      std::size_t slot = 0;
      for (const LinearForm& form : forms_)
        for (const LinearForm::Term& term : form.terms) out.J[slot++] = term.factor.cast<T>();
    }
    for (std::size_t f = 0; f < forms_.size(); ++f) {
      Vector3<T>& x = out.x[f];
      x = forms_[f].constant.cast<T>();
      for (const LinearForm::Term& term : forms_[f].terms) x += term.factor * q[index(term.column)];  // (2)
    }
  }

  std::vector<LinearForm> forms_;
};

/// What a joint lets its two links share.
SharedParts shareable(JointType type, bool is_planar) {
  const model::JointTypeFacts& facts = model::facts(type);
  if (facts.freedoms_in_space == 0) return {};
  return {facts.keeps_point, !is_planar && facts.kept_axes != model::KeptAxes::kNone};
}

class NaturalLayout final : public Layout {
 public:
  NaturalLayout(const model::Mechanism& mechanism, const structure::Structure& structure)
      : mechanism_(mechanism),
        topology_(structure.topology),
        X_LB_(poses_in_links(mechanism, structure.topology)),
        length_scale_(length_scale(mechanism)),
        shared_(mechanism.joints().size()),
        bases_(structure.topology.links.size()) {
    std::vector<std::vector<model::JointIndex>> joints_at(topology_.links.size());
    for (const structure::Edge& edge : topology_.edges) {
      joints_at[edge.first.slot()].push_back(edge.joint);
      if (edge.second != edge.first) joints_at[edge.second.slot()].push_back(edge.joint);
    }
    bases_[0] = frame_base();
    for (const LinkIndex link : structure.tree.order)
      if (link != structure::kFrame) describe_link(link, joints_at[link.slot()]);
    for (const model::JointIndex joint : joints_in_tree_order(structure))
      for (Row& row : joint_rows(mechanism, joint, shared_[joint.slot()])) rows_.push_back(std::move(row));
    std::vector<Feature> axes;
    for (std::size_t b = 1; b < mechanism.bodies().size(); ++b) {
      const model::BodyIndex body(static_cast<int>(b));
      axes.push_back({body, true, Vector3d::Zero()});
      for (int k = 0; k < 3; ++k) axes.push_back({body, false, Vector3d::Unit(k)});
    }
    body_map_ = make_map(axes);
  }

  std::string_view name() const override { return "natural"; }

  std::unique_ptr<FeatureMap> make_map(const std::vector<Feature>& features) const override {
    std::vector<LinearForm> forms;
    forms.reserve(features.size());
    for (const Feature& feature : features) forms.push_back(form_of(feature));
    return std::make_unique<NaturalMap>(std::move(forms));
  }

  std::optional<int> column_of(const model::Variable& variable) const override {
    if (variable.kind != model::VariableKind::kPointPosition) return std::nullopt;
    const auto& ref = std::get<model::PointRef>(variable.element);
    const LinearForm form = form_of({ref.body, true, mechanism_.point(ref).p_BP_B});
    const Vector3d axis = Vector3d::Unit(variable.component);
    for (const LinearForm::Term& term : form.terms)
      if (term.factor[variable.component] != 0.0)
        return term.factor == axis && form.constant[variable.component] == 0.0 ? std::optional(term.column)
                                                                               : std::nullopt;
    return std::nullopt;
  }

  // Seed000 eq. 57
  // Seed003 eq. 9
  void evaluate_bodies(std::span<const double> q, std::span<const double> v, std::span<const double> a,
                       BodiesWorkspace& workspace, MechanismMotion& out) const override {
    FeatureValues<double>& values = workspace.features;
    body_map_->evaluate(q, values);
    for (std::size_t b = 1; b < out.size(); ++b) {
      const int origin = 4 * (static_cast<int>(b) - 1);
      BodyMotion& body = out[b];
      Matrix3d R, R_dot, R_ddot;
      for (int k = 0; k < 3; ++k) {
        R.col(k) = values.x[index(origin + 1 + k)];
        R_dot.col(k) = along(origin + 1 + k, v, values);
        R_ddot.col(k) = along(origin + 1 + k, a, values);
      }
      body.X_WB = {core::Rotation<double>::from_matrix(core::orthonormal(R), kRotationTolerance),
                   values.x[index(origin)]};
      body.v_WB_W = along(origin, v, values);
      body.a_WB_W = along(origin, a, values);
      // Ṙ Rᵀ = ω̃,   R̈ Rᵀ = α̃ + ω̃ ω̃, whose skew part is α̃.
      body.w_WB_W = skew_part(R_dot * R.transpose());
      body.alpha_WB_W = skew_part(R_ddot * R.transpose());
    }
  }

  void read_bodies(const MechanismMotion& bodies, CoordinateSpans out) const override {
    for (std::size_t k = 0; k < places_.size(); ++k) {
      const Place& place = places_[k];
      const BodyMotion& body = bodies[place.feature.body.slot()];
      const Vector3d& local = place.feature.local_B;
      if (place.feature.is_point) {
        out.q[k] = body.point_position(local)[place.component];
        out.v[k] = body.point_velocity(local)[place.component];
        out.a[k] = body.point_acceleration(local)[place.component];
      } else {
        const Vector3d u = body.X_WB.apply_to_direction(local);
        const Vector3d u_dot = body.w_WB_W.cross(u);
        out.q[k] = u[place.component];
        out.v[k] = u_dot[place.component];
        out.a[k] = (body.alpha_WB_W.cross(u) + body.w_WB_W.cross(u_dot))[place.component];
      }
    }
  }

 private:
  static constexpr double kRotationTolerance =
      1e-6;  // as far as the rows (1) may be off when bodies are read

  /// Where a coordinate is seen on a body.
  struct Place {
    Feature feature;
    int component;
  };

  static Vector3d skew_part(const Matrix3d& M) {
    return 0.5 * Vector3d(M(2, 1) - M(1, 2), M(0, 2) - M(2, 0), M(1, 0) - M(0, 1));
  }

  Vector3d along(int feature, std::span<const double> rates, const FeatureValues<double>& values) const {
    Vector3d sum = Vector3d::Zero();
    std::size_t slot = index(body_map_->first_column(feature));
    for (const int column : body_map_->columns(feature)) sum += rates[index(column)] * values.J[slot++];
    return sum;
  }

  /// The ground: an origin and axes that are constant.
  NaturalBase frame_base() const {
    std::vector<BaseElement> axes{{.is_point = true, .name = "origin", .form = LinearForm{}}};
    for (int k = 0; k < (mechanism_.is_planar() ? 1 : 3); ++k)
      axes.push_back({.is_point = false,
                      .local = Vector3d::Unit(k),
                      .name = "axis",
                      .form = LinearForm{Vector3d::Unit(k), {}}});
    return NaturalBase(std::move(axes), mechanism_.is_planar(), length_scale_);
  }

  LinearForm form_of(const Feature& feature) const {
    const core::Pose<double>& X_LB = X_LB_[feature.body.slot()];
    const NaturalBase& base = *bases_[topology_.link_of(feature.body).slot()];
    return base.form_of(
        feature.is_point ? X_LB.apply_to_point(feature.local_B) : X_LB.apply_to_direction(feature.local_B),
        feature.is_point);
  }

  /// One thing that a joint lets the link share with the link at its other end.
  struct Offer {
    model::JointIndex joint;
    bool is_point;
    BaseElement element;
  };

  Offer offer(LinkIndex link, model::JointIndex joint_index, bool is_point) const {
    const model::Joint& joint = mechanism_.joint(joint_index);
    const std::size_t own = topology_.link_of(joint.first()) == link ? 0 : 1;
    const int axis = model::axis_column(joint.type);
    const auto feature = [&](std::size_t end) -> Feature {
      const model::JointEnd& e = joint.ends[end];
      return {e.body, is_point, is_point ? e.X_BF.p_AB_A : Vector3d(e.X_BF.R_AB.matrix().col(axis))};
    };
    const Feature near = feature(own), far = feature(1 - own);
    const core::Pose<double>& X_LB = X_LB_[near.body.slot()];
    BaseElement element{
        .is_point = is_point,
        .local = is_point ? X_LB.apply_to_point(near.local_B) : X_LB.apply_to_direction(near.local_B),
        .name = is_point ? joint.name : "axis of " + joint.name};
    const LinkIndex other = topology_.link_of(far.body);
    if (bases_[other.slot()]) {
      element.form = form_of(far);
      element.links = links_of(other, far);
    }
    return {joint_index, is_point, std::move(element)};
  }

  /// Links that already hold the feature `far` of the link `other`: that link, and those which share it there.
  std::vector<int> links_of(LinkIndex other, const Feature& far) const {
    std::vector<int> links{other.value()};
    const core::Pose<double>& X_LB = X_LB_[far.body.slot()];
    const Vector3d local =
        far.is_point ? X_LB.apply_to_point(far.local_B) : X_LB.apply_to_direction(far.local_B);
    for (const BaseElement& element : bases_[other.slot()]->elements())
      if (element.is_point == far.is_point && (element.local - local).norm() <= 1e-12 * length_scale_)
        links.insert(links.end(), element.links.begin(), element.links.end());
    return links;
  }

  void describe_link(LinkIndex link, const std::vector<model::JointIndex>& joints) {
    std::vector<Offer> offers;
    for (const bool is_known : {true, false})
      for (const bool is_point : {true, false})
        for (const model::JointIndex joint : joints) {
          const model::Joint& j = mechanism_.joint(joint);
          if (topology_.link_of(j.first()) == topology_.link_of(j.second())) continue;
          const SharedParts parts = shareable(j.type, mechanism_.is_planar());
          if (!(is_point ? parts.point : parts.axis)) continue;
          Offer o = offer(link, joint, is_point);
          if (o.element.form.has_value() == is_known) offers.push_back(std::move(o));
        }
    std::vector<BaseElement> candidates;
    for (const Offer& o : offers) candidates.push_back(o.element);
    append_named_points(link, candidates);
    NaturalBase base(std::move(candidates), mechanism_.is_planar(), length_scale_);
    for (std::size_t i = 0; i < offers.size(); ++i) {
      if (!offers[i].element.form || base.place_of_candidate()[i] < 0) continue;
      SharedParts& shared = shared_[offers[i].joint.slot()];
      (offers[i].is_point ? shared.point : shared.axis) = true;
    }
    for (BaseElement& element : base.elements())
      if (!element.form) make_coordinates(link, element);
    append_rigid_rows(link, base);
    for (BaseElement& element : base.elements()) element.links.push_back(link.value());
    bases_[link.slot()] = std::move(base);
  }

  /// Points that the user named are better company for a base than points that nobody knows.
  void append_named_points(LinkIndex link, std::vector<BaseElement>& candidates) const {
    for (const model::BodyIndex body : topology_.links[link.slot()])
      for (const model::NamedPoint& point : mechanism_.body(body).points)
        candidates.push_back(
            {.is_point = true, .local = X_LB_[body.slot()].apply_to_point(point.p_BP_B), .name = point.name});
  }

  void make_coordinates(LinkIndex link, BaseElement& element) {
    const model::BodyIndex body = topology_.links[link.slot()].front();
    element.form.emplace();
    if (mechanism_.is_planar()) element.form->constant.z() = element.local.z();
    for (int k = 0; k < (mechanism_.is_planar() ? 2 : 3); ++k) {
      element.form->terms.push_back({static_cast<int>(coordinates_.size()), Vector3d::Unit(k)});
      coordinates_.push_back(
          {mechanism_.body(body).name + "." + element.name + "." + std::string(1, "xyz"[k]),
           element.is_point ? core::kLength : core::kNumber});
      places_.push_back({{body, element.is_point, element.local}, k});
    }
  }

  /// The rows (1) between elements that no earlier link holds both.
  // Seed003 eq. 4a, eq. 4b, eq. 4c, eq. 8a, eq. 8b, eq. 8c
  // Seed001 eq. 1.6, eq. 3.1, eq. 3.2, eq. 3.22, eq. 3.24, eq. 3.25, eq. 3.26, eq. 3.27
  void append_rigid_rows(LinkIndex link, const NaturalBase& base) {
    const model::BodyIndex body = topology_.links[link.slot()].front();
    const std::vector<BaseElement>& elements = base.elements();
    const auto feature = [&](const BaseElement& element) -> Feature {
      return {body, element.is_point, element.local};
    };
    const auto held_together = [](std::initializer_list<const BaseElement*> list) {
      const std::vector<int>& first = (*list.begin())->links;
      return std::ranges::any_of(first, [&](int l) {
        return std::ranges::all_of(
            list, [&](const BaseElement* e) { return std::ranges::find(e->links, l) != e->links.end(); });
      });
    };
    const auto add = [&](RowForm form, std::array<Feature, kMostFeatures> features, double constant,
                         std::string direction) {
      rows_.push_back(
          {.form = form, .features = features, .constant = constant, .label = {body, std::move(direction)}});
    };
    const BaseElement& origin = elements.front();
    for (std::size_t i = 1; i < elements.size(); ++i) {
      const BaseElement& a = elements[i];
      if (!a.is_point && a.links.empty())
        add(RowForm::kDot, {feature(a), feature(a), {}}, 1.0, "unit vector " + a.name);
      if (a.is_point && !held_together({&a, &origin}))
        add(RowForm::kDistance, {feature(origin), feature(a), {}}, (a.local - origin.local).norm(),
            "length from " + origin.name + " to " + a.name);
      for (std::size_t k = 1; k < i; ++k) {
        const BaseElement& b = elements[k];
        if (a.is_point && b.is_point) {
          if (!held_together({&a, &b}))
            add(RowForm::kDistance, {feature(b), feature(a), {}}, (a.local - b.local).norm(),
                "length from " + b.name + " to " + a.name);
        } else if (!a.is_point && !b.is_point) {
          if (!held_together({&a, &b}))
            add(RowForm::kDot, {feature(a), feature(b), {}}, a.local.dot(b.local),
                "angle of " + b.name + " and " + a.name);
        } else {
          const BaseElement& vector = a.is_point ? b : a;
          const BaseElement& point = a.is_point ? a : b;
          if (!held_together({&vector, &point, &origin}))
            add(RowForm::kOffset, {feature(vector), feature(origin), feature(point)},
                vector.local.dot(point.local - origin.local),
                "angle of " + vector.name + " with " + origin.name + " and " + point.name);
        }
      }
    }
  }

  const model::Mechanism& mechanism_;
  const structure::Topology& topology_;
  std::vector<core::Pose<double>> X_LB_;
  double length_scale_;
  std::vector<SharedParts> shared_;                ///< (joints)
  std::vector<std::optional<NaturalBase>> bases_;  ///< (links)
  std::vector<Place> places_;                      ///< (coordinates)
  std::unique_ptr<FeatureMap> body_map_;           ///< origin and axes of every moving body
};

}  // namespace

std::unique_ptr<Layout> make_natural_layout(const model::Mechanism& mechanism,
                                            const structure::Structure& structure) {
  return std::make_unique<NaturalLayout>(mechanism, structure);
}

}  // namespace eslabon::coordinates
