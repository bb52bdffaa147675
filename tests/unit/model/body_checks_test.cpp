// Every rule about one body, with the sentence it gives.
#include <cmath>
#include <limits>

#include "tests/unit/model/sample_builders.hpp"
#include <gtest/gtest.h>

namespace eslabon::model {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;
using test::sentence;

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInf = std::numeric_limits<double>::infinity();

std::string planar(BodyDescription body) {
  return sentence([&] { MechanismBuilder("m", Space::kPlanar).add_body(body); });
}
std::string spatial(BodyDescription body) {
  return sentence([&] { MechanismBuilder("m", Space::kSpatial).add_body(body); });
}

Matrix3d diagonal(double a, double b, double c) { return Vector3d(a, b, c).asDiagonal(); }

/// The mass properties that a description ends up with.
MassProperties mass_properties(BodyDescription body, Space space) {
  MechanismBuilder builder("m", space);
  builder.add_ground_point("O", {0.0, 0.0, 0.0});
  body.points.push_back({"joint_point", {0.0, 0.0, 0.0}});
  const std::string end = body.name + ".joint_point";
  builder.add_body(std::move(body));
  builder.add_joint({"free", JointType::kFree, "ground.O", end});
  return builder.build().bodies()[1].mass_properties;
}

TEST(BodyNames, AreWords) {
  EXPECT_EQ(
      planar({.name = ""}),
      "a name is empty [body '']: expected a name of at least one letter, got nothing. Choose another name.");
  for (const char* wrong : {" ", ",", "'", "\"", "=", "\n"}) {
    const std::string name = std::string("a") + wrong + "b";
    EXPECT_EQ(planar({.name = name}), "a name holds a character that names cannot have [body '" + name +
                                          "']: expected letters, digits, '_' and '-', got \"" + wrong +
                                          "\". Choose another name.");
  }
  EXPECT_EQ(
      planar({.name = "4bar"}),
      "a name begins with a character that names cannot begin with [body '4bar']: expected a letter or '_' "
      "first, got \"4\". Choose another name.");
  EXPECT_EQ(
      planar({.name = "-b"}),
      "a name begins with a character that names cannot begin with [body '-b']: expected a letter or '_' "
      "first, got \"-\". Choose another name.");
  EXPECT_EQ(planar({.name = "a\xff"}),
            "a name is not text [body 'a\xff']: expected UTF-8, got bytes that are not. "
            "Save the file as UTF-8.");
  EXPECT_EQ(
      planar({.name = "ground"}),
      "a name is reserved [body 'ground']: expected any name but 'ground', the body that does not move, got "
      "'ground'. Choose another name.");
}

TEST(BodyNames, MayHaveDigitsDashesAndLettersOfAnyLanguage) {
  for (const char* name : {"_", "a1", "left-arm", "eslabón", "α", "曲柄", "🦾"})
    EXPECT_EQ(planar({.name = name}), "no error") << name;
}

TEST(BodyMass, IsPositiveAndFinite) {
  EXPECT_EQ(planar({.name = "b", .mass = 0.0}),
            "mass is not positive [body 'b', mass]: expected mass > 0 kg, got 0 kg. Give a positive value.");
  EXPECT_EQ(
      planar({.name = "b", .mass = -1.5}),
      "mass is not positive [body 'b', mass]: expected mass > 0 kg, got -1.5 kg. Give a positive value.");
  EXPECT_EQ(planar({.name = "b", .mass = kNan}),
            "mass is not a number one can compute with [body 'b', mass]: expected a finite number, got nan "
            "kg. Check "
            "the number and the parameters it is computed from.");
  EXPECT_EQ(planar({.name = "b", .mass = kInf}),
            "mass is not a number one can compute with [body 'b', mass]: expected a finite number, got inf "
            "kg. Check "
            "the number and the parameters it is computed from.");
}

TEST(BodyMass, NeedsACentreAndAnInertia_OrAShape) {
  EXPECT_EQ(planar({.name = "b", .mass = 1.0}),
            "center_of_mass is missing [body 'b', mass]: expected center_of_mass or shape beside mass, got "
            "neither. "
            "Give 'center_of_mass:', or a 'shape:' it can be computed from.");
  for (const auto& check : {planar, spatial})
    EXPECT_EQ(check({.name = "b", .mass = 1.0, .center_of_mass = Vector3d::Zero()}),
              "inertia is missing [body 'b', mass]: expected inertia or shape beside mass, got neither. Give "
              "'inertia:', or a 'shape:' it can be computed from.");
  EXPECT_EQ(
      planar({.name = "b", .mass = 1.0, .center_of_mass = Vector3d::Zero(), .inertia = Matrix3d::Zero()}),
      "no error")
      << "an explicit zero is a point mass";
}

TEST(BodyMass, IsNeededByCentreAndInertia) {
  EXPECT_EQ(
      planar({.name = "b", .center_of_mass = Vector3d::Zero()}),
      "center_of_mass of a body without mass [body 'b', center_of_mass]: expected mass or density beside "
      "center_of_mass, got neither. Give the body a mass, or remove 'center_of_mass:'.");
  EXPECT_EQ(
      planar({.name = "b", .inertia = Matrix3d::Identity(), .shape = Sphere{1.0}}),
      "inertia of a body without mass [body 'b', inertia]: expected mass or density beside inertia, got "
      "neither. Give the body a mass, or remove 'inertia:'.");
}

TEST(BodyDensity, IsPositiveAndTakesThePlaceOfMass) {
  EXPECT_EQ(
      spatial({.name = "b", .density = -7800.0, .shape = Sphere{1.0}}),
      "density is not positive [body 'b', density]: expected density > 0 kg/m^3, got -7800 kg/m^3. Give a "
      "positive value.");
  EXPECT_EQ(spatial({.name = "b", .mass = 2.0, .density = 7800.0, .shape = Sphere{1.0}}),
            "mass and density are both given [body 'b', density]: expected one of the two, got 2 kg and 7800 "
            "kg/m^3. "
            "Remove one of them.");
  EXPECT_EQ(
      spatial({.name = "b", .density = 1e300, .shape = Sphere{1e10}}),
      "density gives a mass that is not finite and positive [body 'b', density]: expected a finite mass > 0 "
      "kg, got inf "
      "kg. Check the density and the size of the shape.");
}

TEST(BodyDensity, NeedsASolidShape) {
  EXPECT_EQ(
      spatial({.name = "b", .density = 1.0}),
      "density without a volume [body 'b', density]: expected a solid shape: box, cylinder or sphere, got no "
      "shape. Give mass instead of density, or another shape.");
  EXPECT_EQ(spatial({.name = "b", .density = 1.0, .shape = Disc{1.0}}),
            "density without a volume [body 'b', density]: expected a solid shape: box, cylinder or sphere, "
            "got disc. "
            "Give mass instead of density, or another shape.");
  EXPECT_EQ(planar({.name = "b", .density = 1.0, .shape = Box{{1.0, 1.0, 0.0}}}),
            "density without a volume [body 'b', density]: expected a solid shape: box, cylinder or sphere, "
            "got box "
            "in the plane. Give mass instead of density, or another shape.");
}

TEST(BodyDensity, TimesVolumeIsTheMass) {
  const auto properties =
      mass_properties({.name = "b", .density = 1000.0, .shape = Box{{0.1, 0.2, 0.3}}}, Space::kSpatial);
  EXPECT_DOUBLE_EQ(properties.mass, 6.0);
  EXPECT_DOUBLE_EQ(properties.I_BC_B(0, 0), 6.0 * 0.13 / 12.0);
}

TEST(BodyInertia, IsSymmetricAndPossible) {
  Matrix3d askew = Matrix3d::Identity();
  askew(1, 2) = 0.1;
  BodyDescription body{.name = "b", .mass = 1.0, .inertia = askew, .shape = Sphere{1.0}};
  EXPECT_EQ(spatial(body),
            "inertia is not symmetric [body 'b', inertia]: expected the same number on both sides of the "
            "diagonal, got "
            "0.1 and 0 kg*m^2. Give one of the two on both sides.");
  body.inertia = diagonal(1.0, 1.0, 3.0);
  EXPECT_EQ(spatial(body),
            "no rigid body has this inertia [body 'b', inertia]: expected no principal moment of inertia "
            "above the sum "
            "of the other two, got 1, 1 and 3 kg*m^2. Check that it is about the centre of mass, in the axes "
            "of the "
            "body.");
  body.inertia = diagonal(1.0, kNan, 1.0);
  EXPECT_EQ(
      spatial(body),
      "inertia is not a number one can compute with [body 'b', inertia]: expected a finite number, got nan "
      "kg*m^2. Check the number and the parameters it is computed from.");
}

TEST(BodyInertia, HasOneNumberInThePlane) {
  EXPECT_EQ(planar({.name = "b", .mass = 1.0, .inertia = diagonal(9.0, 9.0, -1.0), .shape = Sphere{1.0}}),
            "inertia is negative [body 'b', inertia]: expected inertia >= 0 kg*m^2, got -1 kg*m^2. Give a "
            "value that "
            "is zero or positive.");
  const auto given = mass_properties(
      {.name = "b", .mass = 1.0, .inertia = diagonal(9.0, 8.0, 7.0), .shape = Sphere{1.0}}, Space::kPlanar);
  EXPECT_EQ(given.I_BC_B, diagonal(0.0, 0.0, 7.0));
  const auto from_shape = mass_properties({.name = "b", .mass = 2.0, .shape = Disc{0.5}}, Space::kPlanar);
  EXPECT_EQ(from_shape.I_BC_B, diagonal(0.0, 0.0, 0.25));
}

TEST(BodyMassProperties, ComeFromTheShape_WhereTheyAreLeftOut) {
  const Vector3d p(0.5, 0.25, 0.125);
  const auto properties =
      mass_properties({.name = "b", .mass = 10.0, .center_of_mass = p, .shape = Sphere{0.5, {9.0, 9.0, 9.0}}},
                      Space::kSpatial);
  EXPECT_EQ(properties.p_BC_B, p);
  EXPECT_EQ(properties.I_BC_B, diagonal(1.0, 1.0, 1.0));
}

TEST(BodyMassProperties, AreZero_WithoutMass) {
  EXPECT_EQ(mass_properties({.name = "b", .shape = Sphere{0.5}}, Space::kSpatial), MassProperties{});
}

TEST(BodyMassProperties, StayInThePlane) {
  EXPECT_EQ(planar({.name = "b", .mass = 1.0, .center_of_mass = Vector3d(0, 0, 0.5), .shape = Sphere{1.0}}),
            "center_of_mass leaves the plane [body 'b', center_of_mass]: expected z = 0 in a planar "
            "mechanism, got 0.5 "
            "m. Set z to 0, or remove 'plane' to make the mechanism spatial.");
  EXPECT_EQ(
      spatial({.name = "b", .mass = 1.0, .center_of_mass = Vector3d(0, kNan, 0.5), .shape = Sphere{1.0}}),
      "center_of_mass is not a vector one can compute with [body 'b', center_of_mass]: expected finite "
      "numbers, "
      "got [0, nan, 0.5]. Check the number and the parameters it is computed from.");
}

TEST(BodyShape, OfABar_HasTwoPointsOfTheBody) {
  const std::vector<NamedPoint> points{{"tip", {1, 0, 0}}, {"top", {1, 0, 0}}, {"root", {0, 0, 0}}};
  EXPECT_EQ(planar({.name = "b", .shape = Bar{"root", "tipp"}, .points = points}),
            "an end of the bar is not a point of the body [body 'b', shape]: expected a point of the body: "
            "'tip', 'top' "
            "or 'root', got 'tipp'. Did you mean 'tip'?");
  EXPECT_EQ(planar({.name = "b", .shape = Bar{"Q", "tip"}}),
            "an end of the bar is not a point of the body [body 'b', shape]: expected a point of the body: "
            "nothing, got "
            "'Q'. Add the point to the body.");
  EXPECT_EQ(planar({.name = "b", .shape = Bar{"tip", "top"}, .points = points}),
            "the bar has no length [body 'b', shape]: expected two ends at different places, got 'tip' and "
            "'top', both "
            "at [1, 0, 0] m. Choose another end.");
}

TEST(BodyShape, HasPositiveSizes) {
  EXPECT_EQ(
      planar({.name = "b", .shape = Disc{0.0}}),
      "the radius of the shape is not positive [body 'b', shape]: expected radius > 0 m, got 0 m. Give a "
      "positive value.");
  EXPECT_EQ(
      spatial({.name = "b", .shape = Sphere{kNan}}),
      "the radius of the shape is not positive [body 'b', shape]: expected radius > 0 m, got nan m. Give a "
      "positive value.");
  EXPECT_EQ(
      spatial({.name = "b", .shape = Cylinder{1.0, -2.0}}),
      "the length of the shape is not positive [body 'b', shape]: expected length > 0 m, got -2 m. Give a "
      "positive value.");
  EXPECT_EQ(
      spatial({.name = "b", .shape = Box{{1.0, 1.0, 0.0}}}),
      "the z size of the shape is not positive [body 'b', shape]: expected z size > 0 m, got 0 m. Give a "
      "positive value.");
  EXPECT_EQ(
      spatial({.name = "b", .mass = 1.0, .shape = Sphere{1e200}}),
      "the shape is too large to compute with [body 'b', shape]: expected a finite moment of inertia, got an "
      "overflow. Check the units of the shape.");
}

TEST(BodyShape, LiesInThePlane) {
  EXPECT_EQ(planar({.name = "b", .shape = Box{{1.0, 1.0, 0.1}}}),
            "the box leaves the plane [body 'b', shape]: expected two sizes, along x and y, got [1, 1, 0.1] "
            "m. Remove "
            "the third size, or remove 'plane' to make the mechanism spatial.");
  EXPECT_EQ(planar({.name = "b", .shape = Disc{1.0, Vector3d::Zero(), {1.0, 0.0, 0.0}}}),
            "the axis of the shape is askew to the plane [body 'b', shape]: expected an axis along z, got "
            "[1, 0, 0]. "
            "Change the axis, or remove 'plane' to make the mechanism spatial.");
  EXPECT_EQ(planar({.name = "b", .shape = Cylinder{1.0, 1.0, Vector3d::Zero(), {1.0, 0.0, 1.0}}}),
            "the axis of the shape is askew to the plane [body 'b', shape]: expected an axis along z or in "
            "the plane, "
            "got [1, 0, 1]. Change the axis, or remove 'plane' to make the mechanism spatial.");
  EXPECT_EQ(planar({.name = "b", .shape = Cylinder{1.0, 1.0, Vector3d::Zero(), {1.0, 1.0, 0.0}}}),
            "no error");
  EXPECT_EQ(planar({.name = "b", .shape = Sphere{1.0, {0.0, 0.0, 1.0}}}),
            "shape leaves the plane [body 'b', shape]: expected z = 0 in a planar mechanism, got 1 m. Set z "
            "to 0, or "
            "remove 'plane' to make the mechanism spatial.");
  EXPECT_EQ(
      spatial({.name = "b", .shape = Disc{1.0, Vector3d::Zero(), Vector3d::Zero()}}),
      "shape has no direction [body 'b', shape]: expected a vector that is not zero, got [0, 0, 0]. Give at "
      "least one component that is not 0.");
}

TEST(BodyMarkers, AreFiniteAndInThePlane) {
  EXPECT_EQ(planar({.name = "b", .points = {{"P1", {0, 0, 0.1}}}}),
            "point 'P1' leaves the plane [body 'b', point 'P1']: expected z = 0 in a planar mechanism, got "
            "0.1 m. Set "
            "z to 0, or remove 'plane' to make the mechanism spatial.");
  EXPECT_EQ(spatial({.name = "b", .points = {{"P1", {0, kInf, 0.1}}}}),
            "point 'P1' is not a vector one can compute with [body 'b', point 'P1']: expected finite "
            "numbers, got [0, "
            "inf, 0.1]. Check the number and the parameters it is computed from.");
  EXPECT_EQ(spatial({.name = "b", .axes = {{"u", {0, 0, 0}}}}),
            "axis 'u' has no direction [body 'b', axis 'u']: expected a vector that is not zero, got [0, 0, "
            "0]. Give "
            "at least one component that is not 0.");
  EXPECT_EQ(planar({.name = "b", .axes = {{"u", {0, 0, 1}}}}),
            "axis 'u' leaves the plane [body 'b', axis 'u']: expected z = 0 in a planar mechanism, got 1. "
            "Set z to 0, "
            "or remove 'plane' to make the mechanism spatial.");
}

TEST(BodyMarkers, FramesHaveTwoDirections) {
  EXPECT_EQ(spatial({.name = "b", .frames = {{.name = "F", .x_B = {0, 0, -2}}}}),
            "the axes of a frame are parallel [body 'b', frame 'F']: expected an x axis that is not along "
            "the z axis, "
            "got x along [0, 0, -2] and z along [0, 0, 1]. Turn one of the two.");
  EXPECT_EQ(
      planar({.name = "b", .frames = {{.name = "F", .z_B = {0, 0, -1}}}}),
      "a frame leaves the plane [body 'b', frame 'F']: expected a z axis along [0, 0, 1] in a planar "
      "mechanism, "
      "got [0, 0, -1]. Remove the z axis of the frame, or remove 'plane' to make the mechanism spatial.");
  EXPECT_EQ(planar({.name = "b", .frames = {{.name = "F", .x_B = {1, 1, 0}, .z_B = {0, 0, 3}}}}), "no error");
}

TEST(BodyMarkers, HaveOneNameEach) {
  EXPECT_EQ(
      planar({.name = "b", .points = {{"P", {0, 0, 0}}, {"Q", {1, 0, 0}}, {"P", {2, 0, 0}}}}),
      "a name is used twice in one body [body 'b', point 'P']: expected one point or frame per name, got 'P' "
      "twice. Rename one of the two.");
  EXPECT_EQ(
      planar({.name = "b", .points = {{"P", {0, 0, 0}}}, .frames = {{.name = "P"}}}),
      "a name is used twice in one body [body 'b', frame 'P']: expected one point or frame per name, got 'P' "
      "twice. Rename one of the two.");
  EXPECT_EQ(planar({.name = "b", .axes = {{"u", {0, 1, 0}}, {"u", {1, 0, 0}}}}),
            "a name is used twice in one body [body 'b', axis 'u']: expected one axis per name, got 'u' "
            "twice. Rename "
            "one of the two.");
  EXPECT_EQ(planar({.name = "b", .points = {{"P", {0, 0, 0}}}, .axes = {{"P", {0, 1, 0}}}}), "no error");
  EXPECT_EQ(planar({.name = "b", .points = {{"P 1", {0, 0, 0}}}}),
            "a name holds a character that names cannot have [body 'b', point 'P 1']: expected letters, "
            "digits, '_' and "
            "'-', got \" \". Choose another name.");
}

TEST(BodyMarkers, AreNotNamedLikeVariables) {
  EXPECT_EQ(planar({.name = "b", .points = {{"angle", {0, 0, 0}}}}),
            "a point has the name of a variable of its body [body 'b', point 'angle']: expected any name but "
            "those of "
            "variables, got 'angle', so that 'b.angle' would mean two things. Choose another name.");
  for (const char* word : {"rate", "angular_acceleration", "e0", "e3", "wx", "wz", "alphay"}) {
    const std::vector<NamedPoint> points{{word, {0, 0, 0}}};
    EXPECT_NE(planar({.name = "b", .points = points}), "no error") << word;
    EXPECT_NE(spatial({.name = "b", .points = points}), "no error") << word;
  }
}

TEST(GroundMarkers, FollowTheSameRules) {
  MechanismBuilder builder("m", Space::kPlanar);
  builder.add_ground_point("O", {0, 0, 0});
  builder.add_ground_axis("u", {1, 0, 0});
  EXPECT_EQ(sentence([&] {
              builder.add_ground_point("O", {1, 0, 0});
            }),
            "a name is used twice in one body [ground, point 'O']: expected one point or frame per name, got "
            "'O' twice. "
            "Rename one of the two.");
  EXPECT_EQ(sentence([&] { builder.add_ground_frame({.name = "O"}); }),
            "a name is used twice in one body [ground, frame 'O']: expected one point or frame per name, got "
            "'O' twice. "
            "Rename one of the two.");
  EXPECT_EQ(sentence([&] {
              builder.add_ground_axis("u", {1, 0, 0});
            }),
            "a name is used twice in one body [ground, axis 'u']: expected one axis per name, got 'u' twice. "
            "Rename one "
            "of the two.");
  EXPECT_EQ(sentence([&] {
              builder.add_ground_point("Q", {1, 0, 2});
            }),
            "point 'Q' leaves the plane [ground, point 'Q']: expected z = 0 in a planar mechanism, got 2 m. "
            "Set z to "
            "0, or remove 'plane' to make the mechanism spatial.");
  EXPECT_EQ(sentence([&] {
              builder.add_ground_point("Q", {1, 0, 0});
            }),
            "no error")
      << "a refused point leaves nothing behind";
}

}  // namespace
}  // namespace eslabon::model
