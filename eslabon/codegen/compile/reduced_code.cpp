#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include "eslabon/codegen/compile/motion_code.hpp"
#include "eslabon/codegen/reduced_equations.hpp"
#include "eslabon/codegen/relative_kinematics.hpp"
#include "eslabon/core/index.hpp"

// Code for the points of dynamics::ReducedMotion: positions by Newton steps from nearby, accelerations, and the derivatives of everything by
// x = (z, ż, θ), all of them, those of z̈ alone, and of each reading alone. Inputs: drivers, z, ż, θ, then all coordinates q from where Newton
// steps begin. From a solved point at t₀ that is
//   q ≈ q₀ + R₀ (z − z₀) + ½ b₀ (t − t₀)²,   b₀ = q̈₀ − R₀ z̈₀                                                       (1)
// whose error is of third order along the motion. One Newton step squares it: where the point is so near that this is roundoff, a solution of
// one step serves, and another of three steps where it does not close.
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
constexpr double kOneStep = 0.02;     // of the size, or rad: farther away one Newton step is not tried

/// What code tells of a body after its rotation, which stands column by column.
template <class Body>
auto vectors_of(Body& body) {
  return std::array{&body.X_WB.p_AB_A, &body.w_WB_W, &body.v_WB_W, &body.alpha_WB_W, &body.a_WB_W};
}
constexpr int kRotation = 9;

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
      const core::Matrix3<Traced>& R = body.X_WB.R_AB.matrix();
      list.insert(list.end(), R.data(), R.data() + kRotation);
      for (const core::Vector3<Traced>* vector : vectors_of(body))
        list.insert(list.end(), vector->data(), vector->data() + 3);
    }
    return list;
  }
};

/// Derivatives at positions that are closed already, written down.
class WrittenDerivatives {
 public:
  explicit WrittenDerivatives(ReducedMotion& written)
      : kinematics_(written, 0), point_(trace_, written, kinematics_, kinematics_.searched()) {
    known_ = known_positions(trace_, point_.freedoms, point_.at, by_themselves(point_.inputs));
    const std::vector<KnownDerivative> z_ddot = point_.equations->differentiate(trace_, known_);
    known_.insert(known_.end(), z_ddot.begin(), z_ddot.end());
  }

  /// Whether no coordinate is looked for.
  bool has_closed_form() const { return kinematics_.searched().empty(); }

  core::Program everything() {
    TracedVector values = point_.at.q;
    values.insert(values.end(), point_.at.v.begin(), point_.at.v.end());
    values.insert(values.end(), point_.equations->z_ddot().begin(), point_.equations->z_ddot().end());
    const TracedVector bodies = point_.bodies();
    values.insert(values.end(), bodies.begin(), bodies.end());
    return told({}, values);
  }
  core::Program accelerations() { return told({}, point_.equations->z_ddot()); }
  /// Its numbers stand before their derivatives.
  core::Program reading(const dynamics::WrittenReading& reading) {
    TracedVector values(reading.size, Traced(0.0));
    reading.write(point_.equations->bodies(), values);
    return told(values, values);
  }

 private:
  /// Numbers, derivatives of values, direction after direction, and how far from singular it is.
  core::Program told(TracedVector out, const TracedVector& values) {
    const size_t first = out.size();
    out.resize(first + values.size() * point_.inputs.size(), Traced(0.0));
    for (const Entry& entry : derivative(trace_, values, {}, known_))
      out[first + index(entry.column) * values.size() + index(entry.row)] = entry.value;
    out.push_back(point_.equations->margin());
    return core::Program(trace_, out);
  }

  core::Trace trace_;
  core::Trace::Listening listening_{trace_};
  RelativeKinematics kinematics_;
  WrittenPoint point_;
  std::vector<KnownDerivative> known_;
};

class TracedReducedCode final : public dynamics::ReducedCode {
 public:
  /// `written`: the same motion, for writing down.
  TracedReducedCode(ReducedMotion& written, std::span<const dynamics::WrittenReading> readings,
                    core::ProgramCompiler& compiler, std::vector<std::string>& notes)
      : n_(index(written.system().num_coordinates())),
        f_(index(written.num_freedoms())),
        p_(written.unknowns().size()),
        num_drivers_(written.model().mechanism().drivers().size()),
        num_bodies_(written.model().mechanism().bodies().size()),
        length_(written.length()),
        guess_(n_) {
    for (const int column : written.chosen()) chosen_.push_back(index(column));
    for (const coordinates::Coordinate& coordinate : written.system().coordinates())
      sizes_.push_back(coordinate.dimension == core::kLength ? length_ : 1.0);
    std::vector<core::Program> list{solution(written, RelativeKinematics::kNewtonSteps)};
    WrittenDerivatives derivatives(written);
    list.push_back(derivatives.everything());
    list.push_back(derivatives.accelerations());
    std::vector<std::string> names{"solve", "differentiate", "differentiate_accelerations"};
    std::vector<CodeCall*> calls{&solve_, &differentiate_, &differentiate_accelerations_};
    if (!derivatives.has_closed_form()) {
      list.push_back(solution(written, 1));
      names.push_back("solve_nearby");
      calls.push_back(&solve_nearby_.emplace());
    }
    readings_.resize(readings.size());
    for (size_t k = 0; k < readings.size(); ++k) try {
        list.push_back(derivatives.reading(readings[k]));
        names.push_back("read_" + std::to_string(k));
        calls.push_back(&readings_[k].emplace());
      } catch (const core::ModelError& error) {
        notes.push_back("What " + readings[k].name + " reads is interpreted: " + why_no_code(error) + ".");
      }
    std::vector<core::NamedProgram> programs;
    for (size_t k = 0; k < list.size(); ++k) programs.push_back({names[k], &list[k]});
    std::vector<core::CompiledFunction> code = compiler.compile_functions(programs);
    if (code.empty()) return;
    const size_t num_inputs = 3 * num_drivers_ + 2 * f_ + p_ + n_ + 1;
    for (size_t k = 0; k < list.size(); ++k)
      *calls[k] = CodeCall(std::move(code[k]), num_inputs, list[k].outputs().size());
    is_compiled_ = true;
  }
  bool is_compiled() const { return is_compiled_; }

  bool solve(Drivers drivers, const ReducedPoint& near, ReducedPoint& point) override {
    const bool is_nearby = predict(near, point) < kOneStep;
    if (is_nearby && solve_nearby_ && solve_from_guess(*solve_nearby_, drivers, near, point)) return true;
    return solve_from_guess(solve_, drivers, near, point);
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
        const coordinates::BodyMotion& body = point.bodies[b];
        core::Matrix3<Dual> R;
        for (int k = 0; k < kRotation; ++k) R.data()[k] = {body.X_WB.R_AB.matrix().data()[k], *number++};
        bodies[b].X_WB.R_AB = core::Rotation<Dual>::from_known_matrix(R);
        const auto values = vectors_of(body);
        const auto vectors = vectors_of(bodies[b]);
        for (size_t v = 0; v < vectors.size(); ++v)
          for (int r = 0; r < 3; ++r) (*vectors[v])(r) = {(*values[v])(r), *number++};
      }
    }
    return out.z_ddot_x.allFinite() && out.v_x.allFinite();
  }

  bool differentiate_accelerations(Drivers drivers, const ReducedPoint& point,
                                   Eigen::Ref<Eigen::MatrixXd> z_ddot_x) override {
    fill(differentiate_accelerations_, drivers, point.q, point);
    const std::span<const double> all = differentiate_accelerations_.call();
    return take(all, z_ddot_x);
  }

  bool read(size_t k, Drivers drivers, const ReducedPoint& point, std::span<double> y,
            Eigen::Ref<Eigen::MatrixXd> H) override {
    if (!readings_[k]) return false;
    fill(*readings_[k], drivers, point.q, point);
    const std::span<const double> all = readings_[k]->call();
    std::ranges::copy(all.first(y.size()), y.begin());
    return take(all.subspan(y.size()), H);
  }

 private:
  /// (1), into guess_; the largest change of a coordinate, lengths in the mechanism's size.
  double predict(const ReducedPoint& near, const ReducedPoint& point) {
    guess_ = near.q;
    const double half_square = 0.5 * (point.t - near.t) * (point.t - near.t);
    if (half_square > 0.0)
      for (size_t c = 0; c < n_; ++c) {
        const auto row = static_cast<Eigen::Index>(c);
        guess_[c] += half_square * (near.a[c] - near.R.row(row).dot(near.z_ddot));
      }
    for (size_t k = 0; k < f_; ++k) {
      const auto freedom = static_cast<Eigen::Index>(k);
      const double dz = point.z[freedom] - near.q[chosen_[k]];
      if (dz == 0.0) continue;
      for (size_t c = 0; c < n_; ++c) guess_[c] += near.R(static_cast<Eigen::Index>(c), freedom) * dz;
    }
    double largest = 0.0;
    for (size_t c = 0; c < n_; ++c) largest = std::max(largest, std::abs(guess_[c] - near.q[c]) / sizes_[c]);
    return largest;
  }

  /// False where it does not close, near singular positions, and where that is far from `near`.
  bool solve_from_guess(CodeCall& code, Drivers drivers, const ReducedPoint& near, ReducedPoint& point) {
    fill(code, drivers, guess_, point);
    const std::span<const double> out = code.call();
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
      coordinates::BodyMotion& body = point.bodies[b];
      body.X_WB.R_AB = core::Rotation<double>::from_known_matrix(Eigen::Map<const Eigen::Matrix3d>(number));
      number += kRotation;
      for (Eigen::Vector3d* vector : vectors_of(body)) {
        *vector = Eigen::Map<const Eigen::Vector3d>(number);
        number += 3;
      }
    }
    return true;
  }

  /// Derivatives, direction after direction; false near singular positions, and where they are no numbers.
  static bool take(std::span<const double> told, Eigen::Ref<Eigen::MatrixXd> out) {
    out = Eigen::Map<const Eigen::MatrixXd>(told.data(), out.rows(), out.cols());
    return told.back() > kSafeMargin && out.allFinite();
  }

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

  static core::Program solution(ReducedMotion& written, int newton_steps) {
    core::Trace trace;
    const core::Trace::Listening listening(trace);
    const RelativeKinematics kinematics(written, newton_steps);
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

  size_t n_, f_, p_, num_drivers_, num_bodies_;
  double length_;
  std::vector<double> sizes_;  ///< (n)
  bool is_compiled_ = false;
  std::vector<size_t> chosen_;  ///< (f) columns of z
  std::vector<double> guess_;   ///< (n) of the last predict()
  CodeCall solve_, differentiate_, differentiate_accelerations_;
  std::optional<CodeCall> solve_nearby_;           ///< of one Newton step; nothing where none is needed
  std::vector<std::optional<CodeCall>> readings_;  ///< nothing: it cannot be written down
};

}  // namespace

std::unique_ptr<dynamics::ReducedCode> make_reduced_code(const ReducedMotion& motion,
                                                         std::span<const dynamics::WrittenReading> readings,
                                                         core::ProgramCompiler& compiler,
                                                         std::vector<std::string>& notes) {
  std::vector<std::string> names;
  for (Eigen::Index k = 0; k < motion.num_freedoms(); ++k) names.push_back(motion.coordinate(k).name);
  ReducedMotion written(motion.model(), motion.unknowns(), ReducedMotion::Use::kEquations, names);
  if (written.chosen() != motion.chosen()) return nullptr;
  auto code = std::make_unique<TracedReducedCode>(written, readings, compiler, notes);
  return code->is_compiled() ? std::move(code) : nullptr;
}

}  // namespace eslabon::codegen
