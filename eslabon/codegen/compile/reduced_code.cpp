#include <algorithm>
#include <cmath>

#include "eslabon/codegen/compile/motion_code.hpp"
#include "eslabon/codegen/reduced_equations.hpp"
#include "eslabon/codegen/relative_kinematics.hpp"
#include "eslabon/core/index.hpp"

// Code for the points of dynamics::ReducedMotion: positions by Newton steps from nearby, accelerations, and the derivatives of everything by
// x = (z, ż, θ). Inputs: drivers, z, ż, θ, then all coordinates q nearby.
namespace eslabon::codegen {

namespace {

using core::index;
using core::Traced;
using dynamics::ReducedMotion;
using dynamics::ReducedPoint;
using dynamics::TracedMatrix;
using dynamics::TracedVector;
using Dual = core::Dual<double>;
using std::size_t;

constexpr double kClosed = 1e-13;     // of the size: what Newton steps leave
constexpr double kNearEnough = 0.1;   // of the size, or rad: farther away another branch may lie
constexpr double kSafeMargin = 1e-3;  // of pivots

/// Calls `visit` with every number of a body, in an order of its own.
template <class Body, class Visit>
void visit_numbers(Body& body, const Visit& visit) {
  for (int r = 0; r < 3; ++r) visit(body.X_WB.p_AB_A(r));
  for (int r = 0; r < 3; ++r) visit(body.w_WB_W(r));
  for (int r = 0; r < 3; ++r) visit(body.v_WB_W(r));
  for (int r = 0; r < 3; ++r) visit(body.alpha_WB_W(r));
  for (int r = 0; r < 3; ++r) visit(body.a_WB_W(r));
}
constexpr size_t kRotation = 9;

/// What is written down at one point.
struct WrittenPoint {
  TracedVector inputs;  ///< z, ż, θ
  TracedFreedoms freedoms;
  TracedVector theta;
  TracedBodies at;
  std::unique_ptr<ReducedEquations> equations;

  WrittenPoint(core::Trace& trace, const ReducedMotion& motion, const RelativeKinematics& kinematics,
               const std::vector<int>& searched) {
    const auto list = [&](size_t count) {
      TracedVector numbers;
      for (size_t k = 0; k < count; ++k) numbers.push_back(trace.input());
      return numbers;
    };
    for (size_t k = 0; k < motion.model().mechanism().drivers().size(); ++k) {
      freedoms.drivers.position.push_back(trace.input());
      freedoms.drivers.velocity.push_back(trace.input());
      freedoms.drivers.acceleration.push_back(trace.input());
    }
    const auto f = index(motion.num_freedoms());
    freedoms.z = list(f);
    freedoms.z_dot = list(f);
    theta = list(motion.unknowns().size());
    const TracedVector near = list(index(motion.system().num_coordinates()));
    for (const int column : searched) freedoms.near.push_back(near[index(column)]);
    trace.set_time(trace.input());
    for (const TracedVector* part : {&freedoms.z, &freedoms.z_dot, &theta})
      inputs.insert(inputs.end(), part->begin(), part->end());
    at = kinematics.write(freedoms);
    equations = std::make_unique<ReducedEquations>(motion, at, theta);
  }
  /// Coordinates with their rates and accelerations: q, v, a.
  TracedVector coordinates() const {
    TracedVector list = at.q;
    list.insert(list.end(), at.v.begin(), at.v.end());
    for (size_t c = 0; c < at.q.size(); ++c) {
      Traced a = at.b[c];
      for (size_t k = 0; k < freedoms.z.size(); ++k)
        a += at.R(static_cast<Eigen::Index>(c), static_cast<Eigen::Index>(k)) * equations->z_ddot()[k];
      list.push_back(a);
    }
    return list;
  }
  /// All numbers of the bodies but the ground.
  TracedVector bodies() const {
    TracedVector list;
    for (size_t b = 1; b < equations->bodies().size(); ++b) {
      const auto& body = equations->bodies()[b];
      for (int r = 0; r < 3; ++r)
        for (int c = 0; c < 3; ++c) list.push_back(body.X_WB.R_AB.matrix()(r, c));
      visit_numbers(body, [&](const Traced& number) { list.push_back(number); });
    }
    return list;
  }
};

class TracedReducedCode final : public dynamics::ReducedCode {
 public:
  /// `written`: the same motion, for writing down.
  TracedReducedCode(ReducedMotion& written, core::ProgramCompiler& compiler)
      : n_(index(written.system().num_coordinates())),
        f_(index(written.num_freedoms())),
        p_(written.unknowns().size()),
        num_drivers_(written.model().mechanism().drivers().size()),
        num_bodies_(written.model().mechanism().bodies().size()),
        length_(written.length()) {
    for (const coordinates::Coordinate& coordinate : written.system().coordinates())
      sizes_.push_back(coordinate.dimension == core::kLength ? length_ : 1.0);
    const core::Program solving = solution(written), differentiating = derivatives(written);
    const std::vector<core::NamedProgram> programs{{"solve", &solving}, {"differentiate", &differentiating}};
    std::vector<core::CompiledFunction> code = compiler.compile_functions(programs);
    if (code.empty()) return;
    const size_t num_inputs = 3 * num_drivers_ + 2 * f_ + p_ + n_ + 1;
    solve_ = CodeCall(std::move(code[0]), num_inputs, solving.outputs().size());
    differentiate_ = CodeCall(std::move(code[1]), num_inputs, differentiating.outputs().size());
    is_compiled_ = true;
  }
  bool is_compiled() const { return is_compiled_; }

  bool solve(Drivers drivers, const ReducedPoint& near, ReducedPoint& point) override {
    fill(solve_, drivers, near.q, point);
    const std::span<const double> out = solve_.call();
    const size_t last = out.size() - 2;
    if (!(out[last] < kClosed * length_) || !(out[last + 1] > kSafeMargin)) return false;
    for (size_t c = 0; c < n_; ++c)
      if (!(std::abs(out[c] - near.q[c]) < kNearEnough * sizes_[c])) return false;
    const double* number = out.data();
    point.q.assign(number, number + n_);
    point.v.assign(number + n_, number + 2 * n_);
    point.a.assign(number + 2 * n_, number + 3 * n_);
    number += 3 * n_;
    for (Eigen::Index k = 0; k < point.R.size(); ++k) point.R.data()[k] = *number++;
    for (Eigen::Index k = 0; k < point.mass.size(); ++k) point.mass.data()[k] = *number++;
    for (Eigen::Index k = 0; k < point.z_ddot.size(); ++k) point.z_ddot[k] = *number++;
    for (size_t b = 1; b < num_bodies_; ++b) {
      core::Matrix3<double> R;
      for (int r = 0; r < 3; ++r)
        for (int c = 0; c < 3; ++c) R(r, c) = *number++;
      point.bodies[b].X_WB.R_AB = core::Rotation<double>::from_known_matrix(R);
      visit_numbers(point.bodies[b], [&](double& x) { x = *number++; });
    }
    return true;
  }

  bool differentiate(Drivers drivers, const ReducedPoint& point, dynamics::ReducedTangent& out) override {
    fill(differentiate_, drivers, point.q, point);
    const std::span<const double> all = differentiate_.call();
    if (!(all.back() > kSafeMargin)) return false;
    const double* number = all.data();
    for (size_t d = 0; d < 2 * f_ + p_; ++d) {
      const auto column = static_cast<Eigen::Index>(d);
      for (Eigen::Index c = 0; c < out.q_x.rows(); ++c) out.q_x(c, column) = *number++;
      for (Eigen::Index c = 0; c < out.v_x.rows(); ++c) out.v_x(c, column) = *number++;
      for (Eigen::Index k = 0; k < out.z_ddot_x.rows(); ++k) out.z_ddot_x(k, column) = *number++;
      coordinates::MechanismMotionOf<Dual>& bodies = out.bodies[d];
      bodies.resize(num_bodies_);
      for (size_t b = 1; b < num_bodies_; ++b) {
        core::Matrix3<Dual> R;
        for (int r = 0; r < 3; ++r)
          for (int c = 0; c < 3; ++c) R(r, c) = {point.bodies[b].X_WB.R_AB.matrix()(r, c), *number++};
        bodies[b].X_WB.R_AB = core::Rotation<Dual>::from_known_matrix(R);
        visit_numbers(bodies[b], [&](Dual& x) { x.derivative = *number++; });
        const coordinates::BodyMotion& body = point.bodies[b];
        for (int r = 0; r < 3; ++r) {
          bodies[b].X_WB.p_AB_A(r).value = body.X_WB.p_AB_A(r);
          bodies[b].w_WB_W(r).value = body.w_WB_W(r);
          bodies[b].v_WB_W(r).value = body.v_WB_W(r);
          bodies[b].alpha_WB_W(r).value = body.alpha_WB_W(r);
          bodies[b].a_WB_W(r).value = body.a_WB_W(r);
        }
      }
    }
    return out.z_ddot_x.allFinite() && out.v_x.allFinite();
  }

 private:
  void fill(CodeCall& code, Drivers drivers, const std::vector<double>& near,
            const ReducedPoint& point) const {
    double* in = code.inputs().data();
    for (const coordinates::CoordinateValue& driver : drivers) {
      *in++ = driver.position;
      *in++ = driver.velocity;
      *in++ = driver.acceleration;
    }
    for (const Eigen::VectorXd* part : {&point.z, &point.z_dot, &point.theta})
      in = std::copy(part->data(), part->data() + part->size(), in);
    in = std::ranges::copy(near, in).out;
    *in = point.t;
  }

  static core::Program solution(ReducedMotion& written) {
    core::Trace trace;
    const core::Trace::Listening listening(trace);
    const RelativeKinematics kinematics(written);
    const WrittenPoint point(trace, written, kinematics, kinematics.searched());
    TracedVector out = point.coordinates();
    for (const TracedMatrix* matrix : {&point.at.R, &point.equations->mass()})
      out.insert(out.end(), matrix->data(), matrix->data() + matrix->size());
    const TracedVector& z_ddot = point.equations->z_ddot();
    out.insert(out.end(), z_ddot.begin(), z_ddot.end());
    const TracedVector bodies = point.bodies();
    out.insert(out.end(), bodies.begin(), bodies.end());
    out.push_back(point.at.closure_error);
    out.push_back(point.equations->margin());
    return core::Program(trace, out);
  }

  /// At positions that are closed already.
  static core::Program derivatives(ReducedMotion& written) {
    core::Trace trace;
    const core::Trace::Listening listening(trace);
    const RelativeKinematics kinematics(written, 0);
    const WrittenPoint point(trace, written, kinematics, kinematics.searched());
    std::vector<KnownDerivative> known =
        known_positions(trace, point.freedoms, point.at, by_themselves(point.inputs));
    const std::vector<KnownDerivative> z_ddot = point.equations->differentiate(trace, known);
    known.insert(known.end(), z_ddot.begin(), z_ddot.end());
    TracedVector values = point.at.q;
    values.insert(values.end(), point.at.v.begin(), point.at.v.end());
    values.insert(values.end(), point.equations->z_ddot().begin(), point.equations->z_ddot().end());
    const TracedVector bodies = point.bodies();
    values.insert(values.end(), bodies.begin(), bodies.end());
    TracedVector out(values.size() * point.inputs.size(), Traced(0.0));  // direction after direction
    for (const Entry& entry : derivative(trace, values, {}, known))
      out[index(entry.column) * values.size() + index(entry.row)] = entry.value;
    out.push_back(point.equations->margin());
    return core::Program(trace, out);
  }

  size_t n_, f_, p_, num_drivers_, num_bodies_;
  double length_;
  std::vector<double> sizes_;  ///< (n)
  bool is_compiled_ = false;
  CodeCall solve_, differentiate_;
};

}  // namespace

std::unique_ptr<dynamics::ReducedCode> make_reduced_code(const ReducedMotion& motion,
                                                         core::ProgramCompiler& compiler) {
  std::vector<std::string> names;
  for (Eigen::Index k = 0; k < motion.num_freedoms(); ++k) names.push_back(motion.coordinate(k).name);
  ReducedMotion written(motion.model(), motion.unknowns(), ReducedMotion::Use::kEquations, names);
  if (written.chosen() != motion.chosen()) return nullptr;
  auto code = std::make_unique<TracedReducedCode>(written, compiler);
  return code->is_compiled() ? std::move(code) : nullptr;
}

}  // namespace eslabon::codegen
