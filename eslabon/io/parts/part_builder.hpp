#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "eslabon/io/parts/part_scope.hpp"
#include "eslabon/model/mechanism_builder.hpp"

namespace eslabon::io {

/// Adds what one file describes, in its own names and its own drawing, to the mechanism: names get the path of the instance, and what is
/// drawn goes where the instance is. In the file that is read first nothing changes.
///
/// A body of the file keeps its own axes, so that its shape, its inertia and its sensors stay as they are; where it is mirrored, by a
/// diagonal matrix N with det N = det T, they are mirrored, so that T = R N with a turn R:
///
///   p_B ↦ N p_B,  I_B ↦ N I_B N                      points, centre of mass; inertia          (1)
///   X_WB = {R, d}                                     how its axes are drawn                   (2)
///   p_WB ↦ T p_WB + d,  exp(r) ↦ R exp(det(N) N r)    where it starts                         (3)
///
/// What a mount has is given in the axes of the file and goes by T and d into the axes of the body that it is. Frames (x, y, z) that are
/// mirrored become (N x, N y, −N z), so that what turns about z or slides along x or y has the same coordinate; of universal joints, which
/// turn about x and y, (−N x, −N y, −N z). In the plane, where z stays, the ends of revolute joints change places instead, and open curves
/// are touched from the other side.
/// Messages: core::ModelError at `KIND 'FULL NAME'`, as those of MechanismBuilder.
class PartBuilder {
 public:
  PartBuilder(model::MechanismBuilder& builder, Drawing& drawing, PartScope& scope, bool is_planar)
      : builder_(builder), drawing_(drawing), scope_(scope), is_planar_(is_planar) {}

  PartScope& scope() const { return scope_; }
  Drawing& drawing() const { return drawing_; }
  model::MechanismBuilder& whole() const { return builder_; }

  void set_gravity(const Eigen::Vector3d& gravity) { builder_.set_gravity(gravity); }
  void add_ground_visual(model::Shape visual) { builder_.add_ground_visual(std::move(visual)); }
  void add_ground_markers(std::vector<model::NamedPoint> points, std::vector<model::NamedAxis> axes,
                          std::vector<model::NamedFrame> frames, std::vector<model::NamedCurve> curves = {}) {
    for (const model::NamedCurve& curve : curves) drawing_.curves.insert("ground." + curve.name);
    builder_.add_markers("ground", std::move(points), std::move(axes), std::move(frames), std::move(curves));
  }

  /// The points, axes, frames and curves of a mount that is bound already, in the axes of the part.
  void add_mount(const std::string& name, std::vector<model::NamedPoint> points,
                 std::vector<model::NamedAxis> axes, std::vector<model::NamedFrame> frames,
                 std::vector<model::NamedCurve> curves = {});
  void add_body(model::BodyDescription body);
  void add_joint(model::JointDescription joint);
  void add_coupling(model::CouplingDescription coupling);
  void add_driver(model::DriverDescription driver);
  void add_spring(model::SpringDescription spring);
  void add_damper(model::DamperDescription damper);
  void add_bushing(model::BushingDescription bushing);
  void add_stop(model::StopDescription stop);
  void add_tyre(model::TyreDescription tyre);
  void add_event(model::EventDescription event);
  void add_load(model::LoadDescription load);
  void add_state(model::StateDescription state);
  void add_sensor(model::SensorDescription sensor);
  /// Of a spring or damper of this file; the variables of the law are those of the mechanism already.
  void set_law(const std::string& element, model::LawDescription law);
  /// The same of the rate of an auxiliary state of this file.
  void set_rate(const std::string& state, model::LawDescription rate) {
    builder_.set_rate(scope_.own_name(state), std::move(rate));
  }
  /// What an auxiliary state of this file measures.
  const core::Dimension& state_dimension(const std::string& state) const {
    return scope_.state_dimensions.at(state);
  }
  void add_start_value(const std::string& variable, double value, model::StartKind kind);
  void add_start_position(const std::string& body, const Eigen::Vector3d& p_WB_W, model::StartKind kind);
  void add_start_rotation(const std::string& body, const Eigen::Vector3d& rotation_vector,
                          model::StartKind kind);
  void add_start_rate(const std::string& variable, double value);
  void add_input(const std::string& variable) {
    builder_.add_input(full_name(variable, "input '" + variable + "'"));
  }
  void add_output(const std::string& variable) {
    builder_.add_output(full_name(variable, "output '" + variable + "'"));
  }

  /// The full name of what a text of the file names: "hub.C", "chassis.A" on a mount, "left.hub" that an instance exports.
  /// Throws at `where` for what may not be named.
  std::string full_name(std::string_view text, const std::string& where) const;

  /// A variable of the file as one of the mechanism: value ↦ sign · value + offset.
  struct MovedVariable {
    std::string name;
    double sign = 1.0;
    double offset = 0.0;
  };
  /// Any variable that formulas of forces look at. Throws at `where` for those that a turned part cannot tell.
  MovedVariable moved_argument(const std::string& variable, const std::string& where) const;

 private:
  MovedVariable moved(const std::string& variable, const std::string& where) const;
  /// The coordinate of a point, or the angular velocity about a world axis, after a turn by quarter turns.
  MovedVariable moved_component(const std::string& variable, std::string_view word,
                                const std::string& where) const;
  double sign_of_coordinate(std::string_view coordinate) const;
  /// Gives a relation between coordinates full names: what it says of the first ↦ sign · that. `element`: "coupling" or "stop".
  double move_relation(model::CouplingDescription& relation, const char* element) const;
  /// Gives a connection full names: the length ↦ sign · length + offset.
  MovedVariable move_connection(model::ConnectionDescription& connection, const std::string& where) const;

  /// From the axes of a body in this file to those that it has in the mechanism.
  Placement map_of_body(std::string_view name) const;
  /// The body that a text of the file begins with.
  std::string_view body_in(std::string_view text) const;
  void forbid_start_of_mount(std::string_view text, const std::string& where) const;
  model::NamedFrame moved_frame(model::NamedFrame frame, const Placement& map) const;

  /// Gives an end of a joint a frame of its own, with the axes that the joint has there.
  struct JointFrames;
  /// `has_axes_of_its_own`: the axes of its points count, as they do in a bushing.
  void move_joint(model::JointDescription& joint, const std::string& where, bool has_axes_of_its_own = false);

  model::MechanismBuilder& builder_;
  Drawing& drawing_;
  PartScope& scope_;
  bool is_planar_;
};

}  // namespace eslabon::io
