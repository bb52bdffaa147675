#include <array>
#include <numbers>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <Eigen/Core>

#include "eslabon/core/text/error.hpp"
#include "eslabon/model/families/family_entry.hpp"
#include "eslabon/model/mechanism_builder.hpp"

// The suspension of a truck with one to five axles, [Seed001, §3.2.2]. Geometry: Cuadros 3.15–3.27; which of
// the printed numbers the solver there uses: Cuadros 3.28–3.58. Lengths in m, z up, axles along y.
//
// Every axle is the same mechanism of twelve bodies (seed numbers 2 … 13) that shares nothing with the others
// but the chassis (1). Comments give the seed's numbers: P8 a point, V9 a vector, 2-4 the joint of bodies 2
// and 4. What we read differently from the print, and why, is in docs/families.md.
namespace eslabon::model::detail {

namespace {

using Eigen::Vector3d;

/// Where an axle stands and how fast its wheels rise.
struct Axle {
  int number;
  double y;           ///< distEje, Cuadro 3.16 [m]
  bool is_turned;     ///< mult = −1: half a turn about z
  double left_rise;   ///< speed of P15, Cuadro 4.1 read as m/s
  double right_rise;  ///< speed of P16, Cuadro 4.1 read as m/s
};
constexpr std::array<Axle, 5> kAxles{{
    {1, 0.0, false, 0.0, 0.01},
    {2, 4.640, false, 0.0, 0.006},
    {3, 6.660, true, 0.008, 0.0},
    {4, 11.73465, false, 0.0, 0.009},
    {5, 13.73465, true, 0.01, 0.005},
}};

/// A row of the listing's global columns: (mult·x, y + distEje + correction, z), the correction (one of cte1
/// … cte6) on turned axles only. A true half turn has correction = −2 y; where it is not, the axles differ a
/// little.
struct ListedPoint {
  double x;
  double y;
  double correction;
  double z;

  Vector3d on(const Axle& axle) const {
    return {axle.is_turned ? -x : x, y + axle.y + (axle.is_turned ? correction : 0.0), z};
  }
};
constexpr ListedPoint kUpperArmPivot{0.0, 0.889, -2 * 0.889, 0.265};  // P1, fixed
constexpr ListedPoint kAxleStart{0.0, 0.0, 0.0, 0.265};               // P14, start

/// What differs between the two sides beyond the sign of x. Seed numbers: left / right.
struct Side {
  std::string_view word;
  double sign;              ///< of x in the axle's own frame
  ListedPoint lower_pivot;  ///< P2 / P3, fixed
  ListedPoint strut_top;    ///< P4 / P5, fixed
  ListedPoint drop_top;     ///< P6 / P7, fixed
  ListedPoint strut_foot;   ///< P10 / P11, start
  ListedPoint bar_end;      ///< P17 / P18, start
};
constexpr std::array<Side, 2> kSides{{
    {"left",
     1.0,
     {0.76, 0.917, -2 * 0.917, 0.0},
     {0.7343, 0.003, 2 * 0.0004, 0.5539},
     {0.819, -0.833, 2 * 0.833, 0.261},
     {0.7343, 0.0004, 2 * 0.0004, 0.114},
     {0.819, -0.833, 2 * 0.833, -0.160}},
    {"right",
     -1.0,
     {-0.76, 0.917, -2 * 0.917, 0.0},
     {-0.7373, 0.0003, 2 * 0.0004, 0.5539},
     {-0.819, -0.833, 2 * 0.833, 0.261},
     {-0.739, 0.0, 2 * 0.0004, 0.114},
     {-0.819, -0.833, 2 * 0.833, -0.160}},
}};

/// A row of the listing's local columns: a point of a body in its own axes, left side. On the right x has the
/// other sign.
struct LocalPoint {
  double x;
  double y;
  double z;

  Vector3d on(const Side& side) const { return {side.sign * x, y, z}; }
};
constexpr LocalPoint kLowerArmSeat{0.758, 0.131, -0.265};  // P8, from P14 in body 2
constexpr LocalPoint kStrutSeat{0.7373, -0.0004, -0.134};  // P10
constexpr LocalPoint kBarSeat{0.6246, -0.4727, -0.4133};   // P12
constexpr double kHalfTrack = 1.202;                       // x of P15
constexpr double kWheelHeight = -0.265;                    // z of P15
constexpr LocalPoint kBarToAxle{-0.199, 0.3606, 0.00003};  // P12 from P17 in body 6: coef68, Cuadro 3.23
constexpr double kUpperArmLength = 0.889;                  // P1 to P14
constexpr double kLowerArmLength = 0.8;                    // P2 to P8
constexpr double kDropLength = 0.419;                      // P6 to P17

/// What a user may give; otherwise the listing's.
struct Settings {
  double upper_arm;    ///< P1 to P14 [m]
  double lower_arm;    ///< P2 to P8 [m]
  double drop;         ///< P6 to P17 [m]
  double half_track;   ///< P14 to P15, along the axle [m]
  double axle_mass;    ///< [kg]
  double spring;       ///< of each strut [N/m]
  double damping;      ///< of each strut [N s/m]
  double free_length;  ///< of the strut's spring, from P4 to P10 [m]

  LocalPoint wheel_center() const { return {half_track, 0.0, kWheelHeight}; }  // P15
};

/// Names of the parts of one axle: "axle_3", "drop_left_3".
class Names {
 public:
  explicit Names(const Axle& axle) : number_(std::to_string(axle.number)) {}
  std::string operator()(std::string_view part) const { return std::string(part) + "_" + number_; }
  std::string operator()(std::string_view part, const Side& side) const {
    return std::string(part) + "_" + std::string(side.word) + "_" + number_;
  }

 private:
  std::string number_;
};

std::string sided(std::string_view word, const Side& side) {
  return std::string(word) + "_" + std::string(side.word);
}

void add_chassis_points(MechanismBuilder& builder, const Axle& axle) {
  const Names name(axle);
  const double mult = axle.is_turned ? -1.0 : 1.0;
  // P1 with V1 as its z. A frame, not a point, so that the joint's coordinate is near 0 on turned axles too.
  builder.add_ground_frame({.name = name("upper_arm"),
                            .p_BF_B = kUpperArmPivot.on(axle),
                            .x_B = mult * Vector3d::UnitY(),
                            .z_B = mult * Vector3d::UnitX()});
  for (const Side& side : kSides) {
    builder.add_ground_point(name("lower_arm", side), side.lower_pivot.on(axle));  // P2, P3
    builder.add_ground_point(name("strut", side), side.strut_top.on(axle));        // P4, P5
    builder.add_ground_point(name("drop", side), side.drop_top.on(axle));          // P6, P7
  }
}

// Masses and shapes are ours: the source gives none. Solid shapes, so that no moment of inertia is zero.
constexpr double kAxleMass = 700.0;  // beam, hubs and wheels [kg]
constexpr double kUpperArmMass = 20.0;
constexpr double kLowerArmMass = 18.0;
constexpr double kBarHalfMass = 12.0;
constexpr double kDropMass = 2.0;
constexpr double kTubeMass = 10.0;
constexpr double kRodMass = 6.0;

/// A round bar from the origin of its body to the point `end`.
Cylinder round_bar(double radius, const Vector3d& end) {
  return {.radius = radius, .length = end.norm(), .p_BC_B = 0.5 * end, .axis_B = end.normalized()};
}

/// A tyre of 315/80 R 22.5, to be drawn.
Cylinder tyre(const Settings& settings, const Side& side) {
  return {.radius = 0.54,
          .length = 0.31,
          .p_BC_B = settings.wheel_center().on(side),
          .axis_B = Vector3d::UnitX()};
}

void add_axle_body(MechanismBuilder& builder, const Settings& settings, const Axle& axle) {
  std::vector<NamedPoint> points{{"upper_arm", Vector3d::Zero()}};  // P14
  for (const Side& side : kSides) {
    points.push_back({sided("lower_arm", side), kLowerArmSeat.on(side)});        // P8, P9
    points.push_back({sided("strut", side), kStrutSeat.on(side)});               // P10, P11
    points.push_back({sided("bar", side), kBarSeat.on(side)});                   // P12, P13
    points.push_back({sided("wheel", side), settings.wheel_center().on(side)});  // P15, P16
  }
  builder.add_body(
      {.name = Names(axle)("axle"),  // 2
       .mass = settings.axle_mass,
       .shape = Box{.size = {2.0 * settings.half_track, 0.4, 0.4}, .p_BC_B = {0.0, 0.0, kWheelHeight}},
       .points = std::move(points),
       .visuals = {tyre(settings, kSides[0]), tyre(settings, kSides[1])}});
}

/// Two rails along all axles, above the beams and inside of the struts.
void add_chassis_visuals(MechanismBuilder& builder, int axles) {
  constexpr double kOverhang = 1.3, kWidth = 0.09, kHeight = 0.25, kAside = 0.42, kUp = 0.45;  // [m]
  const double rear = kAxles[static_cast<std::size_t>(axles - 1)].y;
  for (const Side& side : kSides)
    builder.add_ground_visual(Box{.size = {kWidth, rear + 2.0 * kOverhang, kHeight},
                                  .p_BC_B = {side.sign * kAside, 0.5 * rear, kUp}});
}

void add_side_bodies(MechanismBuilder& builder, const Settings& settings, const Axle& axle,
                     const Side& side) {
  const Names name(axle);
  const Vector3d arm_end(0.0, -settings.lower_arm, 0.0);
  const Vector3d bar_seat = kBarToAxle.on(side);
  const Vector3d drop_end(0.0, 0.0, -settings.drop);
  builder.add_body({.name = name("lower_arm", side),  // 4, 5
                    .mass = kLowerArmMass,
                    .shape = round_bar(0.03, arm_end),
                    .points = {{"chassis", Vector3d::Zero()}, {"axle", arm_end}}});  // P2, P8 / P3, P9
  builder.add_body({.name = name("bar", side),                                       // 6, 7
                    .mass = kBarHalfMass,
                    .shape = round_bar(0.025, bar_seat),
                    .points = {{"drop", Vector3d::Zero()}, {"axle", bar_seat}}});  // P17, P12 / P18, P13
  builder.add_body({.name = name("drop", side),                                    // 8, 9
                    .mass = kDropMass,
                    .shape = round_bar(0.012, drop_end),
                    .points = {{"chassis", Vector3d::Zero()}, {"bar", drop_end}}});  // P6, P17 / P7, P18
  builder.add_body({.name = name("strut_rod", side),                                 // 10, 12
                    .mass = kRodMass,
                    .shape = round_bar(0.03, {0.0, 0.0, 0.25}),
                    .points = {{"axle", Vector3d::Zero()}}});  // P10 / P11
  builder.add_body({.name = name("strut_tube", side),          // 11, 13
                    .mass = kTubeMass,
                    .shape = round_bar(0.05, {0.0, 0.0, -0.3}),
                    .points = {{"chassis", Vector3d::Zero()}}});  // P4 / P5
}

void add_bodies(MechanismBuilder& builder, const Settings& settings, const Axle& axle) {
  const Vector3d arm_end(0.0, -settings.upper_arm, 0.0);
  add_axle_body(builder, settings, axle);
  builder.add_body({.name = Names(axle)("upper_arm"),  // 3
                    .mass = kUpperArmMass,
                    .shape = round_bar(0.03, arm_end),
                    .points = {{"axle", arm_end}},  // P14
                    .frames = {{.name = "chassis",  // P1
                                .x_B = Vector3d::UnitY(),
                                .z_B = Vector3d::UnitX()}}});
  for (const Side& side : kSides) add_side_bodies(builder, settings, axle, side);
}

// A universal joint keeps an axis of its first body perpendicular to one of its second. That is the one row
// that the seed adds to the shared point for each of its cardans: Cuadros 3.31 (2-4, 2-5), 3.40 (7-9, 6-8)
// and 3.45 (12-2, 10-2).
void add_side_joints(MechanismBuilder& builder, const Axle& axle, const Side& side) {
  const Names name(axle);
  const std::string beam = name("axle") + ".";
  const std::string arm = name("lower_arm", side);
  const std::string bar = name("bar", side);
  const std::string drop = name("drop", side);
  const std::string rod = name("strut_rod", side);
  const std::string tube = name("strut_tube", side);
  const Vector3d x = Vector3d::UnitX(), y = Vector3d::UnitY(), z = Vector3d::UnitZ(), down = -z;

  builder.add_joint({name("lower_arm_ball", side), JointType::kSpherical,  // 1-4, 1-5
                     "ground." + name("lower_arm", side), arm + ".chassis"});
  builder.add_joint({name("lower_arm_cross", side), JointType::kUniversal,  // 2-4, 2-5: V9 ⟂ V4, V6
                     beam + sided("lower_arm", side), arm + ".axle", AxisPair{x, z}});
  builder.add_joint({name("bar_pivot", side), JointType::kRevolute,  // 2-6, 2-7: about V9
                     beam + sided("bar", side), bar + ".axle", AxisPair{x, x}});
  builder.add_joint({name("bar_cross", side), JointType::kUniversal,  // 6-8, 7-9: V9 ⟂ V20, V23
                     bar + ".drop", drop + ".bar", AxisPair{x, y}});
  builder.add_joint({name("drop_ball", side), JointType::kSpherical,  // 8-1, 9-1
                     "ground." + name("drop", side), drop + ".chassis"});
  builder.add_joint({name("strut_ball", side), JointType::kSpherical,  // 11-1, 13-1
                     "ground." + name("strut", side), tube + ".chassis"});
  // 10-11, 12-13: along V11, V16. The axis points down, so that q is the distance from P4 to P10 (P5 to P11).
  builder.add_joint({name("strut_slide", side), JointType::kPrismatic, tube + ".chassis", rod + ".axle",
                     AxisPair{down, down}});
  // 10-2, 12-2: V8 ⟂ V13, V18. With −x the rotations start near 0 and −π/2, with x one would start at ±π.
  builder.add_joint({name("strut_cross", side), JointType::kUniversal, beam + sided("strut", side),
                     rod + ".axle", AxisPair{y, -x}});
}

void add_joints(MechanismBuilder& builder, const Axle& axle) {
  const Names name(axle);
  builder.add_joint({name("upper_arm_pivot"), JointType::kRevolute,  // 1-3: about V1
                     "ground." + name("upper_arm"), name("upper_arm") + ".chassis"});
  builder.add_joint({name("upper_arm_ball"), JointType::kSpherical,  // 2-3
                     name("axle") + ".upper_arm", name("upper_arm") + ".axle"});
  for (const Side& side : kSides) add_side_joints(builder, axle, side);
}

/// A spring and damper in each strut, where a stiffness or damping is given: the source has none.
void add_springs(MechanismBuilder& builder, const Settings& settings, const Axle& axle) {
  if (settings.spring == 0.0 && settings.damping == 0.0) return;
  const Names name(axle);
  for (const Side& side : kSides)
    builder.add_spring({.name = name("spring", side),
                        .connection = name("strut_slide", side) + ".q",
                        .stiffness = settings.spring,
                        .free_length = settings.free_length,
                        .damping = settings.damping});
}

std::string rise_key(const Axle& axle, const Side& side) {
  return sided("rise", side) + "_" + std::to_string(axle.number);
}

void add_drivers(MechanismBuilder& builder, const FamilyValues& values, const Axle& axle) {
  for (const Side& side : kSides) {
    const double rise = values.real(rise_key(axle, side));
    builder.add_driver({.name = Names(axle)("wheel", side),  // Z15, Z16
                        .target = Names(axle)("axle") + "." + sided("wheel", side) + ".z",
                        .level = DriverLevel::kSpeed,
                        .function = TimeFunction::constant(rise),
                        .start = 0.0});
  }
}

/// The speeds of wheels that are not there would be ignored.
void refuse_speeds_of_missing_axles(const FamilyValues& values, int count) {
  for (const Axle& axle : kAxles)
    for (const Side& side : kSides)
      if (const std::string key = rise_key(axle, side); axle.number > count && values.is_given(key))
        throw core::ModelError(
            {.what = "the key is that of an axle that is not there",
             .where = "family 'truck-suspension', key '" + key + "'",
             .expected = "an axle from 1 to " + std::to_string(count),
             .actual = "axle " + std::to_string(axle.number),
             .next = "Remove the key, or write axles=" + std::to_string(axle.number) + "."});
}

/// The listing's start values: every body parallel to the chassis, or turned half about z with its axle.
void add_start_poses(MechanismBuilder& builder, const Axle& axle) {
  const Names name(axle);
  const Vector3d turn = axle.is_turned ? Vector3d(0.0, 0.0, std::numbers::pi) : Vector3d(Vector3d::Zero());
  const auto place = [&](std::string body, const ListedPoint& origin) {
    builder.add_start_position(body, origin.on(axle));
    builder.add_start_rotation(std::move(body), turn);
  };
  place(name("axle"), kAxleStart);
  place(name("upper_arm"), kUpperArmPivot);
  for (const Side& side : kSides) {
    place(name("lower_arm", side), side.lower_pivot);
    place(name("bar", side), side.bar_end);
    place(name("drop", side), side.drop_top);
    place(name("strut_rod", side), side.strut_foot);
    place(name("strut_tube", side), side.strut_top);
  }
}

/// The three quantities that [Seed001, §4.1.2] plots: the strut's length and speed, and the twist of the bar,
/// which is the difference of the rotations of its halves.
void add_outputs(MechanismBuilder& builder, const Axle& axle) {
  const Names name(axle);
  const Side& left = kSides[0];
  const Side& right = kSides[1];
  builder.add_output(name("strut_slide", right) + ".q");
  builder.add_output(name("strut_slide", right) + ".v");
  builder.add_output(name("bar_pivot", left) + ".q");
  builder.add_output(name("bar_pivot", right) + ".q");
}

Mechanism make_truck_suspension(const FamilyValues& values) {
  constexpr int kPlottedAxle = 4;  // [Seed001, Figures 4.5–4.7]
  const int count = values.integer("axles");
  const Settings settings{.upper_arm = values.real("upper_arm"),
                          .lower_arm = values.real("lower_arm"),
                          .drop = values.real("drop"),
                          .half_track = values.real("half_track"),
                          .axle_mass = values.real("axle_mass"),
                          .spring = values.real("spring"),
                          .damping = values.real("damping"),
                          .free_length = values.real("free_length")};
  refuse_speeds_of_missing_axles(values, count);
  MechanismBuilder builder("truck-suspension", Space::kSpatial);
  builder.set_description("Suspension of a truck with " + std::to_string(count) +
                          (count == 1 ? " axle" : " axles") + "; the heights of the wheels are driven.");
  builder.set_source(
      "Muñoz (2013), §3.2.2, Cuadros 3.15–3.27 and 4.1: geometry, joints, start positions, speeds of the "
      "wheels "
      "(read as m/s). Masses and shapes are not in the source: plausible values, see docs/families.md.");
  builder.set_gravity({0.0, 0.0, -9.81});
  add_chassis_visuals(builder, count);
  for (const Axle& axle : kAxles) {
    if (axle.number > count) break;
    add_chassis_points(builder, axle);
    add_bodies(builder, settings, axle);
    add_joints(builder, axle);
    add_springs(builder, settings, axle);
    add_drivers(builder, values, axle);
    add_start_poses(builder, axle);
    if (axle.number == count || axle.number == kPlottedAxle) add_outputs(builder, axle);
  }
  return builder.build();
}

}  // namespace

FamilyEntry truck_suspension_entry() {
  constexpr double kMaxAxles = static_cast<double>(kAxles.size());
  constexpr FamilyKeyKind kReal = FamilyKeyKind::kReal;
  std::vector<FamilyKey> keys{
      {"axles", "number of axles", FamilyKeyKind::kInteger, kMaxAxles, 1.0, kMaxAxles},
      {"spring", "stiffness of the spring in each strut [N/m]", kReal, 0.0, 0.0, 1e9},
      {"damping", "damping in each strut [N s/m]", kReal, 0.0, 0.0, 1e9},
      {"free_length", "length of a strut where its spring is at ease [m]", kReal, 0.44, 0.0, 10.0},
      {"axle_mass", "mass of each axle with hubs and wheels [kg]", kReal, kAxleMass, 1.0, 1e6},
      {"upper_arm", "length of each upper arm [m]", kReal, kUpperArmLength, 0.1, 10.0},
      {"lower_arm", "length of each lower arm [m]", kReal, kLowerArmLength, 0.1, 10.0},
      {"drop", "length of each drop link [m]", kReal, kDropLength, 0.1, 10.0},
      {"half_track", "distance of each wheel from the middle of its axle [m]", kReal, kHalfTrack, 0.1, 10.0},
  };
  for (const Axle& axle : kAxles)
    for (const Side& side : kSides)
      keys.push_back({rise_key(axle, side),
                      "speed at which the " + std::string(side.word) + " wheel of axle " +
                          std::to_string(axle.number) + " rises [m/s]",
                      kReal, side.sign > 0.0 ? axle.left_rise : axle.right_rise, -100.0, 100.0});
  return {.family = {.name = "truck-suspension",
                     .summary = "spatial suspension of a truck, two driven wheels per axle",
                     .keys = std::move(keys)},
          .make = &make_truck_suspension};
}

}  // namespace eslabon::model::detail
