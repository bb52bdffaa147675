#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include <Eigen/Core>

#include "eslabon/core/geometry/pose.hpp"
#include "eslabon/model/mechanism.hpp"

/// The web report: recorded results, and how they become one page. Nothing here computes motions.
namespace eslabon::report {

/// "mobility", "1"
struct Fact {
  std::string label;
  std::string value;
};

/// One column of a result over time.
struct Channel {
  std::string name;            ///< "crank.angle"
  std::string unit;            ///< "rad"; empty: a pure number
  std::vector<double> values;  ///< (rows)
  std::vector<double> sigma;   ///< (rows) standard deviation, or empty
  std::vector<double> times;   ///< instants of its own [s], or empty: those of the recording
};

/// Where the moving bodies are at some instants.
struct Motion {
  std::vector<double> times;                          ///< (frames) increasing [s]
  std::vector<std::vector<core::Pose<double>>> X_WB;  ///< (frames × bodies, without the ground)
};

/// A force or torque over the frames of a motion.
struct Arrow {
  enum class Kind { kReaction, kForce, kTorque };
  std::string name;  ///< of the joint, load or spring
  Kind kind = Kind::kReaction;
  model::BodyIndex body = model::kGround;
  Eigen::Vector3d p_BP_B = Eigen::Vector3d::Zero();  ///< where it acts [m]
  std::vector<Eigen::Vector3d> vector_W;             ///< (frames) [N] or [N m]
};

/// Where a tyre meets the road over the frames of a motion, and what the road does to it there.
struct Contact {
  struct Instant {
    Eigen::Vector3d point_W;  ///< on the road below the wheel, of one in the air too [m]
    Eigen::Vector3d load_W;   ///< across the road; zero in the air [N]
    Eigen::Vector3d along_W;  ///< in the road, F_x and F_y together [N]
  };
  std::string name;               ///< of the tyre
  std::vector<Instant> instants;  ///< (frames)
};

/// A cone that stands on the road.
struct Cone {
  std::string name;
  Eigen::Vector3d at_W = Eigen::Vector3d::Zero();  ///< the middle of its base [m]
  double radius = 0.0, height = 0.0;               ///< > 0 [m]
  bool is_hit = false;                             ///< a vehicle touched it
};

/// Something that happened at an instant.
struct Mark {
  enum class Kind { kRejected, kResampled, kEvent, kRestart };
  double t = 0.0;  ///< [s]
  Kind kind = Kind::kEvent;
  std::string text;
  std::string channel;  ///< kRejected: name of the reading; otherwise empty
};

/// One result: a motion, an estimate, readings.
struct Recording {
  enum class Role { kMotion, kTruth, kEstimate, kReadings };
  std::string name;
  Role role = Role::kMotion;
  std::vector<double> times;  ///< (rows) increasing [s]
  std::vector<Channel> channels;
  std::optional<Motion> motion;  ///< none: the result does not give the positions of bodies
  std::vector<Arrow> arrows;
  std::vector<Mark> marks;
  std::vector<Contact> contacts = {};  ///< (tyres), or none where forces are not known
};

/// All particles of a filter at some instants.
struct Cloud {
  struct Instant {
    double t = 0.0;                                     ///< [s]
    std::vector<double> weights;                        ///< (n) ≥ 0, any scale
    std::vector<std::vector<core::Pose<double>>> X_WB;  ///< (n × bodies, without the ground)
  };
  std::string name;  ///< of the filter's recording
  std::vector<Instant> instants;
};

/// A structural group as the page tells it.
struct Group {
  std::string type;
  std::string assur;
  std::vector<int> bodies;
  std::vector<int> joints;
  std::vector<std::string> inputs;
  std::vector<int> needs;  ///< positions of groups; −1: the ground
  std::string unknowns;
  std::string branch;
};

/// A joint as an edge of the structural graph [Seed001, §2.1.2].
struct Edge {
  int joint = 0;
  std::array<int, 2> bodies{};
  int freedoms = 0;
  int inputs = 0;
  std::optional<int> to;  ///< the body whose group takes the joint with it
};

struct StructurePart {
  std::vector<Fact> facts;
  std::vector<Group> groups;  ///< in solving order
  std::vector<int> group_of_body;
  std::vector<Edge> edges;
  std::vector<std::string> redundant;
  std::vector<std::string> idle;
  std::vector<std::string> branches;
};

struct Axis {
  std::string label;
  std::string unit;  ///< empty: a pure number
  bool is_log = false;
};

struct Series {
  std::string name;
  std::vector<double> x, y;
  std::vector<double> low, high;  ///< a band around y, or empty
};

/// A plot that is not over the recorded time: studies, histograms.
struct Chart {
  enum class Kind { kLines, kBars };  ///< bars: x are edges, one more than y
  std::string title;
  Kind kind = Kind::kLines;
  Axis x, y;
  std::vector<Series> series;
};

struct Table {
  struct Column {
    std::string label, unit;
  };
  std::string title;
  std::vector<Column> columns;
  std::vector<std::vector<std::string>> rows;
};

/// Everything that one page shows. A plain value; `viewer/src/report_data.ts` is the same for the page.
struct Report {
  std::string title;
  std::string subtitle;
  std::vector<Fact> facts;
  std::vector<std::string> notes;
  std::optional<model::Mechanism> mechanism;
  std::vector<Recording> recordings;
  std::vector<Cloud> clouds;
  std::optional<StructurePart> structure;
  std::vector<Chart> charts;
  std::vector<Table> tables;
  std::vector<Cone> cones = {};
};

/// How large a page may become.
struct SizeLimits {
  double bytes = 50e6;        ///< beyond it rows are left out, extremes kept
  double cloud_bytes = 12e6;  ///< of all particles together; instants are left out beyond it
};

/// A page, and what had to be left out of it: sentences for people.
struct Page {
  std::string html;
  std::vector<std::string> warnings;
};

/// The report as one file that opens anywhere. `made_by`: "eslabon 0.9.0". Throws core::ContractError when lists do not fit together.
Page make_page(const Report& report, const std::string& made_by, const SizeLimits& limits = {});

}  // namespace eslabon::report
