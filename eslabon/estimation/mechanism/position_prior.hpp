#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "eslabon/core/random/rng.hpp"
#include "eslabon/estimation/mechanism/held_freedoms.hpp"

namespace eslabon::estimation {

/// Where positions are looked for, and how.
struct PositionPriorOptions {
  int cells = 0;           ///< into which the range of the DOFs is cut; 0: 360 for one DOF, 2500 for more
  int tries = 100;         ///< random positions in a row that must bring nothing new before the search ends
  std::uint64_t seed = 1;  ///< of the search
  double stop_depth =
      0.1;  ///< how far beyond a soft stop positions may lie [rad], lengths in the mechanism's size
};

/// Within which one degree of freedom is drawn.
struct FreedomRange {
  std::string name;
  bool is_turn = false;             ///< a whole turn: both ends are the same
  bool unwraps = false;             ///< an angle between stops, which may lie beyond half a turn
  double lower = 0.0, upper = 0.0;  ///< where it is looked for [rad] or [m]
  double reached_lower = 0.0, reached_upper = 0.0;  ///< what was found, to the width of a cell
};

/// A position and how it can move: q̇ = R ż + s.
struct DrawnPosition {
  Eigen::VectorXd q;  ///< (n) angles in (−π, π] unless a driver holds them
  Eigen::MatrixXd R;  ///< (n × f)
  Eigen::VectorXd s;  ///< (n)
};

/// Positions of a mechanism of which nothing is known: the degrees of freedom z uniform over all that can be reached, then one of the positions with
/// these z, each as likely as the others. An atlas knows where to look: the range of z is cut into cells, each with a point of every
/// sheet of positions that passes through it. Sheets are found from random positions, then followed from cell to cell until nothing is
/// new. A draw is a cell, a z in it and a point of it, from which the position at z follows; where it does not (beyond the end of a rocker's
/// swing), all points of the cell are asked, and if none answers another z is drawn. Angles turn fully or between their stops; lengths
/// lie between their stops or within the sum of the sizes of all bodies; Euler parameters that are degrees of freedom are uniform in
/// themselves. Sheets that no random try meets and reachable parts narrower than a cell can be missed.
/// What is drawn depends on the model, the time, the options and the generator alone. One per thread; draw() does not allocate.
class PositionPrior {
 public:
  /// `freedoms`: names of coordinates, in the order of z; none: those that ReducedMotion takes at the start. Throws as HeldFreedoms does.
  explicit PositionPrior(const dynamics::DynamicModel& model, const std::vector<std::string>& freedoms = {},
                         const PositionPriorOptions& options = {});

  Eigen::Index num_coordinates() const { return motion_.num_coordinates(); }  ///< n
  Eigen::Index num_freedoms() const { return motion_.num_freedoms(); }        ///< f
  const HeldFreedoms& motion() const { return motion_; }
  DrawnPosition make_position() const;

  /// The time of what follows. Where drivers move the atlas is made anew.
  void at(double t);
  /// False when nothing can be reached, or so little that many tries miss it.
  [[nodiscard]] bool draw(core::Rng& rng, DrawnPosition& out);
  /// All positions found with this z (f), as columns of q; allocates.
  Eigen::MatrixXd positions_at(const Eigen::VectorXd& z);

  const std::vector<FreedomRange>& ranges() const { return ranges_; }
  /// Most positions with the same z.
  int num_branches_seen() const { return num_branches_; }
  /// Part of the range of z whose cells have a position.
  double reached_part() const {
    return static_cast<double>(live_.size()) / static_cast<double>(cells_.size());
  }

 private:
  struct Point {
    Eigen::VectorXd q;  ///< (n)
    int side;           ///< sign of det S
  };
  struct Place {
    std::size_t cell;
    std::size_t point;
  };

  void find_ranges();
  void cut_cells();
  void build();
  /// What the atlas has found.
  void survey();
  /// False when its z are out of range.
  bool read_freedoms(const Eigen::VectorXd& q, Eigen::VectorXd& z) const;
  std::size_t cell_of(const Eigen::VectorXd& z) const;
  double lower_of_cell(std::size_t cell, Eigen::Index k) const;
  /// The next cell along degree of freedom k; false at an end of the range.
  bool neighbour(std::size_t cell, Eigen::Index k, bool is_up, std::size_t& out) const;
  /// out = the position with z on the sheet of the point.
  [[nodiscard]] bool go(const Eigen::VectorXd& from, int side, const Eigen::VectorXd& z,
                        Eigen::VectorXd& out);
  /// The point of a closed position, unless the cell has one of its sheet. True: it is new.
  bool add(const Eigen::VectorXd& q, int side);
  void flood();
  void visit(const Place& place, Eigen::Index k, bool is_up);
  void draw_guess(core::Rng& rng, Eigen::VectorXd& q) const;
  bool respects_stops(const Eigen::VectorXd& q);
  /// Positions with z from all points of the cell, into candidates_; returns how many.
  Eigen::Index find_candidates(std::size_t cell, const Eigen::VectorXd& z);

  HeldFreedoms motion_;
  PositionPriorOptions options_;
  double t_ = 0.0;
  double reach_ = 1.0;                  ///< no two points of the mechanism are farther apart [m]
  std::vector<FreedomRange> ranges_;    ///< (f)
  std::vector<std::size_t> divisions_;  ///< (f)
  std::vector<std::vector<Point>> cells_;
  std::vector<std::size_t> live_;  ///< cells with points
  std::vector<Place> waiting_;     ///< points whose neighbours have not been looked at
  int num_branches_ = 0;
  // Scratch.
  Eigen::VectorXd trial_, found_, z_, z_go_, z_from_;
  Eigen::MatrixXd candidates_;  ///< (n × most points of a cell)
  std::vector<double> zero_;
  coordinates::BodiesWorkspace bodies_workspace_;
  coordinates::MechanismMotion bodies_;
};

}  // namespace eslabon::estimation
