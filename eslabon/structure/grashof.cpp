#include "eslabon/structure/grashof.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

namespace eslabon::structure {

namespace {

constexpr double kRelativeZero = 1e-12;

double perimeter(const FourBarLengths& l) { return l.ground + l.input + l.floating + l.output; }

double longest(const FourBarLengths& l) { return std::max({l.ground, l.input, l.floating, l.output}); }

double shortest(const FourBarLengths& l) { return std::min({l.ground, l.input, l.floating, l.output}); }

/// The end of a joint on the given link.
const model::JointEnd& end_on(const model::Joint& joint, const Topology& topology, LinkIndex link) {
  return topology.link_of(joint.first()) == link ? joint.ends[0] : joint.ends[1];
}

/// Distance of the two joints of a link that is one body.
double bar_length(const Topology& topology, const model::Joint& a, const model::Joint& b, LinkIndex link) {
  return (end_on(a, topology, link).X_BF.p_AB_A - end_on(b, topology, link).X_BF.p_AB_A).norm();
}

/// The joint at `link` that is not `entry`; null unless there are exactly two joints.
const Edge* other_edge_at(const Topology& topology, LinkIndex link, const Edge* entry) {
  const Edge* other = nullptr;
  for (const Edge& edge : topology.edges) {
    if (&edge == entry || (edge.first != link && edge.second != link)) continue;
    if (other) return nullptr;
    other = &edge;
  }
  return other;
}

LinkIndex other_link(const Edge& edge, LinkIndex link) {
  return edge.first == link ? edge.second : edge.first;
}

}  // namespace

std::string_view name(GrashofClass type) {
  static constexpr std::array<std::string_view, 9> kNames{
      "crank-crank",         "crank-rocker",       "rocker-crank",       "rocker-rocker", "0-rocker-0-rocker",
      "pi-rocker-pi-rocker", "pi-rocker-0-rocker", "0-rocker-pi-rocker", "folding"};
  return kNames[static_cast<std::size_t>(type)];
}

// Seed000 eq. 128, eq. 129, eq. 130
GrashofClass classify(const FourBarLengths& lengths) {
  const auto [g, a, h, b] = lengths;
  const double T1 = g + h - a - b;  // (1)
  const double T2 = b + g - a - h;
  const double T3 = b + h - a - g;
  const double zero = kRelativeZero * perimeter(lengths);
  if (std::min({std::abs(T1), std::abs(T2), std::abs(T3)}) <= zero) return GrashofClass::kFolding;
  // Rows of Table 4 by the signs of (T1, T2, T3), − before +.
  static constexpr std::array<GrashofClass, 8> kBySigns{
      GrashofClass::kZeroRockerZeroRocker, GrashofClass::kCrankCrank,  GrashofClass::kRockerRocker,
      GrashofClass::kPiRockerPiRocker,     GrashofClass::kRockerCrank, GrashofClass::kPiRockerZeroRocker,
      GrashofClass::kZeroRockerPiRocker,   GrashofClass::kCrankRocker};
  return kBySigns[(T1 > 0 ? 4u : 0u) + (T2 > 0 ? 2u : 0u) + (T3 > 0 ? 1u : 0u)];
}

bool is_grashof(const FourBarLengths& lengths) {
  const double pair = longest(lengths) + shortest(lengths);
  return pair <= 0.5 * perimeter(lengths) * (1.0 + kRelativeZero);
}

bool can_close(const FourBarLengths& lengths) {
  return longest(lengths) <= 0.5 * perimeter(lengths) * (1.0 + kRelativeZero);
}

std::vector<AngleRange> input_ranges(const FourBarLengths& lengths) {
  using std::numbers::pi;
  if (!can_close(lengths)) return {};
  const auto [g, a, h, b] = lengths;
  const double far = (g * g + a * a - (h + b) * (h + b)) / (2.0 * g * a);   // (2): cos θ ≥ far
  const double near = (g * g + a * a - (h - b) * (h - b)) / (2.0 * g * a);  // (2): cos θ ≤ near
  const bool is_bounded_far = far > -1.0 + kRelativeZero;
  const bool is_bounded_near = near < 1.0 - kRelativeZero;
  const double last = is_bounded_far ? std::acos(std::clamp(far, -1.0, 1.0)) : pi;
  const double first = is_bounded_near ? std::acos(std::clamp(near, -1.0, 1.0)) : 0.0;
  if (is_bounded_far && is_bounded_near) return {{first, last}, {-last, -first}};
  if (is_bounded_far) return {{-last, last}};
  if (is_bounded_near) return {{first, 2.0 * pi - first}};
  return {{0.0, 2.0 * pi}};
}

std::optional<FourBar> find_four_bar(const model::Mechanism& mechanism, const Topology& topology,
                                     const std::vector<Input>& inputs) {
  if (!topology.is_planar || topology.num_links() != 4 || topology.edges.size() != 4) return std::nullopt;
  for (const auto& bodies : topology.links)
    if (bodies.size() != 1) return std::nullopt;
  for (const Edge& edge : topology.edges)
    if (mechanism.joint(edge.joint).type != model::JointType::kRevolute) return std::nullopt;

  const auto at_frame = [](const Edge& edge) { return edge.first == kFrame || edge.second == kFrame; };
  // The bar that an input moves against the ground: by their joint, by its angle, by one of its points.
  const Edge* first = nullptr;
  for (const Input& input : inputs)
    for (const Edge& edge : topology.edges)
      if (!first && at_frame(edge) &&
          std::minmax(edge.first, edge.second) == std::minmax(input.first, input.second))
        first = &edge;
  const bool is_driven_at_ground = first != nullptr;
  if (!first) {
    const auto found = std::ranges::find_if(topology.edges, at_frame);
    if (found == topology.edges.end()) return std::nullopt;
    first = &*found;
  }

  // Around the loop: frame, first, input bar, second, floating bar, third, output bar, fourth, frame.
  std::array<const Edge*, 4> joints{first, nullptr, nullptr, nullptr};
  std::array<LinkIndex, 4> bars{kFrame, kFrame, kFrame, kFrame};
  for (std::size_t i = 1; i < 4; ++i) {
    bars[i] = other_link(*joints[i - 1], bars[i - 1]);
    joints[i] = other_edge_at(topology, bars[i], joints[i - 1]);
    if (!joints[i] || bars[i] == kFrame) return std::nullopt;
  }
  if (other_link(*joints[3], bars[3]) != kFrame) return std::nullopt;

  const auto joint = [&](std::size_t i) -> const model::Joint& { return mechanism.joint(joints[i]->joint); };
  const FourBarLengths lengths{
      bar_length(topology, joint(0), joint(3), kFrame), bar_length(topology, joint(0), joint(1), bars[1]),
      bar_length(topology, joint(1), joint(2), bars[2]), bar_length(topology, joint(2), joint(3), bars[3])};
  if (shortest(lengths) <= 0.0) return std::nullopt;
  return FourBar{first->joint, lengths, is_driven_at_ground};
}

}  // namespace eslabon::structure
