#include "eslabon/report/data/thinned_report.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "eslabon/report/data/motion_columns.hpp"
#include "eslabon/report/data/packed_numbers.hpp"
#include "eslabon/report/data/thinning.hpp"

namespace eslabon::report {

namespace {

using Rows = std::vector<std::size_t>;

std::string megabytes(double bytes) { return fmt::format("{:.3g} MB", 1e-6 * bytes); }

double bytes_of_poses(const PoseRows& rows, double tolerance, const std::string& what) {
  double bytes = 0.0;
  for (std::size_t b = 0; b < body_count(rows); ++b) {
    const PoseColumns columns = pose_columns(rows, b);
    for (std::size_t k = 0; k < columns.size(); ++k)
      bytes += form_of_pose(columns[k], k, tolerance, what).bytes();
  }
  return bytes;
}

/// (3) components over the frames.
std::vector<std::vector<double>> columns_of(const Arrow& arrow) {
  std::vector<std::vector<double>> columns(3);
  for (int k = 0; k < 3; ++k)
    for (const Eigen::Vector3d& a : arrow.vector_W) columns[static_cast<std::size_t>(k)].push_back(a(k));
  return columns;
}

/// (9) components over the frames: those of the point, the load, the force along the road.
std::vector<std::vector<double>> columns_of(const Contact& contact) {
  std::vector<std::vector<double>> columns(9);
  for (const Contact::Instant& instant : contact.instants)
    for (int k = 0; k < 9; ++k) {
      const Eigen::Vector3d& of = k < 3 ? instant.point_W : k < 6 ? instant.load_W : instant.along_W;
      columns[static_cast<std::size_t>(k)].push_back(of(k % 3));
    }
  return columns;
}

double bytes_of(const Recording& recording, double tolerance) {
  constexpr double kKeys = 60.0;  // {"kind":"rejected","t":1.2345678,"text":"","channel":""}
  const std::string what = "the recording '" + recording.name + "'";
  double bytes = kKeys + form_of_times(recording.times, what).bytes();
  for (const Channel& channel : recording.channels) {
    const std::string name = "'" + channel.name + "'";
    bytes += kKeys + form_of_channel(channel.values, name).bytes();
    if (!channel.sigma.empty()) bytes += form_of_channel(channel.sigma, name).bytes();
    if (!channel.times.empty()) bytes += form_of_times(channel.times, name).bytes();
  }
  if (recording.motion)
    bytes += form_of_times(recording.motion->times, what).bytes() +
             bytes_of_poses(pose_rows(*recording.motion), tolerance, what);
  for (const Arrow& arrow : recording.arrows)
    for (const auto& column : columns_of(arrow))
      bytes += kKeys + form_of_channel(column, "the arrow '" + arrow.name + "'").bytes();
  for (const Contact& contact : recording.contacts)
    for (const auto& column : columns_of(contact))
      bytes += kKeys + form_of_channel(column, "the contact of '" + contact.name + "'").bytes();
  for (const Mark& mark : recording.marks)
    bytes += kKeys + static_cast<double>(mark.text.size() + mark.channel.size());
  return bytes;
}

double bytes_of(const Cloud& cloud, double tolerance) {
  constexpr double kWeightAndInstant = 4.0 / 3.0;
  const PoseRows rows = pose_rows(cloud);
  return kWeightAndInstant * static_cast<double>(rows.size()) +
         bytes_of_poses(rows, tolerance, "the particles of '" + cloud.name + "'");
}

template <class T>
std::vector<T> picked(const std::vector<T>& list, const Rows& rows) {
  std::vector<T> out;
  if (list.empty()) return out;
  out.reserve(rows.size());
  for (const std::size_t row : rows) out.push_back(list[row]);
  return out;
}

std::size_t part_of(std::size_t count, double part) {
  return static_cast<std::size_t>(part * static_cast<double>(count));
}

/// What was kept of how many, of one recording or cloud.
struct Kept {
  std::size_t kept = 0;
  std::size_t all = 0;
};

std::vector<Column> columns_of(const Channel& channel) {
  std::vector<Column> columns{channel.values};
  if (!channel.sigma.empty()) columns.emplace_back(channel.sigma);
  return columns;
}

Channel picked(const Channel& channel, const Rows& rows) {
  return {channel.name, channel.unit, picked(channel.values, rows), picked(channel.sigma, rows),
          picked(channel.times, rows)};
}

/// Puts times and channels: rows that channels share; those with instants of their own one by one.
Kept thin_channels(const Recording& from, double part, Recording& to) {
  std::vector<Column> shared;
  for (const Channel& channel : from.channels)
    if (channel.times.empty())
      for (const Column& column : columns_of(channel)) shared.push_back(column);
  const Rows rows = kept_rows(shared, from.times.size(), part_of(from.times.size(), part));
  to.times = picked(from.times, rows);
  Kept total{rows.size(), from.times.size()};
  for (const Channel& channel : from.channels) {
    if (channel.times.empty()) {
      to.channels.push_back(picked(channel, rows));
      continue;
    }
    const std::size_t all = channel.times.size();
    const Rows own = kept_rows(columns_of(channel), all, part_of(all, part));
    to.channels.push_back(picked(channel, own));
    total = {total.kept + own.size(), total.all + all};
  }
  return total;
}

/// Puts motion, arrows and contacts; extremes are those of positions, quaternions, arrows and contacts.
Kept thin_frames(const Recording& from, double part, Recording& to) {
  if (!from.motion) return {};
  const PoseRows poses = pose_rows(*from.motion);
  std::vector<std::vector<double>> values;
  for (std::size_t b = 0; b < body_count(poses); ++b)
    for (std::vector<double>& column : pose_columns(poses, b)) values.push_back(std::move(column));
  for (const Arrow& arrow : from.arrows)
    for (std::vector<double>& column : columns_of(arrow)) values.push_back(std::move(column));
  for (const Contact& contact : from.contacts)
    for (std::vector<double>& column : columns_of(contact)) values.push_back(std::move(column));
  const std::size_t frames = from.motion->times.size();
  const Rows rows = kept_rows({values.begin(), values.end()}, frames, part_of(frames, part));
  to.motion = Motion{picked(from.motion->times, rows), picked(from.motion->X_WB, rows)};
  for (const Arrow& arrow : from.arrows)
    to.arrows.push_back({arrow.name, arrow.kind, arrow.body, arrow.p_BP_B, picked(arrow.vector_W, rows)});
  for (const Contact& contact : from.contacts)
    to.contacts.push_back({contact.name, picked(contact.instants, rows)});
  return {rows.size(), frames};
}

std::string sentence(const std::string& name, const Kept& kept, const char* what) {
  return fmt::format("of '{}' {} of {} {}", name, kept.kept, kept.all, what);
}

double bytes_of(const std::vector<Cloud>& clouds, double tolerance) {
  double bytes = 0.0;
  for (const Cloud& cloud : clouds) bytes += bytes_of(cloud, tolerance);
  return bytes;
}

double bytes_of(const std::vector<Recording>& recordings, double tolerance) {
  double bytes = 0.0;
  for (const Recording& recording : recordings) bytes += bytes_of(recording, tolerance);
  return bytes;
}

std::vector<Cloud> thinned(const std::vector<Cloud>& clouds, double part) {
  std::vector<Cloud> out;
  for (const Cloud& cloud : clouds) {
    const std::size_t all = cloud.instants.size();
    out.push_back({cloud.name, picked(cloud.instants, evenly_kept(all, part_of(all, part)))});
  }
  return out;
}

/// The hypotheses with fewer instants, so that they take at most `limit`; says so in `warning`.
std::vector<Cloud> thinned(const std::vector<Cloud>& clouds, double limit, double tolerance,
                           std::string& warning) {
  const double all = bytes_of(clouds, tolerance);
  std::vector<Cloud> out;
  double part = 1.0;
  double bytes = all;
  bool is_least = false;
  while (bytes > limit && !is_least) {
    part *= std::min(0.98, limit / bytes);
    out = thinned(clouds, part);
    bytes = bytes_of(out, tolerance);
    is_least =
        std::all_of(out.begin(), out.end(), [](const Cloud& cloud) { return cloud.instants.size() <= 1; });
  }
  std::string kept;
  for (std::size_t k = 0; k < clouds.size(); ++k)
    kept += (k == 0 ? "" : ", ") +
            sentence(clouds[k].name, {out[k].instants.size(), clouds[k].instants.size()}, "instants");
  warning =
      fmt::format("The particles would take {} of the page, more than {}; they take {}: {} are kept, evenly.",
                  megabytes(all), megabytes(limit), megabytes(bytes), kept);
  return out;
}

/// The recordings with a part of their rows; `said` tells how many.
std::vector<Recording> thinned(const std::vector<Recording>& recordings, double part, std::string& said) {
  std::vector<Recording> out;
  said.clear();
  const auto say = [&](const Recording& recording, const Kept& kept, const char* what) {
    if (kept.kept < kept.all) said += (said.empty() ? "" : ", ") + sentence(recording.name, kept, what);
  };
  for (const Recording& from : recordings) {
    Recording to{from.name, from.role, {}, {}, {}, {}, from.marks};
    say(from, thin_channels(from, part, to), "rows");
    say(from, thin_frames(from, part, to), "frames");
    out.push_back(std::move(to));
  }
  return out;
}

/// The recordings with fewer rows, so that they take at most `room` where that can be; `said` tells how many.
std::vector<Recording> thinned_into(const std::vector<Recording>& recordings, double room, double tolerance,
                                    std::string& said) {
  std::vector<Recording> out = thinned(recordings, 0.0, said);
  if (bytes_of(out, tolerance) > room) return out;
  double bytes = bytes_of(recordings, tolerance);
  for (double part = 1.0; bytes > room;) {  // kept rows come in steps: a trial may save less than hoped
    part *= std::min(0.9, room / bytes);
    out = thinned(recordings, part, said);
    bytes = bytes_of(out, tolerance);
  }
  return out;
}

}  // namespace

std::optional<ThinnedReport> thinned_report(const Report& report, double other_bytes,
                                            const SizeLimits& limits) {
  const double tolerance = position_tolerance(report);
  const double cloud_limit = std::min(limits.cloud_bytes, 0.5 * limits.bytes);
  const double rows = bytes_of(report.recordings, tolerance);
  const double clouds = bytes_of(report.clouds, tolerance);
  const double whole = other_bytes + rows + clouds;
  if (clouds <= cloud_limit && whole <= limits.bytes) return std::nullopt;

  ThinnedReport out{{report.title,
                     report.subtitle,
                     report.facts,
                     report.notes,
                     report.mechanism,
                     {},
                     {},
                     report.structure,
                     report.charts,
                     report.tables,
                     report.cones},
                    {}};
  std::string said;
  if (clouds > cloud_limit) {
    out.report.clouds = thinned(report.clouds, cloud_limit, tolerance, said);
    out.warnings.push_back(said);
  } else {
    out.report.clouds = report.clouds;
  }
  const double beside = other_bytes + bytes_of(out.report.clouds, tolerance);
  if (beside + rows > limits.bytes) {
    out.report.recordings =
        thinned_into(report.recordings, std::max(0.0, limits.bytes - beside), tolerance, said);
    if (!said.empty())
      out.warnings.push_back(
          fmt::format("The page would have {}, more than {}; it has {}: {} are kept, the min and max of "
                      "every column among them.",
                      megabytes(whole), megabytes(limits.bytes),
                      megabytes(beside + bytes_of(out.report.recordings, tolerance)), said));
  } else {
    out.report.recordings = report.recordings;
  }
  out.report.notes.insert(out.report.notes.end(), out.warnings.begin(), out.warnings.end());
  return out;
}

}  // namespace eslabon::report
