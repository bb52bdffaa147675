#include "eslabon/recording/pages/report_recorder.hpp"

#include <algorithm>
#include <utility>

#include "eslabon/core/text/error.hpp"
#include "eslabon/report/data/thinning.hpp"

namespace eslabon::recording {

namespace {

constexpr const char* kSigma = ".sigma";

/// Every second of a list, the first of them kept.
template <class Value>
void halve(std::vector<Value>& list) {
  for (std::size_t k = 1; 2 * k < list.size(); ++k) list[k] = std::move(list[2 * k]);
  list.resize((list.size() + 1) / 2);
}

[[noreturn]] void fail_frame(std::size_t expected, std::size_t actual, const std::string& what,
                             const std::string& setter) {
  throw core::ContractError({.what = "a frame has no forces",
                             .where = "ReportRecorder::add_frame",
                             .expected = std::to_string(expected) + " " + what,
                             .actual = std::to_string(actual),
                             .next = "Give as many as " + setter + " was told of."});
}

}  // namespace

ReportRecorder::ReportRecorder(std::string name, report::Recording::Role role,
                               const std::vector<core::Column>& columns, std::size_t most_values)
    : channel_of_column_(columns.size()),
      is_sigma_(columns.size(), false),
      most_rows_(std::max<std::size_t>(most_values / (columns.size() + 1), 2)) {
  recording_.name = std::move(name);
  recording_.role = role;
  for (std::size_t c = 0; c < columns.size(); ++c) {
    const std::string& column = columns[c].name;
    if (column.ends_with(kSigma)) {
      const std::string of = column.substr(0, column.size() - std::string_view(kSigma).size());
      const auto found = std::ranges::find(recording_.channels, of, &report::Channel::name);
      if (found != recording_.channels.end()) {
        channel_of_column_[c] = static_cast<std::size_t>(found - recording_.channels.begin());
        is_sigma_[c] = true;
        continue;
      }
    }
    channel_of_column_[c] = recording_.channels.size();
    recording_.channels.push_back({column, columns[c].unit == "1" ? "" : columns[c].unit, {}, {}, {}});
  }
}

void ReportRecorder::add_row(double t, std::span<const double> row) {
  if (recording_.times.size() >= most_rows_) leave_rows_out();
  recording_.times.push_back(t);
  for (std::size_t c = 0; c < row.size(); ++c) {
    report::Channel& channel = recording_.channels[channel_of_column_[c]];
    (is_sigma_[c] ? channel.sigma : channel.values).push_back(row[c]);
  }
  ++rows_;
}

bool ReportRecorder::wants_frame() const { return rows_ % every_ == 0; }

void ReportRecorder::add_frame(const coordinates::MechanismMotion& bodies,
                               std::span<const Eigen::Vector3d> arrows_W,
                               std::span<const report::Contact::Instant> contacts) {
  const bool is_extra = (rows_ - 1) % every_ != 0;
  const std::size_t arrows = recording_.arrows.size();
  const bool is_whole = arrows_W.size() == arrows;
  if (!is_whole && (motion_.times.empty() || arrows_W.size() + num_sparse_ != arrows)) {
    if (is_extra) return;  // not told: it cannot be the last
    fail_frame(arrows, arrows_W.size(), "arrows", "set_arrows");
  }
  if (contacts.size() != recording_.contacts.size())
    fail_frame(recording_.contacts.size(), contacts.size(), "contacts", "set_contacts");
  if (is_last_extra_) drop_last_frame();
  motion_.times.push_back(recording_.times.back());
  std::vector<core::Pose<double>>& X_WB = motion_.X_WB.emplace_back();
  for (std::size_t b = 1; b < bodies.size(); ++b) X_WB.push_back(bodies[b].X_WB);
  for (std::size_t k = 0; k < arrows; ++k)
    recording_.arrows[k].vector_W.push_back(k < arrows_W.size() ? arrows_W[k] : Eigen::Vector3d::Zero());
  for (std::size_t k = 0; k < contacts.size(); ++k) recording_.contacts[k].instants.push_back(contacts[k]);
  is_whole_.push_back(is_whole);
  is_last_extra_ = is_extra;
  if (!is_extra && motion_.times.size() > kMostFrames) keep_every_second_frame();
}

void ReportRecorder::set_arrows(std::vector<report::Arrow> arrows, std::size_t num_sparse) {
  recording_.arrows = std::move(arrows);
  num_sparse_ = num_sparse;
}

void ReportRecorder::set_contacts(const std::vector<std::string>& tyres) {
  recording_.contacts.clear();
  for (const std::string& tyre : tyres) recording_.contacts.push_back({tyre, {}});
}

void ReportRecorder::add_mark(report::Mark mark) { recording_.marks.push_back(std::move(mark)); }

report::Recording ReportRecorder::take() {
  interpolate_arrows();
  if (!motion_.times.empty()) {
    recording_.motion = std::move(motion_);
  } else {
    recording_.arrows.clear();
    recording_.contacts.clear();
  }
  motion_ = {};
  is_whole_.clear();
  rows_ = 0;
  every_ = 1;
  is_last_extra_ = false;
  return std::exchange(recording_, {});
}

std::optional<std::string> ReportRecorder::note() const {
  if (rows_ == recording_.times.size()) return std::nullopt;
  return "Of " + std::to_string(rows_) + " rows " + std::to_string(recording_.times.size()) +
         " are kept here, the min and max of every column among them.";
}

void ReportRecorder::leave_rows_out() {
  std::vector<report::Column> columns;
  for (const report::Channel& channel : recording_.channels) {
    columns.emplace_back(channel.values);
    if (!channel.sigma.empty()) columns.emplace_back(channel.sigma);
  }
  const std::size_t rows = recording_.times.size();
  const std::vector<std::size_t> kept = report::kept_rows(columns, rows, rows / 2);
  const auto keep = [&](std::vector<double>& values) {
    if (values.empty()) return;
    for (std::size_t k = 0; k < kept.size(); ++k) values[k] = values[kept[k]];
    values.resize(kept.size());
  };
  keep(recording_.times);
  for (report::Channel& channel : recording_.channels) {
    keep(channel.values);
    keep(channel.sigma);
  }
  // Where extremes alone are more than that, room is made for rows to come.
  most_rows_ = std::max(most_rows_, 2 * recording_.times.size());
}

void ReportRecorder::drop_last_frame() {
  motion_.times.pop_back();
  motion_.X_WB.pop_back();
  is_whole_.pop_back();
  for (report::Arrow& arrow : recording_.arrows) arrow.vector_W.pop_back();
  for (report::Contact& contact : recording_.contacts) contact.instants.pop_back();
}

void ReportRecorder::interpolate_arrows() {
  const std::vector<double>& times = motion_.times;
  const auto sparse = std::span(recording_.arrows).last(std::min(num_sparse_, recording_.arrows.size()));
  std::size_t before = 0;  // the first frame is whole
  for (std::size_t k = 1; k < times.size(); ++k) {
    if (is_whole_[k]) {
      before = k;
      continue;
    }
    const auto found = std::find(is_whole_.begin() + static_cast<std::ptrdiff_t>(k), is_whole_.end(), 1);
    const auto after =
        found == is_whole_.end() ? before : static_cast<std::size_t>(found - is_whole_.begin());
    const double part = after > before ? (times[k] - times[before]) / (times[after] - times[before]) : 0.0;
    for (report::Arrow& arrow : sparse)
      arrow.vector_W[k] = (1.0 - part) * arrow.vector_W[before] + part * arrow.vector_W[after];
  }
}

void ReportRecorder::keep_every_second_frame() {
  static_assert(kMostFrames % 2 == 0);  // the frame that was one too many stays
  halve(motion_.times);
  halve(motion_.X_WB);
  halve(is_whole_);
  for (report::Arrow& arrow : recording_.arrows) halve(arrow.vector_W);
  for (report::Contact& contact : recording_.contacts) halve(contact.instants);
  every_ *= 2;
}

}  // namespace eslabon::recording
