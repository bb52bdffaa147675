#include "eslabon/runs/sensing/row_check.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <optional>

#include <fmt/format.h>

#include "eslabon/core/text/error.hpp"
#include "eslabon/core/text/name_list.hpp"
#include "eslabon/runs/request_error.hpp"

namespace eslabon::runs {

namespace {

constexpr std::size_t kMostRows = 1500;  // that are compared
/// Rows that are kept: every second, third, fourth. In the middle between two rows the error of a rate is of higher order: it is seen at a
/// third of the way.
constexpr std::array<std::size_t, 3> kKept{2, 3, 4};
constexpr double kOrder = 6.0;       // of positions; less for rates and accelerations
constexpr double kLeastOrder = 2.0;  // where rows are too few to see it
constexpr double kFineOrder = 4.0;   // where rows are near enough, of accelerations
constexpr double kWorst = 1.5;       // of a third of the way to all of it

/// What one channel differs by, and how large it is.
struct ChannelTally {
  std::array<double, kKept.size()> squares{};  ///< of the motions without rows
  std::array<long, kKept.size()> counts{};
  double least = 0.0, largest = 0.0;
  bool is_angle = false, is_rate = false;
  bool went_astray = false;  ///< without every second row

  double rms(std::size_t k) const {
    return counts[k] == 0 ? 0.0 : std::sqrt(squares[k] / static_cast<double>(counts[k]));
  }
  /// By which it falls from every fourth row to every second.
  double order() const {
    if (counts[2] == 0 || !(rms(0) > 0.0)) return kLeastOrder;
    return std::clamp(std::log2(rms(2) / rms(0)), 0.0, kOrder);
  }
  /// Between the rows themselves.
  double error() const {
    const double middle = rms(0) / std::pow(2.0, order());
    return is_rate ? std::max(middle, kWorst * rms(1) / std::pow(3.0, order())) : middle;
  }
};

/// What is read, without errors: the channels of all instruments, one after the other.
class Readings {
 public:
  explicit Readings(const Instruments& instruments) : instruments_(instruments) {}
  const std::vector<double>& of(const dynamics::ReducedPoint& point) {
    values_.clear();
    for (const auto& instrument : instruments_) {
      std::array<double, sensing::kMostChannels> y{};
      const std::size_t m = instrument->channels().size();
      instrument->read(sensing::Scene<double>{point.t, point.bodies, point.memory}, std::span(y).first(m));
      values_.insert(values_.end(), y.begin(), y.begin() + static_cast<std::ptrdiff_t>(m));
    }
    return values_;
  }

 private:
  const Instruments& instruments_;
  std::vector<double> values_;
};

/// Rows in the middle, or at both thirds of the way, between those that are kept, at most kMostRows; none beside a jump.
std::vector<std::size_t> rows_left_out(const RecordedTruth& truth, std::size_t every) {
  const std::size_t rows = truth.table().t.size();
  std::vector<std::size_t> list;
  const std::vector<std::size_t>& jumps = truth.jumps();
  for (std::size_t first = 0; first + every < rows; first += every) {
    const auto jump = std::ranges::lower_bound(jumps, first);
    if (jump != jumps.end() && *jump < first + every) continue;
    if (every == 3)
      list.insert(list.end(), {first + 1, first + 2});
    else
      list.push_back(first + every / 2);
  }
  if (list.size() <= kMostRows) return list;
  std::vector<std::size_t> fewer;
  for (std::size_t k = 0; k < kMostRows; ++k) fewer.push_back(list[k * list.size() / kMostRows]);
  return fewer;
}

void add_misfits(RecordedTruth& truth, std::size_t which, const Instruments& instruments,
                 std::vector<ChannelTally>& tallies) {
  const std::unique_ptr<ThinnedMotion> thinned = truth.thinned(kKept[which]);
  Readings readings(instruments), thinned_readings(instruments);
  for (const std::size_t row : rows_left_out(truth, kKept[which])) {
    const double t = truth.table().t[row];
    const std::vector<double>& y = readings.of(truth.at(t));
    const std::vector<double>* other = nullptr;
    try {
      other = &thinned_readings.of(thinned->motion.at(t));
    } catch (const core::ModelError&) {
      for (ChannelTally& tally : tallies) tally.went_astray = tally.went_astray || which == 0;
      return;
    }
    for (std::size_t c = 0; c < tallies.size(); ++c) {
      double difference = y[c] - (*other)[c];
      if (tallies[c].is_angle) difference = std::remainder(difference, 2.0 * std::numbers::pi);
      tallies[c].least = tallies[c].counts[0] == 0 ? y[c] : std::min(tallies[c].least, y[c]);
      tallies[c].largest = tallies[c].counts[0] == 0 ? y[c] : std::max(tallies[c].largest, y[c]);
      tallies[c].squares[which] += difference * difference;
      ++tallies[c].counts[which];
    }
  }
}

void note_jumps(const RecordedTruth& truth, std::vector<std::string>& notes) {
  if (truth.jumps().empty()) return;
  const std::size_t pairs = truth.table().t.size() - 1;
  if (2 * truth.jumps().size() >= pairs)  // no impacts are so many
    throw core::DataError(
        {.what = "the rows are too far apart for what is read between them",
         .where = truth.table().path,
         .expected = "rows between which rates go on as they say",
         .actual = fmt::format("rows {} apart, with rates that jump between {} of {} of them",
                               distance_text(truth.largest_distance()), truth.jumps().size(), pairs),
         .next = "Compute the results with a smaller " + field("every") + "."});
  const std::size_t first = truth.jumps().front();
  notes.push_back(
      fmt::format("{}: rates jump between rows {}, first between {:.6g} s and {:.6g} s: an impact, or rows "
                  "too far apart. What "
                  "the rows before and after say holds up to the instant at which both meet.",
                  truth.table().path, core::counted(truth.jumps().size(), "time"), truth.table().t[first],
                  truth.table().t[first + 1]));
}

}  // namespace

double round_distance(double seconds) {
  const double power = std::pow(10.0, std::floor(std::log10(seconds)));
  for (const double digit : {5.0, 2.0})
    if (digit * power <= seconds) return digit * power;
  return power;
}

std::string distance_text(double seconds) {
  return seconds < 1e-3  ? fmt::format("{:.3g} us", 1e6 * seconds)
         : seconds < 0.5 ? fmt::format("{:.3g} ms", 1e3 * seconds)
                         : fmt::format("{:.3g} s", seconds);
}

std::vector<RowError> row_errors(RecordedTruth& truth, const Instruments& instruments) {
  std::vector<ChannelTally> tallies;
  for (const auto& instrument : instruments)
    for (const sensing::Channel& channel : instrument->channels()) {
      tallies.emplace_back();
      tallies.back().is_angle = channel.is_angle;
      tallies.back().is_rate =
          channel.dimension == core::kVelocity || channel.dimension == core::kAngularVelocity;
    }
  for (std::size_t which = 0; which < kKept.size(); ++which) add_misfits(truth, which, instruments, tallies);
  std::vector<RowError> errors;
  for (const ChannelTally& tally : tallies)
    errors.push_back({tally.error(), std::max(tally.order(), kFineOrder), tally.largest - tally.least,
                      !tally.went_astray});
  return errors;
}

std::vector<std::string> check_rows(RecordedTruth& truth, const std::vector<ChosenSensor>& sensors) {
  std::vector<std::string> notes;
  note_jumps(truth, notes);
  Instruments instruments;
  std::vector<const sensing::Channel*> channels;
  for (const ChosenSensor& chosen : sensors) {
    instruments.push_back(chosen.instrument);
    for (const sensing::Channel& channel : chosen.facts.channels) channels.push_back(&channel);
  }
  const std::vector<RowError> errors = row_errors(truth, instruments);
  if (!errors.empty() && !errors.front().is_known)
    notes.push_back(fmt::format(
        "without every second row the motion of {}, with rows {} apart, goes astray: values read "
        "between its rows may be wrong; compute the results with a smaller {} to see whether they are.",
        truth.table().path, distance_text(truth.largest_distance()), field("every")));
  for (std::size_t c = 0; c < channels.size(); ++c) {
    const sensing::Channel& channel = *channels[c];
    const double own = std::max(channel.noise, channel.resolution / std::sqrt(12.0));
    const double allowed = own > 0.0 ? own : 1e-2 * errors[c].span;
    const double told = own > 0.0 ? 0.1 * allowed : 1e-2 * allowed, error = errors[c].error;
    if (!(error > told)) continue;
    const double distance = truth.largest_distance();
    const double fine = round_distance(distance * std::pow(told / error, 1.0 / errors[c].order));
    const std::string of_own =
        own > 0.0 ? fmt::format("its own error of {:.2g} {}", own, core::si_unit(channel.dimension))
                  : "a reading without errors";
    if (error > allowed)
      throw core::DataError(
          {.what = "the rows are too far apart for what is read between them",
           .where = truth.table().path,
           .expected = fmt::format("rows every {} or less for '{}'", distance_text(fine), channel.name),
           .actual = fmt::format("every {}, between which it is wrong by {:.2g} {} beside {}",
                                 distance_text(distance), error, core::si_unit(channel.dimension), of_own),
           .next = fmt::format("Compute the results with {} '{}'.", field("every"), distance_text(fine))});
    notes.push_back(
        fmt::format("between rows of {}, {} apart, '{}' is wrong by about {:.2g} {} beside {}; rows every "
                    "{} would do.",
                    truth.table().path, distance_text(distance), channel.name, error,
                    core::si_unit(channel.dimension), of_own, distance_text(fine)));
  }
  return notes;
}

}  // namespace eslabon::runs
