#include "eslabon/codegen/kinematics_export.hpp"

#include "eslabon/codegen/check_states.hpp"
#include "eslabon/codegen/freedom_arguments.hpp"
#include "eslabon/codegen/reduced_equations.hpp"
#include "eslabon/codegen/relative_kinematics.hpp"

namespace eslabon::codegen {

using core::Column;
using core::Traced;
using dynamics::TracedMatrix;
using dynamics::TracedVector;
using Eigen::Index;
using std::size_t;

namespace {

/// What tells of a body how it stands and moves, in the plane and in space.
struct BodyWords {
  std::vector<Column> pose, rates, accelerations;
};
BodyWords body_words(bool is_planar) {
  if (is_planar)
    return {{{"x", "m"}, {"y", "m"}, {"angle", "rad"}},
            {{"vx", "m/s"}, {"vy", "m/s"}, {"rate", "rad/s"}},
            {{"ax", "m/s^2"}, {"ay", "m/s^2"}, {"angular_acceleration", "rad/s^2"}}};
  BodyWords words;
  for (const char* axis : {"x", "y", "z"}) words.pose.push_back({axis, "m"});
  for (const char* row : {"1", "2", "3"})
    for (const char* column : {"1", "2", "3"}) words.pose.push_back({std::string("R") + row + column, "1"});
  for (const std::string axis : {"x", "y", "z"}) {
    words.rates.push_back({"v" + axis, "m/s"});
    words.accelerations.push_back({"a" + axis, "m/s^2"});
  }
  for (const std::string axis : {"x", "y", "z"}) {
    words.rates.push_back({"w" + axis, "rad/s"});
    words.accelerations.push_back({"alpha" + axis, "rad/s^2"});
  }
  return words;
}

using Bodies = TracedBodies::Bodies;

/// Of all bodies but the ground.
TracedVector poses(const Bodies& bodies, bool is_planar) {
  TracedVector out;
  for (size_t b = 1; b < bodies.size(); ++b) {
    const auto& p = bodies[b].X_WB.p_AB_A;
    const auto& R = bodies[b].X_WB.R_AB.matrix();
    out.insert(out.end(), p.begin(), p.begin() + (is_planar ? 2 : 3));
    if (is_planar)
      out.push_back(atan2(R(1, 0), R(0, 0)));
    else
      for (int r = 0; r < 3; ++r) out.insert(out.end(), {R(r, 0), R(r, 1), R(r, 2)});
  }
  return out;
}

/// φ̇ or φ̈ of (1): the members of a linear and of an angular vector.
template <class Vector>
TracedVector forms(const Bodies& bodies, bool is_planar, Vector linear, Vector angular) {
  TracedVector out;
  for (size_t b = 1; b < bodies.size(); ++b) {
    const auto &v = bodies[b].*linear, &w = bodies[b].*angular;
    out.insert(out.end(), v.begin(), v.begin() + (is_planar ? 2 : 3));
    out.insert(out.end(), w.begin() + (is_planar ? 2 : 0), w.end());
  }
  return out;
}

/// What the equations are written from; Newton steps are planned with the model itself.
struct MovingModel {
  MovingModel(const dynamics::DynamicModel& model, const MotionExportOptions&)
      : motion(model, {}, dynamics::ReducedMotion::Use::kKinematicEquations), kinematics(motion) {}
  MovingModel(const dynamics::DynamicModel& model, const MotionExportOptions&, const MovingModel& nominal)
      : motion(model, {}, dynamics::ReducedMotion::Use::kKinematicEquations),
        kinematics(nominal.kinematics, motion) {
    check_rows(model.mechanism(), motion.independent_rows(), nominal.motion.independent_rows());
  }

  dynamics::ReducedMotion motion;
  RelativeKinematics kinematics;
};

class KinematicsExport {
 public:
  KinematicsExport(const MovingModel& nominal, const MovingModel& written, const MarkedModel* marked,
                   const MotionExportOptions& options)
      : mechanism_(written.motion.model().mechanism()),
        is_planar_(mechanism_.is_planar()),
        motion_(nominal.motion),
        kinematics_(written.kinematics),
        marked_(marked),
        writer_(motion_.model(), written.motion.model(), options,
                kinematics_.description() + "; kinematics alone"),
        arguments_(writer_, nominal.kinematics) {}

  ExportedModel make() {
    const TracedVector z_ddot = write_motion();
    add_motion(accelerated(at_, z_ddot));
    add_coefficients();
    writer_.model().closed_length = motion_.length();
    writer_.model().checks = check_freedoms(arguments_.coordinates, motion_.length(), writer_.model());
    return writer_.finish("velocities");
  }
  /// All but coefficients, which are the same with other rates.
  std::vector<core::Trace::Node> write_kernels() {
    const TracedVector z_ddot = write_motion();
    const Bodies bodies = accelerated(at_, z_ddot);
    writer_.place(poses(bodies, is_planar_));
    writer_.place(rates(bodies, is_planar_));
    writer_.place(rates_of_rates(bodies, is_planar_));
    writer_.place(outputs(bodies).values);
    writer_.place({told_.constraint_error, told_.margin});
    return writer_.trace().nodes();
  }

 private:
  /// z̈, with which all that follows accelerates.
  TracedVector write_motion() {
    writer_.add_time();
    writer_.add_driver_numbers();
    TracedVector z_ddot;
    for (const coordinates::Coordinate& z : arguments_.coordinates)
      z_ddot.push_back(
          writer_.add_u("d2/dt2 " + z.name, core::si_unit(z.dimension / core::kTime / core::kTime), 0.0));
    writer_.add_parameters(marked_);
    arguments_.freedoms.drivers = writer_.drivers_at(*writer_.trace().time());
    at_ = kinematics_.write(arguments_.freedoms);
    told_ = {at_.closure_error, at_.margin};
    return z_ddot;
  }

  static TracedVector rates(const Bodies& bodies, bool is_planar) {
    using Body = coordinates::BodyMotionOf<Traced>;
    return forms(bodies, is_planar, &Body::v_WB_W, &Body::w_WB_W);
  }
  static TracedVector rates_of_rates(const Bodies& bodies, bool is_planar) {
    using Body = coordinates::BodyMotionOf<Traced>;
    return forms(bodies, is_planar, &Body::a_WB_W, &Body::alpha_WB_W);
  }
  std::vector<Column> of_bodies(const std::vector<Column>& words) const {
    std::vector<Column> out;
    for (size_t b = 1; b < mechanism_.bodies().size(); ++b)
      for (const Column& word : words)
        out.push_back({mechanism_.bodies()[b].name + "." + word.name, word.unit});
    return out;
  }

  void add_motion(const Bodies& bodies) {
    const BodyWords words = body_words(is_planar_);
    writer_.add_list("positions", "where dependent coordinates are found: the end of x in the next call",
                     arguments_.memory, arguments_.remembered(at_), told_);
    writer_.add_list("poses", "where the bodies are", of_bodies(words.pose), poses(bodies, is_planar_),
                     told_);
    writer_.add_list("velocities", "velocities of the bodies", of_bodies(words.rates),
                     rates(bodies, is_planar_), told_);
    writer_.add_list("body_accelerations", "accelerations of the bodies", of_bodies(words.accelerations),
                     rates_of_rates(bodies, is_planar_), told_);
    const ExportWriter::Shown shown = outputs(bodies);
    writer_.add_list("outputs", "outputs of the model", shown.names, shown.values, told_);
  }
  ExportWriter::Shown outputs(const Bodies& bodies) {
    return writer_.outputs(bodies, [&](const model::Variable& variable) -> std::optional<Traced> {
      const auto column = motion_.system().layout().column_of(variable);
      for (size_t k = 0; column && k < motion_.chosen().size(); ++k)
        if (motion_.chosen()[k] == *column) return arguments_.freedoms.z[k];
      return std::nullopt;
    });
  }

  /// φ̈ with z̈ = 0 and drivers at rest: Σ L_ij ż_i ż_j.
  TracedVector quadratic(const TracedVector& z_dot) const {
    TracedFreedoms at = arguments_.freedoms;
    at.z_dot = z_dot;
    for (Traced& velocity : at.drivers.velocity) velocity = 0.0;
    for (Traced& acceleration : at.drivers.acceleration) acceleration = 0.0;
    return rates_of_rates(kinematics_.write(at).bodies, is_planar_);
  }

  // Seed001 eq. 2.12, eq. 2.18
  void add_coefficients() {
    const size_t f = arguments_.coordinates.size();
    TracedVector none(f, Traced(0.0));
    std::vector<Entry> K, L;
    const auto add_column = [](std::vector<Entry>& entries, int column, const TracedVector& values) {
      for (size_t r = 0; r < values.size(); ++r)
        if (!(values[r] == Traced(0.0))) entries.push_back({static_cast<int>(r), column, values[r]});
    };
    std::vector<TracedVector> squares;
    int pair = 0;
    std::string order;
    for (size_t i = 0; i < f; ++i) {
      add_column(K, static_cast<int>(i), rates(at_.units[i], is_planar_));
      TracedVector unit = none;
      unit[i] = 1.0;
      squares.push_back(quadratic(unit));
    }
    for (size_t i = 0; i < f; ++i)
      for (size_t j = i; j < f; ++j, ++pair) {
        order += (pair == 0 ? "(" : ", (") + std::to_string(i) + ", " + std::to_string(j) + ")";
        if (i == j) {
          add_column(L, pair, squares[i]);
          continue;
        }
        TracedVector both = none;
        both[i] = both[j] = 1.0;
        TracedVector mixed = quadratic(both);
        for (size_t r = 0; r < mixed.size(); ++r) mixed[r] = 0.5 * (mixed[r] - squares[i][r] - squares[j][r]);
        add_column(L, pair, mixed);
      }
    const int rows = static_cast<int>(of_bodies(body_words(is_planar_).rates).size());
    writer_.add_matrix("velocity_coefficients", "K: velocities of the bodies by those of z", rows,
                       static_cast<int>(f), K, told_);
    writer_.add_matrix(
        "second_coefficients",
        "L: accelerations of the bodies by products of rates of z, a column for each pair " + order, rows,
        pair, L, told_);
  }

  const model::Mechanism& mechanism_;
  bool is_planar_;
  const dynamics::ReducedMotion& motion_;  ///< of the model itself
  const RelativeKinematics& kinematics_;   ///< as it is written
  const MarkedModel* marked_;
  ExportWriter writer_;
  FreedomArguments arguments_;
  TracedBodies at_;
  ExportWriter::Told told_;
};

}  // namespace

ExportedModel export_kinematics(const dynamics::DynamicModel& model, const MotionExportOptions& options) {
  return export_with_parameters<KinematicsExport, MovingModel>(model, options);
}

}  // namespace eslabon::codegen
