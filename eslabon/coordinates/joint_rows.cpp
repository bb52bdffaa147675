#include "eslabon/coordinates/joint_rows.hpp"

#include <numbers>
#include <string>

#include "eslabon/core/index.hpp"
#include "eslabon/core/text/error.hpp"

namespace eslabon::coordinates {

namespace {

using model::JointType;

constexpr int kX = 0, kY = 1, kZ = 2;
constexpr const char* kAxisNames[] = {"x", "y", "z"};

/// Features of the two frames of a joint.
class JointFeatures {
 public:
  explicit JointFeatures(const model::Joint& joint) : joint_(joint) {}

  Feature origin(int end) const {
    const model::JointEnd& e = joint_.ends[static_cast<std::size_t>(end)];
    return {e.body, true, e.X_BF.p_AB_A};
  }
  Feature axis(int end, int k) const {
    const model::JointEnd& e = joint_.ends[static_cast<std::size_t>(end)];
    return {e.body, false, e.X_BF.R_AB.matrix().col(k)};
  }
  /// Axes of the curve, its first point, and the point.
  std::array<Feature, kMostFeatures> beside_space_curve() const {
    return {axis(0, kX), axis(0, kY), axis(0, kZ), origin(0), origin(1)};
  }

 private:
  const model::Joint& joint_;
};

class JointRows {
 public:
  JointRows(const model::Joint& joint, model::JointIndex index)
      : joint_(joint), index_(index), features_(joint) {}

  // Seed004 eq. 20
  void forbid_translation(int k) {
    rows_.push_back({.form = RowForm::kOffset,
                     .features = {features_.axis(0, k), features_.origin(0), features_.origin(1)},
                     .label = {index_, std::string("translation along ") + kAxisNames[k]}});  // (1)
  }
  /// axis k of the first frame stays perpendicular to axis l of the second.
  void keep_perpendicular(int k, int l, const std::string& direction) {
    rows_.push_back({.form = RowForm::kDot,
                     .features = {features_.axis(0, k), features_.axis(1, l), {}},
                     .label = {index_, direction}});  // (2), (3)
  }
  /// The two axes number k stay parallel: no rotation about the others.
  // Seed004 eq. 21
  void align(int k) {
    const int l = (k + 1) % 3, m = (k + 2) % 3;
    // A turn about l moves axis k towards m; written with the smaller name first.
    const auto about = [&](int turn) {
      keep_perpendicular(turn == l ? m : l, k, std::string("rotation about ") + kAxisNames[turn]);
    };
    about(std::min(l, m));
    about(std::max(l, m));
  }
  // Seed004 eq. 22
  void keep_length() {
    rows_.push_back({.form = RowForm::kDistance,
                     .features = {features_.origin(0), features_.origin(1), {}},
                     .constant = joint_.length,
                     .label = {index_, joint_.type == JointType::kRod ? "length" : "radius"}});  // (4)
  }
  void roll() {
    rows_.push_back(
        {.form = RowForm::kRolling,
         .features = {features_.axis(0, kX), features_.axis(1, kX), features_.origin(0), features_.origin(1)},
         .constant = joint_.length,
         .label = {index_, "rolling"}});  // (5)
  }
  void touch_plane() {
    rows_.push_back(
        {.form = RowForm::kTouch,
         .features = {features_.axis(0, kX), features_.axis(1, kY), features_.origin(0), features_.origin(1)},
         .constant = joint_.length,
         .label = {index_, "contact of its rim"}});  // (9)
  }
  void forbid_slipping(int k) {
    rows_.push_back({.form = RowForm::kNoSlip,
                     .features = {features_.axis(0, k), features_.origin(0), features_.origin(1),
                                  features_.axis(1, kX), features_.axis(1, kZ), features_.axis(0, kX)},
                     .constant = joint_.length,
                     .label = {index_, std::string("slipping along ") + kAxisNames[k]}});
  }
  void stay_on_space_curve() {
    for (const RowForm form : {RowForm::kSpaceCurveFirst, RowForm::kSpaceCurveSecond})
      rows_.push_back({.form = form,
                       .features = features_.beside_space_curve(),
                       .constant = {0.0, joint_.ends[0].curve.get()},
                       .label = {index_, form == RowForm::kSpaceCurveFirst
                                             ? "first translation across the curve"
                                             : "second translation across the curve"}});  // (10)
  }
  void touch() {
    if (joint_.type == JointType::kPointOnSpaceCurve)
      stay_on_space_curve();
    else if (joint_.type == JointType::kPointOnCurve)
      rows_.push_back({.form = RowForm::kCurveGap,
                       .features = {features_.axis(0, kX), features_.origin(0), features_.origin(1)},
                       .constant = {joint_.length, joint_.ends[0].curve.get()},
                       .label = {index_, "contact"}});  // (6)
    else if (joint_.type == JointType::kCurveOnCurve)
      rows_.push_back({.form = RowForm::kPairGap,
                       .features = {features_.axis(0, kX), features_.axis(1, kX), features_.origin(0),
                                    features_.origin(1)},
                       .constant = {0.0, joint_.ends[0].curve.get(), joint_.ends[1].curve.get()},
                       .label = {index_, "contact"}});  // (8)
    else
      rows_.push_back({.form = RowForm::kFaceGap,
                       .features = {features_.axis(0, kX), features_.axis(1, kX), features_.origin(0),
                                    features_.origin(1)},
                       .constant = {0.0, joint_.ends[1].curve.get()},
                       .label = {index_, "contact"}});  // (7)
  }
  void screw() {
    rows_.push_back({.form = RowForm::kScrew,
                     .features = {features_.axis(0, kX), features_.axis(0, kY), features_.axis(1, kX),
                                  features_.origin(0), features_.origin(1)},
                     .constant = joint_.length / (2.0 * std::numbers::pi),
                     .label = {index_, "translation along z"}});  // (6)
  }
  std::vector<Row> take() { return std::move(rows_); }

 private:
  const model::Joint& joint_;
  model::JointIndex index_;
  JointFeatures features_;
  std::vector<Row> rows_;
};

void append_planar_rows(JointType type, const SharedParts& shared, JointRows& rows) {
  const bool holds_x = type == JointType::kRevolute || type == JointType::kFixed;
  const bool holds_y =
      holds_x || type == JointType::kPrismatic || type == JointType::kSlot || type == JointType::kRolling;
  if (holds_x && !shared.point) rows.forbid_translation(kX);
  if (holds_y && !shared.point) rows.forbid_translation(kY);
  if (type == JointType::kPrismatic || type == JointType::kFixed || type == JointType::kTranslation)
    rows.keep_perpendicular(kY, kX, "rotation about z");
  if (type == JointType::kRolling) rows.roll();
}

// Seed003 eq. 5
// Seed001 eq. 3.23, eq. 3.41
// Seed002 eq. 2, eq. 3, eq. 4
void append_spatial_rows(JointType type, const SharedParts& shared, JointRows& rows) {
  const auto forbid = [&](std::initializer_list<int> axes) {
    if (!shared.point)
      for (const int k : axes) rows.forbid_translation(k);
  };
  const auto align = [&](int k) {
    if (!shared.axis) rows.align(k);
  };
  switch (type) {
    case JointType::kRevolute:
      forbid({kX, kY, kZ});
      align(kZ);
      break;
    case JointType::kPrismatic:
      forbid({kY, kZ});
      align(kX);
      rows.keep_perpendicular(kZ, kY, "rotation about x");
      break;
    case JointType::kCylindrical:
      forbid({kX, kY});
      align(kZ);
      break;
    case JointType::kHelical:
      forbid({kX, kY});
      align(kZ);
      rows.screw();
      break;
    case JointType::kUniversal:
      forbid({kX, kY, kZ});
      rows.keep_perpendicular(kX, kY, "rotation about z");
      break;
    case JointType::kSpherical:
      forbid({kX, kY, kZ});
      break;
    case JointType::kPlanar:
      forbid({kZ});
      align(kZ);
      break;
    case JointType::kFixed:
      forbid({kX, kY, kZ});
      align(kZ);
      rows.keep_perpendicular(kY, kX, "rotation about z");
      break;
    case JointType::kTranslation:
      align(kZ);
      rows.keep_perpendicular(kY, kX, "rotation about z");
      break;
    case JointType::kPointOnLine:
      forbid({kY, kZ});
      break;
    case JointType::kPointOnPlane:
      forbid({kZ});
      break;
    case JointType::kRollingDisc:
      rows.touch_plane();
      break;
    default:  // free, and joints of the plane
      break;
  }
}

}  // namespace

std::vector<Row> joint_rows(const model::Mechanism& mechanism, model::JointIndex index,
                            const SharedParts& shared) {
  const model::Joint& joint = mechanism.joint(index);
  JointRows rows(joint, index);
  if (model::keeps_distance(joint.type))
    rows.keep_length();
  else if (model::has_curve(joint.type))
    rows.touch();
  else if (mechanism.is_planar())
    append_planar_rows(joint.type, shared, rows);
  else
    append_spatial_rows(joint.type, shared, rows);
  return rows.take();
}

std::vector<Row> rows_beside_steps(const model::Mechanism& mechanism, model::JointIndex index) {
  const model::Joint& joint = mechanism.joint(index);
  JointRows rows(joint, index);
  if (model::keeps_distance(joint.type)) rows.keep_length();
  if (model::has_curve(joint.type)) rows.touch();
  if (joint.type == JointType::kRolling) rows.roll();
  if (joint.type == JointType::kRollingDisc) rows.touch_plane();
  return rows.take();
}

std::vector<Row> velocity_rows(const model::Mechanism& mechanism, model::JointIndex index) {
  JointRows rows(mechanism.joint(index), index);
  if (mechanism.joint(index).type == JointType::kRollingDisc)
    for (const int k : {kY, kZ}) rows.forbid_slipping(k);
  return rows.take();
}

Row screw_row(const model::Mechanism& mechanism, model::JointIndex index) {
  JointRows rows(mechanism.joint(index), index);
  rows.screw();
  return rows.take().front();
}

// Seed003 eq. 6, eq. 7, eq. 8d, eq. 8g
Row joint_coordinate_row(const model::Mechanism& mechanism, model::JointIndex index, int component) {
  const model::Joint& joint = mechanism.joint(index);
  const JointFeatures f(joint);
  const auto offset = [&](int k) -> Row {
    return {.form = RowForm::kOffset,
            .features = {f.axis(0, k), f.origin(0), f.origin(1)},
            .label = {index, "its coordinate"}};
  };
  const auto angle = [&](const Feature& from, const Feature& towards, const Feature& of) -> Row {
    return {.form = RowForm::kAngle, .features = {from, towards, of}, .label = {index, "its coordinate"}};
  };
  const core::Dimension dimension = model::coordinate_dimension(joint.type, component);
  if (dimension == core::kNumber)
    throw core::ContractError({.what = "a coordinate that the joint does not have",
                               .where = "joint '" + joint.name + "'",
                               .expected = "a joint with scalar coordinates",
                               .actual = std::string(model::facts(joint.type).name),
                               .next = "Ask for coordinates that find_variable knows."});
  const model::JointCoordinateFacts& facts = model::facts(joint.type).coordinates[core::index(component)];
  const int axis = facts.axis;
  if (facts.is_bearing)
    return {.form = RowForm::kBearing,
            .features = {f.axis(0, kX), f.axis(0, kY), f.origin(0), f.origin(1)},
            .constant = joint.length,
            .label = {index, "its coordinate"}};
  if (facts.is_distance)
    return {
        .form = RowForm::kSpan, .features = {f.origin(0), f.origin(1)}, .label = {index, "its coordinate"}};
  if (facts.is_place) {
    if (joint.type == JointType::kPointOnSpaceCurve)
      return {.form = RowForm::kSpaceCurvePlace,
              .features = f.beside_space_curve(),
              .constant = {0.0, joint.ends[0].curve.get()},
              .label = {index, "its coordinate"}};
    if (joint.type == JointType::kPointOnCurve)
      return {.form = RowForm::kCurvePlace,
              .features = {f.axis(0, kX), f.origin(0), f.origin(1)},
              .constant = {0.0, joint.ends[0].curve.get()},
              .label = {index, "its coordinate"}};
    if (joint.type == JointType::kCurveOnCurve)
      return {.form = RowForm::kPairPlace,
              .features = {f.axis(0, kX), f.axis(1, kX), f.origin(0), f.origin(1)},
              .constant = {0.0, joint.ends[0].curve.get(), joint.ends[1].curve.get()},
              .label = {index, "its coordinate"}};
    return {.form = RowForm::kFacePlace,
            .features = {f.axis(0, kX), f.axis(1, kX)},
            .constant = {0.0, joint.ends[1].curve.get()},
            .label = {index, "its coordinate"}};
  }
  if (model::has_curve(joint.type)) {  // the angle between the bodies' own axes
    const auto own = [&](int end, const Eigen::Vector3d& u_B) -> Feature {
      return {joint.ends[core::index(end)].body, false, u_B};
    };
    return angle(own(0, Eigen::Vector3d::UnitX()), own(0, Eigen::Vector3d::UnitY()),
                 own(1, Eigen::Vector3d::UnitX()));
  }
  if (dimension == core::kLength) return offset(axis);
  // R_x(q₁) R_y(q₂) of a universal joint:  y₂ = R_x(q₁) y₁,  and in the second frame x₁ = R_y(−q₂) x₂
  if (axis == kX) return angle(f.axis(0, kY), f.axis(0, kZ), f.axis(1, kY));
  if (axis == kY) return angle(f.axis(1, kX), f.axis(1, kZ), f.axis(0, kX));
  return angle(f.axis(0, kX), f.axis(0, kY), f.axis(1, kX));
}

Row variable_row(const model::Mechanism& mechanism, const model::Variable& variable) {
  const Feature ground_origin{};
  const auto ground_axis = [](int k) -> Feature { return {model::kGround, false, Eigen::Vector3d::Unit(k)}; };
  if (const auto* joint = std::get_if<model::JointIndex>(&variable.element))
    return joint_coordinate_row(mechanism, *joint, variable.component);
  if (const auto* point = std::get_if<model::PointRef>(&variable.element))
    return {.form = RowForm::kOffset,
            .features = {ground_axis(variable.component), ground_origin,
                         Feature{point->body, true, mechanism.point(*point).p_BP_B}},
            .label = {point->body, "its place"}};
  const auto body = std::get<model::BodyIndex>(variable.element);
  return {.form = RowForm::kAngle,
          .features = {ground_axis(0), ground_axis(1), Feature{body, false, Eigen::Vector3d::UnitX()}},
          .label = {body, "its angle"}};
}

}  // namespace eslabon::coordinates
