#include "eslabon/vehicle/suspension_rig_run.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "eslabon/core/text/error.hpp"
#include "eslabon/core/text/number_text.hpp"
#include "eslabon/runs/request_error.hpp"

namespace eslabon::vehicle {

namespace {

using Eigen::Vector3d;

constexpr double kDegree = std::numbers::pi / 180.0;
constexpr double kSteerStep = 2.5 * kDegree;   // of the wheels, from row to row
constexpr double kMostSteer = 35.0 * kDegree;  // of the wheels, where nothing else says how far
constexpr int kMostSteerSteps = 400;
constexpr double kSteers = 1e-9;     // rad per unit of the steering: below it an axle is not steered
constexpr double kGivesWay = 1e-13;  // rad or m by N or N m: less is none
constexpr LoadRange kUsualLoads{3000.0, 150.0};

/// The whole vehicle on its rig, one request.
class KcRun {
 public:
  KcRun(const model::Mechanism& mechanism, const KcRequest& request, runs::RunObserver& observer)
      : request_(request), observer_(observer), rig_(on_suspension_rig(mechanism, request.radius)) {
    result_.mechanism = mechanism.name();
    result_.request = request;
    result_.is_compliant = rig_.is_compliant();
    starts_.assign(rig_.vehicle().axles.size(), 0.0);
    for (const std::string& frame : rig_.held_frames())
      result_.notes.push_back("'" + frame + "' is held as the chassis is: the frame of a trailer.");
  }

  KcResult run() {
    look_at_design();
    if (request_.standing) start_standing();
    const std::size_t count = rig_.vehicle().axles.size();
    for (std::size_t a = 0; a < count; ++a) {
      add_axle(a);
      observer_.progress(static_cast<double>(a + 1) / static_cast<double>(count + 1));
    }
    add_steer_sweeps();
    for (LoadedSweep& one : loaded_) result_.axles[one.axle].sweeps.push_back(std::move(one.sweep));
    tell_pulling_pads();
    return std::move(result_);
  }

 private:
  /// Nothing moved, with what is imposed from the start on.
  RigSetting unmoved() const {
    RigSetting setting = rig_.no_setting();
    for (std::size_t k = 0; k < setting.travel.size(); ++k) setting.travel[k] = starts_[k / 2];
    return setting;
  }

  RigSetting loaded(std::size_t axle) const {
    RigSetting setting = unmoved();
    for (const std::size_t k : {2 * axle, 2 * axle + 1}) setting.loads[k] = request_.load;
    return setting;
  }

  /// What the whole vehicle tells: how axles lie, what steers, where its mass is.
  void look_at_design() {
    const RigSetting setting = rig_.no_setting();
    const std::size_t count = rig_.vehicle().axles.size();
    rig_.look_at(rig_.design(setting), setting);
    std::vector<Vector3d> contacts;
    for (std::size_t a = 0; a < count; ++a)
      contacts.push_back(0.5 * (rig_.place(2 * a).contact + rig_.place(2 * a + 1).contact));
    check_order(contacts);
    std::vector<double> unsteered;
    WheelRates by_steer(2 * count);
    if (rig_.vehicle().steering) by_steer = rig_.rates(setting.travel, 1.0, false);
    for (std::size_t a = 0; a < count; ++a) {
      double rate = 0.0;
      for (const std::size_t k : {2 * a, 2 * a + 1})
        rate += 0.5 * angle_rates(rig_.place(k), by_steer[k], rig_.wheel(k).side).steer;
      steer_rates_.push_back(rate);
      if (std::abs(rate) <= kSteers && !rig_.is_on_trailer(a)) unsteered.push_back(contacts[a].x());
    }
    if (!unsteered.empty()) {
      unsteered_x_ = 0.0;
      for (const double x : unsteered) *unsteered_x_ += x / static_cast<double>(unsteered.size());
    } else if (request_.wheelbase && count == 1) {
      unsteered_x_ = contacts[0].x() - *request_.wheelbase;
    }
    ratio_ = rig_.vehicle().ratio;
    double mean_turn = 0.0;
    for (const double rate : steer_rates_)
      if (std::abs(rate) > std::abs(mean_turn)) mean_turn = rate;
    if (ratio_ * mean_turn < 0.0) {
      if (request_.turns_steering)
        ratio_ = -ratio_;
      else
        result_.notes.push_back(
            "a turn of the steering wheel to the left steers to the right: 'ratio' of the steering has the "
            "wrong sign.");
    }
    result_.wheelbase = request_.wheelbase;
    if (!result_.wheelbase && count == 2) result_.wheelbase = contacts[0].x() - contacts[1].x();
    result_.mass_center_height = request_.mass_center_height;
    const Vector3d center = rig_.mass_center();
    if (count == 2 && rig_.held_frames().empty() && contacts[0].x() > contacts[1].x()) {
      const double part = (center.x() - contacts[1].x()) / (contacts[0].x() - contacts[1].x());
      axle_weights_ = {part * rig_.weight(), (1.0 - part) * rig_.weight()};
    }
    if (!result_.mass_center_height && count == 2 && result_.wheelbase && *result_.wheelbase > 0.0) {
      const double part = (contacts[0].x() - center.x()) / (contacts[0].x() - contacts[1].x());
      result_.mass_center_height =
          center.z() - (contacts[0].z() + part * (contacts[1].z() - contacts[0].z()));
    }
  }

  /// Signs of most figures rest on what is left and what is in front.
  void check_order(const std::vector<Vector3d>& contacts) const {
    const auto fail = [&](const char* what, const char* expected, std::size_t a, double first,
                          double second) {
      throw core::ModelError(
          {.what = what,
           .where = "mechanism '" + result_.mechanism + "', vehicle, " + rig_.vehicle().axles[a].name,
           .expected = expected,
           .actual = core::rounded_text(first, 4) + " m and " + core::rounded_text(second, 4) + " m",
           .next = "Write them in order; x of the chassis is forward, y to the left."});
    };
    for (std::size_t a = 0; a < contacts.size(); ++a) {
      const double left = rig_.place(2 * a).contact.y(), right = rig_.place(2 * a + 1).contact.y();
      if (left <= right)
        fail("left and right of an axle are swapped", "y of its left wheel above that of its right one", a,
             left, right);
      if (a > 0 && contacts[a].x() >= contacts[a - 1].x())
        fail("axles are not listed from front to rear", "x below that of the axle before", a, contacts[a].x(),
             contacts[a - 1].x());
    }
  }

  void add_axle(std::size_t a) {
    const RigAxle& axle = rig_.vehicle().axles[a];
    KcAxle out{.name = axle.name,
               .tyres = {axle.wheels[0].name, axle.wheels[1].name},
               .is_steered = std::abs(steer_rates_[a]) > kSteers,
               .has_travel = rig_.has_travel(2 * a) || rig_.has_travel(2 * a + 1),
               .columns = {},
               .figures = {},
               .locks = {},
               .sweeps = {},
               .compliances = {},
               .standing = {}};
    RigSetting setting = loaded(a);
    const RigPoint design = rig_.design(setting);
    rig_.look_at(design, setting);
    start_places_ = {rig_.place(2 * a), rig_.place(2 * a + 1)};
    Figures figures;
    add_figures(a, KcSweep::Kind::kTravel, out.is_steered, figures);
    if (out.is_steered) add_steering_ratio(a, figures);
    out.columns = figures.columns();
    out.figures = figures.values();
    if (result_.is_compliant) add_compliances(a, out);
    if (!out.has_travel) {
      result_.notes.push_back(axle.name + " is mounted rigidly to the chassis: its wheels have no travel.");
    } else {
      out.sweeps.push_back(height_sweep(a, KcSweep::Kind::kTravel, design, out.is_steered));
      if (has_roll(a)) out.sweeps.push_back(height_sweep(a, KcSweep::Kind::kRoll, design, out.is_steered));
    }
    if (!out.compliances.empty() || request_.force || request_.torque) add_load_sweeps(a, out);
    add_standing(a, out);
    result_.axles.push_back(std::move(out));
  }

  bool has_roll(std::size_t a) const { return rig_.has_travel(2 * a) && rig_.has_travel(2 * a + 1); }
  bool has_height(std::size_t a) const { return rig_.has_travel(2 * a) || rig_.has_travel(2 * a + 1); }

  /// Rates for both heights of an axle, `other`: 1 or −1 for the right one.
  WheelRates rates_with(std::size_t a, double other) {
    std::vector<double> travel(rig_.num_wheels(), 0.0);
    travel[2 * a] = 1.0;
    travel[2 * a + 1] = other;
    return rig_.rates(travel, 0.0, true);
  }

  /// What is told of the axle in the position that the rig looks at.
  void add_figures(std::size_t a, KcSweep::Kind kind, bool is_steered, Figures& out) {
    const std::array<std::size_t, 2> wheels{2 * a, 2 * a + 1};
    const std::array<WheelPlace, 2> places{rig_.place(wheels[0]), rig_.place(wheels[1])};
    const bool moves = kind != KcSweep::Kind::kSteer && has_height(a);
    const bool rolls = kind == KcSweep::Kind::kRoll;
    WheelRates same, opposite;
    if (moves) same = rates_with(a, 1.0);
    if (moves && has_roll(a)) opposite = rates_with(a, -1.0);
    std::optional<WheelRates> steering;
    if (is_steered) steering = rig_.steer_with_locked_springs();
    for (std::size_t end = 0; end < 2; ++end) {
      const std::size_t k = wheels[end];
      const double side = rig_.wheel(k).side;
      const WheelPlace& place = places[end];
      const auto add = [&](const char* name, const char* unit, double value) {
        out.add(side_name(end) + std::string(name), unit, value);
      };
      const WheelAngles angles = wheel_angles(place, side);
      if (is_steered) add("steer", "rad", angles.steer);
      add("toe", "rad", angles.toe);
      add("camber", "rad", angles.camber);
      const auto axis = steering ? steer_axis(place, (*steering)[k], side) : std::nullopt;
      if (axis) {
        add("caster", "rad", axis->caster);
        add("kingpin", "rad", axis->inclination);
        add("scrub", "m", axis->scrub);
        add("trail", "m", axis->trail);
        add("center_scrub", "m", axis->center_scrub);
        add("center_trail", "m", axis->center_trail);
      }
      add("x", "m", place.contact.x() - start_places_[end].contact.x());
      add("y", "m", place.contact.y() - start_places_[end].contact.y());
      if (has_height(a)) add("load", "N", rig_.wheel_load(k));
      if (!moves) continue;
      // In roll the right wheel goes down as the left one goes up.
      WheelRate rate = rolls ? opposite[k] : same[k];
      if (rolls && end == 1) rate = {-rate.v, -rate.w, -rate.load};
      const WheelAngles changes = angle_rates(place, rate, side);
      add("toe_rate", "rad/m", changes.toe);
      add("camber_rate", "rad/m", changes.camber);
      const SwingArms arms = swing_arms(place, rate, side);
      add("front_arm", "m", arms.front);
      add("side_arm", "m", arms.side);
      add("wheel_rate", "N/m", rate.load);
      const TyreUnderLoad tyre = tyres_under_load(rig_, k, rig_.wheel_load(k));
      add("ride_rate", "N/m", rate.load * tyre.stiffness / (rate.load + tyre.stiffness));
      add("tyre_deflection", "m", tyre.deflection);
      const SupportSlopes slopes = support_slopes(place, rate);
      add("brake_angle", "rad", std::atan(slopes.contact));
      add("drive_angle", "rad", std::atan(slopes.center));
    }
    out.add("track", "m", places[0].contact.y() - places[1].contact.y());
    if (moves && has_roll(a))
      out.add("roll_center", "m", roll_center_height(places, single_rates(a, same, opposite)));
    if (moves && has_roll(a)) add_roll_rates(a, places, opposite, out);
    if (moves) add_support(a, places, same, out);
  }

  std::array<std::array<WheelRate, 2>, 2> single_rates(std::size_t a, const WheelRates& same,
                                                       const WheelRates& opposite) const {
    std::array<std::array<WheelRate, 2>, 2> out;
    for (std::size_t end = 0; end < 2; ++end) {
      const WheelRate &s = same[2 * a + end], &o = opposite[2 * a + end];
      out[0][end] = {0.5 * (s.v + o.v), 0.5 * (s.w + o.w), 0.5 * (s.load + o.load)};
      out[1][end] = {0.5 * (s.v - o.v), 0.5 * (s.w - o.w), 0.5 * (s.load - o.load)};
    }
    return out;
  }

  double stiffness_of_tyres(std::size_t k) const {
    return tyres_under_load(rig_, k, rig_.wheel_load(k)).stiffness;
  }

  /// Anti-dive, anti-lift and anti-squat: the part of the load transfer that the links carry, by slopes of (12) and shares p,
  ///   braking  ± p tan θ_b l/h (front +),   driving  ± p tan θ_d l/h; of a live axle θ_b                       (18)
  void add_support(std::size_t a, const std::array<WheelPlace, 2>& places, const WheelRates& same,
                   Figures& out) {
    if (!result_.wheelbase || !result_.mass_center_height || !(*result_.mass_center_height > 0.0)) return;
    const RigAxle& axle = rig_.vehicle().axles[a];
    double contact = 0.0, center = 0.0;
    for (std::size_t end = 0; end < 2; ++end) {
      const SupportSlopes slopes = support_slopes(places[end], same[2 * a + end]);
      contact += 0.5 * slopes.contact;
      center += 0.5 * slopes.center;
    }
    const double lever = (a == 0 ? 1.0 : -1.0) * *result_.wheelbase / *result_.mass_center_height;
    if (axle.brake > 0.0)
      out.add(a == 0 ? "anti_dive" : "anti_lift_braking", "1", axle.brake * contact * lever);
    if (axle.drive > 0.0)
      out.add(a == 0 ? "anti_lift_driving" : "anti_squat", "1",
              axle.drive * (axle.is_live() ? contact : center) * lever);
  }

  /// Of the axle: roll moment about the middle of the contact points by the angle of the line through them,
  ///   K = Σ y_i dF_i / dφ,   with tyres  1/(1/K + 2/(k_t T²))                                                  (19)
  void add_roll_rates(std::size_t a, const std::array<WheelPlace, 2>& places, const WheelRates& rates,
                      Figures& out) {
    const double track = places[0].contact.y() - places[1].contact.y();
    const double turn =
        (rates[2 * a].contact_rate(places[0]).z() - rates[2 * a + 1].contact_rate(places[1]).z()) / track;
    const double rate = 0.5 * track * (rates[2 * a].load - rates[2 * a + 1].load) / turn;
    const double tyres =
        0.5 * track * track * 0.5 * (stiffness_of_tyres(2 * a) + stiffness_of_tyres(2 * a + 1));
    out.add("roll_rate", "N*m/rad", rate);
    out.add("total_roll_rate", "N*m/rad", rate * tyres / (rate + tyres));
  }

  /// Turn of the steering wheel by the mean turn of the wheels.
  void add_steering_ratio(std::size_t a, Figures& out) {
    const WheelRates rates = rig_.rates(std::vector<double>(rig_.num_wheels(), 0.0), 1.0, false);
    double mean = 0.0;
    for (const std::size_t k : {2 * a, 2 * a + 1})
      mean += 0.5 * angle_rates(rig_.place(k), rates[k], rig_.wheel(k).side).steer;
    out.add("steering_ratio", "1", ratio_ / mean);
  }

  void add_compliances(std::size_t a, KcAxle& out) {
    for (const UnitLoad load :
         {UnitLoad::kLateral, UnitLoad::kBraking, UnitLoad::kDriving, UnitLoad::kAligning}) {
      const WheelRates left = rig_.compliance(2 * a, load), right = rig_.compliance(2 * a + 1, load);
      for (const bool is_opposite : {false, true}) {
        KcCompliance one{.load = load, .is_opposite = is_opposite};
        for (std::size_t end = 0; end < 2; ++end) {
          const std::size_t k = 2 * a + end;
          const double other = is_opposite ? -1.0 : 1.0;
          const WheelRate sum{left[k].v + other * right[k].v, left[k].w + other * right[k].w,
                              left[k].load + other * right[k].load};
          const WheelAngles angles = angle_rates(rig_.place(k), sum, rig_.wheel(k).side);
          one.toe[end] = angles.toe;
          one.camber[end] = angles.camber;
          one.along[end] = sum.v.x();
          one.across[end] = sum.v.y();
        }
        out.compliances.push_back(one);
      }
    }
    const auto gives_way = [](const KcCompliance& one) {
      double most = 0.0;
      for (std::size_t end = 0; end < 2; ++end)
        most = std::max({most, std::abs(one.toe[end]), std::abs(one.camber[end]), std::abs(one.along[end]),
                         std::abs(one.across[end])});
      return most > kGivesWay;
    };
    if (std::ranges::none_of(out.compliances, gives_way)) out.compliances.clear();
  }

  void add_load_sweeps(std::size_t a, KcAxle& out) {
    const LoadRange range{request_.force.value_or(kUsualLoads.force),
                          request_.torque.value_or(kUsualLoads.torque)};
    for (KcSweep& sweep : load_sweeps(rig_, a, loaded(a), out.is_steered, range)) {
      for (const std::string& end : sweep.ends) result_.notes.push_back(end);
      loaded_.push_back({a, std::move(sweep)});
    }
  }

  /// Of two axles, by the moments of the weight about them.
  void add_standing(std::size_t a, KcAxle& out) {
    if (axle_weights_.empty() || !has_roll(a) || !(axle_weights_[a] > 0.0)) return;
    out.standing = find_standing(rig_, a, loaded(a), 0.5 * axle_weights_[a]);
    if (!out.standing)
      result_.notes.push_back(out.name + " does not carry its part of the weight, " +
                              core::rounded_text(axle_weights_[a], 4) + " N, at any travel.");
  }

  /// Throws runs::RequestError where the vehicle does not tell it.
  void start_standing() {
    for (std::size_t a = 0; a < starts_.size(); ++a) {
      std::optional<Standing> standing;
      if (!axle_weights_.empty() && has_roll(a) && axle_weights_[a] > 0.0)
        standing = find_standing(rig_, a, rig_.no_setting(), 0.5 * axle_weights_[a]);
      if (!standing)
        throw runs::RequestError(
            {.what = "it is not known where the axle stands",
             .where = runs::field("standing"),
             .expected = "a vehicle with two axles whose wheels have travel, without a trailer",
             .actual = rig_.vehicle().axles[a].name + " of '" + result_.mechanism + "'",
             .next = "Leave it out: the rig then starts where the vehicle is drawn."});
      starts_[a] = standing->travel;
    }
  }

  /// Wheels that the pads of the bench hold down.
  void tell_pulling_pads() {
    for (const KcAxle& axle : result_.axles)
      if (std::ranges::any_of(axle.sweeps, [](const KcSweep& sweep) {
            for (const char* load : {"left.load", "right.load"})
              if (const auto values = sweep.find(load); values && std::ranges::min(*values) < 0.0)
                return true;
            return false;
          }))
        result_.notes.push_back(axle.name +
                                ": wheel loads are negative in some rows, where pads hold the wheels down.");
  }

  KcSweep height_sweep(std::size_t a, KcSweep::Kind kind, const RigPoint& design, bool is_steered) {
    const bool is_roll = kind == KcSweep::Kind::kRoll;
    const auto setting = [&](double z) {
      RigSetting out = loaded(a);
      out.travel[2 * a] += z;
      out.travel[2 * a + 1] += is_roll ? -z : z;
      return out;
    };
    const auto teller = [&](KcSweep& sweep) {
      return [&, this](double z) {
        Figures row;
        row.add("travel", "m", z);
        const std::array<WheelPlace, 2> places{rig_.place(2 * a), rig_.place(2 * a + 1)};
        if (is_roll)
          row.add("roll", "rad",
                  std::atan2(places[0].contact.z() - places[1].contact.z() - start_places_[0].contact.z() +
                                 start_places_[1].contact.z(),
                             places[0].contact.y() - places[1].contact.y()));
        add_figures(a, kind, is_steered, row);
        add_row(rig_, row, sweep);
        return true;
      };
    };
    KcSweep up{.kind = kind}, down{.kind = kind};
    rig_.look_at(design, setting(0.0));
    teller(up)(0.0);
    const std::string what = rig_.vehicle().axles[a].name + ", " + name_of(kind);
    follow(rig_, design, steps_to(request_.travel, request_.travel_step),
           {setting, teller(up), what, "mm", 1e3}, up);
    follow(rig_, design, steps_to(-request_.travel, request_.travel_step),
           {setting, teller(down), what, "mm", 1e3}, down);
    join(down, up);
    for (const std::string& end : up.ends) result_.notes.push_back(end);
    return up;
  }

  /// The steering turns once for all axles that it steers.
  void add_steer_sweeps() {
    if (!rig_.vehicle().steering) return;
    const auto most = std::ranges::max_element(steer_rates_, {}, [](double rate) { return std::abs(rate); });
    const double fastest = std::abs(*most);
    if (fastest <= kSteers) {
      result_.notes.push_back("the steering turns no wheel.");
      return;
    }
    const auto lead = static_cast<std::size_t>(most - steer_rates_.begin());
    const double ratio = ratio_;
    const model::Variable& steered = *rig_.vehicle().steering;
    const auto setting = [&](double turn) {  // of the steering wheel
      RigSetting out = unmoved();
      for (std::size_t a = 0; a < steer_rates_.size(); ++a)
        if (std::abs(steer_rates_[a]) > kSteers)
          for (const std::size_t k : {2 * a, 2 * a + 1}) out.loads[k] = request_.load;
      out.steer = turn / ratio;
      return out;
    };
    const bool steers_along = model::dimension(rig_.model().mechanism(), steered) == core::kLength;
    const RigPoint design = rig_.design(setting(0.0));
    std::vector<KcSweep> ups, downs;
    for (std::size_t a = 0; a < steer_rates_.size(); ++a) {
      ups.push_back({.kind = KcSweep::Kind::kSteer});
      downs.push_back({.kind = KcSweep::Kind::kSteer});
    }
    const auto teller = [&](std::vector<KcSweep>& sweeps) {
      return [&, this](double turn) {
        double mean = 0.0;
        for (std::size_t a = 0; a < steer_rates_.size(); ++a) {
          if (std::abs(steer_rates_[a]) <= kSteers) continue;
          const std::array<WheelPlace, 2> places{rig_.place(2 * a), rig_.place(2 * a + 1)};
          Figures row;
          row.add("steering_wheel", "rad", turn);
          row.add("steering", steers_along ? "m" : "rad", turn / ratio);
          add_steering_ratio(a, row);
          if (unsteered_x_) {
            const SteerGeometry geometry = steer_geometry(places, *unsteered_x_);
            row.add("ackermann_error", "rad", geometry.error);
            row.add("curvature", "1/m", geometry.curvature);
            result_.axles[a].locks[turn > 0.0 ? 1 : 0] = geometry;
          }
          start_places_ = steer_starts_[a];
          add_figures(a, KcSweep::Kind::kSteer, true, row);
          add_row(rig_, row, sweeps[a]);
          if (a == lead)
            mean = 0.5 * std::abs(wheel_angles(places[0], 1.0).steer + wheel_angles(places[1], -1.0).steer);
        }
        return request_.steer.has_value() || mean < kMostSteer;
      };
    };
    rig_.look_at(design, setting(0.0));
    for (std::size_t a = 0; a < steer_rates_.size(); ++a)
      steer_starts_.push_back({rig_.place(2 * a), rig_.place(2 * a + 1)});
    teller(ups)(0.0);
    const double step = kSteerStep * std::abs(ratio) / fastest;
    const double last = request_.steer ? *request_.steer : kMostSteerSteps * step;
    const double equal = last / std::max(1.0, std::ceil(last / step - 1e-9));
    follow(rig_, design, steps_to(last, equal), {setting, teller(ups), "steering", "deg", 1.0 / kDegree},
           ups[lead]);
    follow(rig_, design, steps_to(-last, equal), {setting, teller(downs), "steering", "deg", 1.0 / kDegree},
           downs[lead]);
    for (std::size_t a = 0; a < steer_rates_.size(); ++a) {
      if (ups[a].rows.empty()) continue;
      join(downs[a], ups[a]);
      for (const std::string& end : ups[a].ends) result_.notes.push_back(end);
      result_.axles[a].sweeps.push_back(std::move(ups[a]));
    }
  }

  KcRequest request_;
  runs::RunObserver& observer_;
  SuspensionRig rig_;
  KcResult result_;
  std::vector<double> steer_rates_;    ///< (axles) mean steer angle by the steering coordinate
  double ratio_ = 1.0;                 ///< of the steering
  std::optional<double> unsteered_x_;  ///< where the axles stand that do not steer
  std::vector<double> starts_;         ///< (axles) travel where nothing is moved [m]
  std::vector<double> axle_weights_;   ///< (axles) [N]; none where moments do not tell them
  struct LoadedSweep {
    std::size_t axle;
    KcSweep sweep;
  };
  std::vector<LoadedSweep> loaded_;  ///< told after those of the steering
  std::array<WheelPlace, 2> start_places_;
  std::vector<std::array<WheelPlace, 2>> steer_starts_;  ///< (axles)
};

void require_positive(const char* field_name, std::optional<double> value, const char* what,
                      const char* example) {
  if (!value || (std::isfinite(*value) && *value > 0.0)) return;
  throw runs::RequestError({.what = std::string(what) + " is out of range",
                            .where = runs::field(field_name),
                            .expected = "a number above 0",
                            .actual = runs::quoted_number(*value),
                            .next = "Write, for example, " + runs::field(field_name) + " " + example + "."});
}

}  // namespace

void check(const KcRequest& request) {
  require_positive("travel", request.travel, "the travel of the wheels", "'80 mm'");
  require_positive("travel_step", request.travel_step, "the step of the travel", "'5 mm'");
  require_positive("steer", request.steer, "the turn of the steering wheel", "'360 deg'");
  require_positive("force", request.force, "the range of forces", "'3 kN'");
  require_positive("torque", request.torque, "the range of torques", "'150 N*m'");
  require_positive("radius", request.radius, "the radius of the tyres", "'310 mm'");
  require_positive("wheelbase", request.wheelbase, "the wheelbase", "'2.7 m'");
  require_positive("mass_center_height", request.mass_center_height, "the height of the mass centre",
                   "'0.55 m'");
  constexpr int kMostRows = 2000;
  if (request.travel / request.travel_step > kMostRows)
    throw runs::RequestError(
        {.what = "a sweep has too many rows",
         .where = runs::field("travel_step"),
         .expected = "at most " + std::to_string(kMostRows) + " steps up and as many down",
         .actual = core::rounded_text(request.travel / request.travel_step),
         .next = "Take a longer step."});
}

std::optional<double> KcAxle::find(const std::string& figure) const {
  const auto column = std::ranges::find(columns, figure, &core::Column::name);
  if (column == columns.end()) return std::nullopt;
  return figures[static_cast<std::size_t>(column - columns.begin())];
}

const char* name_of(UnitLoad load) {
  switch (load) {
    case UnitLoad::kLateral:
      return "lateral";
    case UnitLoad::kBraking:
      return "braking";
    case UnitLoad::kDriving:
      return "driving";
    case UnitLoad::kAligning:
      return "aligning";
  }
  return "";
}

KcResult run_suspension_rig(const model::Mechanism& mechanism, const KcRequest& request,
                            runs::RunObserver& observer) {
  check(request);
  return KcRun(mechanism, request, observer).run();
}

}  // namespace eslabon::vehicle
