#pragma once

#include <optional>
#include <string>
#include <utility>

#include <Eigen/Geometry>

#include "eslabon/model/mechanism_builder.hpp"

namespace eslabon::benchmarks {

/// Mechanisms drawn in their design position: there the frames of all bodies are one, and all joints are closed.
class DesignBuilder {
 public:
  explicit DesignBuilder(const std::string& name) : builder_(name, model::Space::kSpatial) {
    builder_.set_gravity({0.0, 0.0, -9.81});
    builder_.add_ground_point("O", Eigen::Vector3d::Zero());
  }

  void add_body(const std::string& name, double mass, const Eigen::Vector3d& center,
                const Eigen::Vector3d& inertia) {
    builder_.add_body({.name = name,
                       .mass = mass,
                       .center_of_mass = center,
                       .inertia = inertia.asDiagonal().toDenseMatrix(),
                       .points = {{"O", Eigen::Vector3d::Zero()}}});
  }
  void join(const std::string& first, const std::string& second, model::JointType type,
            const Eigen::Vector3d& at, std::optional<model::AxisPair> axis = {}) {
    const std::string point = mark(at, first, second);
    builder_.add_joint({"J" + point, type, first + "." + point, second + "." + point, std::move(axis)});
  }
  void turn(const std::string& first, const std::string& second, const Eigen::Vector3d& at,
            const Eigen::Vector3d& axis) {
    join(first, second, model::JointType::kRevolute, at, model::AxisPair{axis, axis});
  }
  void slide(const std::string& first, const std::string& second, const Eigen::Vector3d& at,
             const Eigen::Vector3d& axis) {
    join(first, second, model::JointType::kPrismatic, at, model::AxisPair{axis, axis});
  }
  /// A massless rod with balls at its ends.
  void tie(const std::string& first, const Eigen::Vector3d& a, const std::string& second,
           const Eigen::Vector3d& b) {
    const std::string p = mark(a, first), q = mark(b, second);
    builder_.add_joint({.name = "J" + p,
                        .type = model::JointType::kRod,
                        .first = first + "." + p,
                        .second = second + "." + q,
                        .length = (b - a).norm()});
  }
  void spring(const std::string& first, const Eigen::Vector3d& a, const std::string& second,
              const Eigen::Vector3d& b) {
    const std::string p = mark(a, first), q = mark(b, second);
    model::SpringDescription description;
    description.name = "S" + p;
    description.connection = {.first = first + "." + p, .second = second + "." + q};
    description.stiffness = 60e3;
    description.free_length = (b - a).norm() + 0.1;
    description.damping = 3e3;
    builder_.add_spring(std::move(description));
  }
  void float_on_ground(const std::string& body) {
    builder_.add_joint({"floats", model::JointType::kFree, "ground.O", body + ".O"});
  }

  /// A damper of two tubes: a cross on the first body, a slide, a ball on the second. Three coordinates and three rows.
  void damper(const std::string& name, const std::string& first, const Eigen::Vector3d& a,
              const std::string& second, const Eigen::Vector3d& b) {
    const Eigen::Vector3d along = (b - a).normalized(),
                          aside = Eigen::Vector3d::UnitY().cross(along).normalized();
    add_body(name + "_tube", 4.0, a + 0.15 * along, {0.03, 0.03, 0.03});
    add_body(name + "_rod", 2.0, b - 0.15 * along, {0.02, 0.02, 0.02});
    join(first, name + "_tube", model::JointType::kUniversal, a,
         model::AxisPair{aside, Eigen::Vector3d::UnitY()});
    slide(name + "_tube", name + "_rod", 0.5 * (a + b), along);
    join(name + "_rod", second, model::JointType::kSpherical, b);
  }
  model::Mechanism build() const { return builder_.build(); }

 private:
  /// A point of these bodies with a name of its own.
  template <class... Bodies>
  std::string mark(const Eigen::Vector3d& at, const Bodies&... bodies) {
    const std::string name = "p" + std::to_string(++count_);
    const auto add = [&](const std::string& body) {
      if (body == "ground")
        builder_.add_ground_point(name, at);
      else
        builder_.add_markers(body, {{name, at}}, {}, {});
    };
    (add(bodies), ...);
    return name;
  }

  model::MechanismBuilder builder_;
  int count_ = 0;
};

}  // namespace eslabon::benchmarks
