#include "eslabon/estimation/grid/grid_filter.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include <Eigen/LU>

#include "eslabon/core/index.hpp"
#include "eslabon/core/linalg/cholesky.hpp"
#include "eslabon/core/text/error.hpp"
#include "eslabon/core/text/number_text.hpp"
#include "eslabon/estimation/estimator_makers.hpp"

namespace eslabon::estimation {

using core::index;
using Eigen::ArrayXXd;
using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

namespace {

constexpr double kTurn = 2.0 * std::numbers::pi;
constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();
constexpr double kNowhere = std::numeric_limits<double>::infinity();
constexpr double kSameStep = 1e-9;     // steps that differ by less are one
constexpr std::size_t kMostSteps = 8;  // lengths of steps whose nodes are kept
constexpr double kTail = 8.5;          // deviations of noise for which there is room
constexpr double kStencil = 4.0;       // nodes beside a mass that share it
constexpr int kMostPositions = 64;     // with the same freedoms

void check(bool is_good, const char* what, const std::string& expected, double actual, const char* next) {
  if (is_good) return;
  throw core::ModelError({.what = what,
                          .where = "filter 'grid'",
                          .expected = expected,
                          .actual = core::number_text(actual),
                          .next = next});
}

}  // namespace

GridFilter::GridFilter(System& system, const EstimatorOptions& options)
    : system_(system),
      options_(options),
      readings_(static_cast<std::size_t>(system.num_sensors())),
      mean_(VectorXd::Zero(2)),
      covariance_(MatrixXd::Zero(2, 2)),
      x_(VectorXd::Zero(2)),
      Q_w_(MatrixXd::Zero(2, 2)) {
  check(system.num_states() == 2, "a grid of too many directions",
        "a mechanism of one degree of freedom without other unknowns: 2 states",
        static_cast<double>(system.num_states()), "Take the filter 'particle'.");
  const GridOptions& grid = options.grid;
  check(grid.positions >= 16 && grid.positions <= 100000, "nodes of positions are out of range",
        "16 to 100000", grid.positions, "Give another number.");
  check(grid.rates >= 16 && grid.rates <= 1000000, "nodes of rates are out of range", "16 to 1000000",
        grid.rates, "Give another number.");
  check(std::isfinite(options.particle.motion) && options.particle.motion >= 0.0, "motion is out of range",
        "a deviation of at least 0", options.particle.motion, "Give another number.");
  check(std::isfinite(options.particle.sensor_factor) && options.particle.sensor_factor > 0.0,
        "sensor factor is out of range", "a positive number", options.particle.sensor_factor,
        "Give another number.");
}

LatticeAxis GridFilter::lattice(Index state) const {
  const StateInfo& info = system_.states()[index(state)];
  const int nodes = state == 0 ? options_.grid.positions : options_.grid.rates;
  if (state == 0 && info.is_angle)
    return {.origin = -std::numbers::pi + 0.5 * kTurn / nodes,
            .spacing = kTurn / nodes,
            .is_turn = true,
            .count = nodes};
  return {.spacing = 2.0 * info.unknown_scale / nodes};
}

void GridFilter::make_grid(const LatticeAxis& position, int sheets) {
  grid_.emplace(position, lattice(1), sheets);
  forget();
  at_sheet_ = -1;
  log_evidence_ = 0.0;
}

void GridFilter::forget() {
  steps_.clear();
  for (NodeValues& reading : readings_) reading.values.clear();
}

bool GridFilter::start(double t, const VectorXd& x, const MatrixXd& P) {
  if (x.size() != 2 || P.rows() != 2 || P.cols() != 2)
    throw core::ContractError({.what = "a start of the wrong size",
                               .where = "estimator",
                               .expected = "2 states",
                               .actual = std::to_string(x.size()),
                               .next = "Give one number for each state of the system."});
  const Eigen::Matrix2d symmetric = 0.5 * (P + P.transpose());
  if (!(P.allFinite() && symmetric.diagonal().minCoeff() >= 0.0 &&
        symmetric.determinant() >= -1e-12 * symmetric.diagonal().prod()))
    throw core::ContractError({.what = "a start without a covariance",
                               .where = "estimator",
                               .expected = "a symmetric matrix without negative directions",
                               .actual = "another one",
                               .next = "Give the squares of deviations."});
  if (!std::isfinite(t) || !x.allFinite() || !system_.accept(t, x)) return false;
  t_ = t;
  LatticeAxis position = lattice(0);
  const long column = std::lround((x[0] - position.origin) / position.spacing);
  if (!position.is_turn) position.first = column;
  make_grid(position, 1);
  const Eigen::Array2d room = kTail * symmetric.diagonal().array().sqrt() +
                              kStencil * Eigen::Array2d(position.spacing, grid_->rate().spacing);
  if (!grid_->make_room(x[0] - room[0], x[0] + room[0], x[1] - room[1], x[1] + room[1], {}, 0.0))
    return false;
  sheets_.assign(1, {.base = column});
  at_sheet_ = 0;
  at_offset_ = 0;
  explore(0);
  grid_->clear_next();
  grid_->deposit(0, x[0], x[1], 1.0);
  grid_->commit();
  grid_->spread(symmetric);
  if (!grid_->tidy()) return false;
  settle();
  return true;
}

bool GridFilter::start_unknown(double t, const UnknownStart& start) {
  if (!std::isfinite(t) || !(std::isfinite(start.rate_deviation) && start.rate_deviation >= 0.0))
    return false;
  const LatticeAxis position = lattice(0);
  if (!position.is_turn) return false;  // nothing says where a length ends
  t_ = t;
  make_grid(position, 1);
  if (!find_sheets(t)) return false;
  make_grid(position, static_cast<int>(sheets_.size()));
  const double deviation = start.rate_deviation;
  const double room = kTail * deviation + kStencil * grid_->rate().spacing;
  if (!grid_->make_room(0.0, 0.0, -room, room, {}, 0.0)) return false;
  grid_->clear_next();
  for (std::size_t s = 0; s < sheets_.size(); ++s)
    for (long offset = sheets_[s].low; offset <= sheets_[s].high; ++offset)
      grid_->deposit(static_cast<int>(s),
                     position.origin + position.spacing * static_cast<double>(sheets_[s].base + offset), 0.0,
                     1.0);
  grid_->commit();
  grid_->spread(Eigen::Vector2d(0.0, deviation * deviation).asDiagonal());
  if (!grid_->tidy()) return false;
  settle();
  return true;
}

// Every position of the first column that no sheet covers begins a sheet.
bool GridFilter::find_sheets(double t) {
  const LatticeAxis& axis = grid_->position();
  std::vector<bool> covered(index(axis.count), false);
  sheets_.clear();
  for (Index c = 0; c < axis.count; ++c) {
    if (covered[index(c)]) continue;
    x_ << axis.value(c), 0.0;
    const std::size_t before = sheets_.size();
    for (int k = 0; k < kMostPositions && system_.accept_any(t, x_, k); ++k)
      sheets_.push_back({.base = static_cast<long>(c), .position = k});
    for (std::size_t s = before; s < sheets_.size(); ++s) {
      explore(static_cast<int>(s));
      for (long o = sheets_[s].low; o <= sheets_[s].high; ++o)
        covered[static_cast<std::size_t>((sheets_[s].base + o + axis.count) % axis.count)] = true;
    }
  }
  return !sheets_.empty();
}

void GridFilter::explore(int sheet) {
  Sheet& s = sheets_[static_cast<std::size_t>(sheet)];
  s.low = s.high = 0;
  if (!grid_->position().is_turn) return;
  const auto count = static_cast<long>(grid_->position().count);
  while (s.high < count / 2 && bring(sheet, s.high + 1)) ++s.high;
  while (s.high - s.low + 1 < count && bring(sheet, s.low - 1)) --s.low;
  while (s.high - s.low + 1 < count && bring(sheet, s.high + 1)) ++s.high;
}

long GridFilter::offset_of(const Sheet& sheet, Index column) const {
  const LatticeAxis& axis = grid_->position();
  long offset = axis.first + static_cast<long>(column) - sheet.base;
  if (!axis.is_turn) return offset;
  const auto count = static_cast<long>(axis.count);
  while (offset > sheet.high && offset - count >= sheet.low) offset -= count;
  while (offset < sheet.low && offset + count <= sheet.high) offset += count;
  return offset;
}

bool GridFilter::bring(int sheet, long offset) {
  const Sheet& s = sheets_[static_cast<std::size_t>(sheet)];
  const LatticeAxis& axis = grid_->position();
  const auto place = [&](long o) { x_ << axis.origin + axis.spacing * static_cast<double>(s.base + o), 0.0; };
  if (at_sheet_ != sheet) {
    if (s.position < 0) return false;
    place(0);
    if (!system_.accept_any(t_, x_, s.position)) return false;
    at_sheet_ = sheet;
    at_offset_ = 0;
  }
  while (at_offset_ != offset) {
    const long next = at_offset_ + (offset > at_offset_ ? 1 : -1);
    place(next);
    if (!system_.accept(t_, x_)) return false;
    at_offset_ = next;
  }
  return true;
}

GridFilter::NodeValues& GridFilter::steps_of(double h) {
  for (NodeValues& known : steps_)
    if (std::abs(known.h - h) <= kSameStep * h) return known;
  if (steps_.size() == kMostSteps) steps_.erase(steps_.begin());
  steps_.push_back({.h = h, .values = {}});
  return steps_.back();
}

std::vector<ArrayXXd*> GridFilter::known_arrays() {
  std::vector<ArrayXXd*> list;
  for (std::vector<NodeValues>* all : {&steps_, &readings_})
    for (NodeValues& known : *all)
      for (ArrayXXd& values : known.values) list.push_back(&values);
  return list;
}

template <class Evaluate>
void GridFilter::fill(NodeValues& known, int numbers, Evaluate evaluate) {
  const auto each = static_cast<std::size_t>(numbers);
  if (known.values.empty())
    known.values.assign(sheets_.size() * each,
                        ArrayXXd::Constant(grid_->rate().count, grid_->position().count, kUnknown));
  for (std::size_t s = 0; s < sheets_.size(); ++s)
    for (Index c = 0; c < grid_->position().count; ++c) {
      const auto [first, count] = grid_->rows(static_cast<int>(s), c);
      const long offset = offset_of(sheets_[s], c);
      const double z = grid_->position().origin +
                       grid_->position().spacing * static_cast<double>(sheets_[s].base + offset);
      for (Index r = first; r < first + count; ++r) {
        if (!std::isnan(known.values[s * each](r, c)) || grid_->mass(static_cast<int>(s))(r, c) == 0.0)
          continue;
        bool is_good = bring(static_cast<int>(s), offset);
        if (is_good) {
          x_ << z, grid_->rate().value(r);
          is_good = evaluate(x_, s * each, r, c);
        }
        if (!is_good) known.values[s * each](r, c) = kNowhere;
      }
    }
}

void GridFilter::fill_steps(NodeValues& known, double h) {
  fill(known, 2, [&](VectorXd& x, std::size_t slot, Index r, Index c) {
    const double z = x[0], v = x[1];
    if (!system_.step(t_, h, x) || !x.allFinite()) return false;
    known.values[slot](r, c) = x[0] - z;
    known.values[slot + 1](r, c) = x[1] - v;
    return true;
  });
}

void GridFilter::fill_readings(int sensor) {
  NodeValues& known = readings_[static_cast<std::size_t>(sensor)];
  const Index m = system_.num_channels(sensor);
  VectorXd y(m);
  fill(known, static_cast<int>(m), [&](const VectorXd& x, std::size_t slot, Index r, Index c) {
    if (!system_.measure(t_, x, sensor, y) || !y.allFinite()) return false;
    for (Index k = 0; k < m; ++k) known.values[slot + index(k)](r, c) = y[k];
    return true;
  });
}

bool GridFilter::transport(const NodeValues& known, const Eigen::Matrix2d& Q) {
  const LatticeAxis position = grid_->position(), rate = grid_->rate();
  double lowest[] = {kNowhere, kNowhere}, highest[] = {-kNowhere, -kNowhere};
  bool any_moves = false;
  const auto for_each_mass = [&](auto action) {
    for (int s = 0; s < grid_->num_sheets(); ++s)
      for (Index c = 0; c < grid_->position().count; ++c) {
        const auto [first, count] = grid_->rows(s, c);
        const std::size_t slot = 2 * static_cast<std::size_t>(s);
        for (Index r = first; r < first + count; ++r) {
          const double mass = grid_->mass(s)(r, c), dz = known.values[slot](r, c);
          if (mass == 0.0) continue;
          const bool moves = std::isfinite(dz);  // where no state follows, mass stays
          any_moves |= moves;
          action(s, grid_->position().value(c) + (moves ? dz : 0.0),
                 grid_->rate().value(r) + (moves ? known.values[slot + 1](r, c) : 0.0), mass);
        }
      }
  };
  for_each_mass([&](int, double z, double v, double) {
    lowest[0] = std::min(lowest[0], z), highest[0] = std::max(highest[0], z);
    lowest[1] = std::min(lowest[1], v), highest[1] = std::max(highest[1], v);
  });
  if (!any_moves) return false;
  const double room_z = kTail * std::sqrt(Q(0, 0)) + kStencil * position.spacing;
  const double room_v = kTail * std::sqrt(Q(1, 1)) + kStencil * rate.spacing;
  if (!grid_->make_room(lowest[0] - room_z, highest[0] + room_z, lowest[1] - room_v, highest[1] + room_v,
                        known_arrays(), kUnknown))
    return false;
  grid_->clear_next();
  for_each_mass([&](int s, double z, double v, double mass) { grid_->deposit(s, z, v, mass); });
  return true;
}

// Seed000 eq. 110
bool GridFilter::predict(double h) {
  if (!(std::isfinite(h) && h > 0.0))
    throw core::ContractError({.what = "a step that does not advance",
                               .where = "estimator",
                               .expected = "a positive time in s",
                               .actual = core::number_text(h),
                               .next = "Give another step."});
  if (!grid_) return false;
  system_.plant_noise(t_, h, mean_, Q_w_);
  const StateInfo& position = system_.states()[0];
  const double motion =
      options_.particle.motion * (position.dimension == core::kLength ? position.unknown_scale : 1.0);
  Eigen::Matrix2d Q = Q_w_;
  Q(0, 0) += motion * motion;
  if (!Q.allFinite()) return false;
  if (system_.depends_on_time()) forget();
  NodeValues& known = steps_of(h);
  fill_steps(known, h);
  if (!transport(known, Q)) return false;
  grid_->commit();
  grid_->spread(Q);
  if (!grid_->tidy()) return false;  // cannot be: masses are conserved
  t_ += h;
  if (system_.depends_on_time()) forget();
  settle();
  return true;
}

bool GridFilter::weigh(int sensor, ConstStateRef y, double gate, UpdateReport& report) {
  const Index m = y.size();
  const std::vector<ArrayXXd>& values = readings_[static_cast<std::size_t>(sensor)].values;
  MatrixXd R_n(m, m);
  system_.sensor_noise(sensor, R_n);
  R_n *= options_.particle.sensor_factor * options_.particle.sensor_factor;
  core::Cholesky root;
  if (!root.compute(R_n)) return false;
  const double log_scale = -root.log_of_root() - 0.5 * static_cast<double>(m) * std::log(kTurn);
  VectorXd d(m), first = VectorXd::Zero(m);
  MatrixXd second = MatrixXd::Zero(m, m);
  std::vector<ArrayXXd> logs(sheets_.size(),
                             ArrayXXd::Constant(grid_->rate().count, grid_->position().count, -kNowhere));
  double largest = -kNowhere, weight = 0.0;
  for (std::size_t s = 0; s < sheets_.size(); ++s)
    for (Index c = 0; c < grid_->position().count; ++c) {
      const auto [from, count] = grid_->rows(static_cast<int>(s), c);
      for (Index r = from; r < from + count; ++r) {
        const double mass = grid_->mass(static_cast<int>(s))(r, c);
        if (mass == 0.0 || !std::isfinite(values[s * index(m)](r, c))) continue;
        for (Index k = 0; k < m; ++k) {
          d[k] = y[k] - values[s * index(m) + index(k)](r, c);
          if (system_.is_angle(sensor, k)) d[k] = std::remainder(d[k], kTurn);
        }
        weight += mass;
        first += mass * d;
        second += mass * d * d.transpose();
        root.whiten(d);
        const double value = log_scale - 0.5 * d.squaredNorm();
        logs[s](r, c) = value;
        if (mass > 0.0) largest = std::max(largest, value);
      }
    }
  if (!(weight > 0.0) || !std::isfinite(largest)) return false;
  first /= weight;
  second = second / weight - first * first.transpose() + R_n;
  core::Ldlt spread;
  spread.compute(second);
  VectorXd solved = first;
  spread.solve_in_place(solved);
  report.nis = first.dot(solved);
  if (!(report.nis <= gate)) {
    report.status = UpdateReport::Status::kOutlier;
    return true;
  }
  double sum = 0.0;
  for (std::size_t s = 0; s < sheets_.size(); ++s) {
    logs[s] = (logs[s] - largest).exp() * grid_->mass(static_cast<int>(s));
    sum += logs[s].sum();
  }
  if (!(std::isfinite(sum) && sum > 0.0)) return false;
  for (std::size_t s = 0; s < sheets_.size(); ++s) grid_->mass(static_cast<int>(s)) = logs[s];
  log_evidence_ += largest + std::log(sum);
  return grid_->tidy();
}

UpdateReport GridFilter::update(int sensor, ConstStateRef y, double gate) {
  if (sensor < 0 || sensor >= system_.num_sensors() || y.size() != system_.num_channels(sensor))
    throw core::ContractError(
        {.what = "a reading of an unknown sensor or of the wrong size",
         .where = "estimator",
         .expected =
             "all channels of one of " + std::to_string(system_.num_sensors()) + " sensors, counted from 0",
         .actual = std::to_string(y.size()) + " channels of number " + std::to_string(sensor),
         .next = "Give all channels of a sensor."});
  UpdateReport report{.status = UpdateReport::Status::kFailed};
  if (!grid_ || !y.allFinite()) return report;
  if (system_.depends_on_time()) readings_[static_cast<std::size_t>(sensor)].values.clear();
  fill_readings(sensor);
  report.status = UpdateReport::Status::kAccepted;
  if (!weigh(sensor, y, gate, report)) report.status = UpdateReport::Status::kFailed;
  settle();
  return report;
}

void GridFilter::inflate(double factor) {
  if (!(std::isfinite(factor) && factor >= 1.0))
    throw core::ContractError({.what = "a factor that would make an estimate more certain",
                               .where = "estimator",
                               .expected = "a factor of at least 1",
                               .actual = core::number_text(factor),
                               .next = "Give another factor."});
  if (!grid_) return;
  Eigen::Vector2d more;
  for (Index k = 0; k < 2; ++k) {
    const double scale = system_.states()[index(k)].unknown_scale, present = covariance_(k, k);
    more[k] = std::max(0.0, std::min(factor * factor * present, scale * scale) - present);
  }
  const Eigen::Vector2d room = kTail * more.cwiseSqrt();
  const LatticeAxis &position = grid_->position(), &rate = grid_->rate();
  if (!grid_->make_room(position.value(0) - room[0], position.value(position.count - 1) + room[0],
                        rate.value(0) - room[1], rate.value(rate.count - 1) + room[1], known_arrays(),
                        kUnknown))
    return;
  // Both directions stay as correlated as they were where both may grow.
  Eigen::Matrix2d Q = more.asDiagonal();
  if (covariance_.diagonal().minCoeff() > 0.0)
    Q(0, 1) = Q(1, 0) =
        covariance_(0, 1) / std::sqrt(covariance_(0, 0) * covariance_(1, 1)) * std::sqrt(more.prod());
  grid_->spread(Q);
  static_cast<void>(grid_->tidy());
  settle();
}

bool GridFilter::find_hypotheses(std::size_t most, Hypotheses& out) {
  constexpr double kNoticeable = 1e-3;
  SystemBodies* const of_system = system_.bodies();
  if (!grid_ || of_system == nullptr) return false;
  const std::size_t bodies = of_system->num_bodies();
  const LatticeAxis& axis = grid_->position();
  double largest = 0.0;
  for (int s = 0; s < grid_->num_sheets(); ++s)
    largest = std::max(largest, grid_->mass(s).colwise().sum().maxCoeff());
  out = {};
  const int sheet_before = at_sheet_;
  const long offset_before = at_offset_;
  of_system->keep();
  for (int s = 0; s < grid_->num_sheets(); ++s)
    for (Index c = 0; c < axis.count; ++c) {
      const double mass = grid_->mass(s).col(c).sum();
      const Sheet& sheet = sheets_[static_cast<std::size_t>(s)];
      const long offset = offset_of(sheet, c);
      if (!(mass >= kNoticeable * largest) || !bring(s, offset)) continue;
      x_ << axis.origin + axis.spacing * static_cast<double>(sheet.base + offset), 0.0;
      if (!system_.accept(t_, x_)) continue;  // it may have stood beside the column
      out.weights.push_back(mass);
      out.X_WB.resize(out.X_WB.size() + bodies);
      of_system->find_poses(std::span(out.X_WB).last(bodies));
    }
  of_system->restore();
  at_sheet_ = sheet_before;
  at_offset_ = offset_before;
  out.num_all = out.weights.size();
  std::vector<std::size_t> chosen;
  choose_by_weight(out.weights, most, chosen);
  for (std::size_t k = 0; k < chosen.size(); ++k) {  // chosen[k] ≥ k
    out.weights[k] = out.weights[chosen[k]];
    for (std::size_t b = 0; b < bodies; ++b) out.X_WB[k * bodies + b] = out.X_WB[chosen[k] * bodies + b];
  }
  out.weights.resize(chosen.size());
  out.X_WB.resize(chosen.size() * bodies);
  return true;
}

VectorXd GridFilter::sheet_probabilities() const {
  VectorXd out(grid_->num_sheets());
  for (int s = 0; s < grid_->num_sheets(); ++s) out[s] = grid_->mass(s).sum();
  return out;
}

double GridFilter::unresolved() const {
  double sum = 0.0;
  for (int s = 0; s < grid_->num_sheets(); ++s) sum -= grid_->mass(s).min(0.0).sum();
  return sum;
}

double GridFilter::position_entropy(int bins) const {
  double sum = 0.0;
  for (const double p : grid_->position_bins(bins))
    if (p > 0.0) sum -= p * std::log(p);
  return sum;
}

void GridFilter::settle() {
  const LatticeAxis &position = grid_->position(), &rate = grid_->rate();
  VectorXd of_z = VectorXd::Zero(position.count), of_v = VectorXd::Zero(position.count);
  for (int s = 0; s < grid_->num_sheets(); ++s) of_z += grid_->mass(s).colwise().sum().matrix().transpose();
  double cosine = 0.0, sine = 0.0, z = 0.0, v = 0.0;
  for (Index c = 0; c < position.count; ++c) {
    cosine += of_z[c] * std::cos(position.value(c));
    sine += of_z[c] * std::sin(position.value(c));
    z += of_z[c] * position.value(c);
  }
  mean_[0] = position.is_turn ? std::atan2(sine, cosine) : z;
  for (int s = 0; s < grid_->num_sheets(); ++s)
    for (Index r = 0; r < rate.count; ++r) v += rate.value(r) * grid_->mass(s).row(r).sum();
  mean_[1] = v;
  covariance_.setZero();
  for (int s = 0; s < grid_->num_sheets(); ++s)
    for (Index c = 0; c < position.count; ++c) {
      double dz = position.value(c) - mean_[0];
      if (position.is_turn) dz = std::remainder(dz, kTurn);
      const auto [first, count] = grid_->rows(s, c);
      for (Index r = first; r < first + count; ++r) {
        const double mass = grid_->mass(s)(r, c), dv = rate.value(r) - v;
        covariance_(0, 0) += mass * dz * dz;
        covariance_(0, 1) += mass * dz * dv;
        covariance_(1, 1) += mass * dv * dv;
      }
    }
  covariance_(1, 0) = covariance_(0, 1);
  Index likeliest = 0;
  sheet_probabilities().maxCoeff(&likeliest);
  const auto nearest = static_cast<Index>(std::lround(position.slot(mean_[0])));
  const Index column = std::clamp<Index>(nearest, 0, position.count - 1);
  const Sheet& sheet = sheets_[index(likeliest)];
  const long offset = offset_of(sheet, column);
  if (!bring(static_cast<int>(likeliest), offset)) return;
  // By whole turns where the sheet is.
  x_ = mean_;
  if (position.is_turn)
    x_[0] +=
        kTurn *
        std::round((position.origin + position.spacing * static_cast<double>(sheet.base + offset) - x_[0]) /
                   kTurn);
  static_cast<void>(system_.accept(t_, x_));
}

std::unique_ptr<Estimator> make_grid(System& system, const EstimatorOptions& options) {
  return std::make_unique<GridFilter>(system, options);
}

}  // namespace eslabon::estimation
