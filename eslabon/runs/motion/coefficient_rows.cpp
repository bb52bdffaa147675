#include "eslabon/runs/motion/coefficient_rows.hpp"

namespace eslabon::runs {

namespace {

/// A rate of a body and its derivative.
struct RateWords {
  std::string rate, acceleration;
  core::Dimension position;  ///< whose rate it is
};

std::vector<RateWords> rate_words(bool is_planar) {
  if (is_planar)
    return {{"vx", "ax", core::kLength},
            {"vy", "ay", core::kLength},
            {"rate", "angular_acceleration", core::kAngle}};
  std::vector<RateWords> words;
  for (const char* axis : {"x", "y", "z"})
    words.push_back({std::string("v") + axis, std::string("a") + axis, core::kLength});
  for (const char* axis : {"x", "y", "z"})
    words.push_back({std::string("w") + axis, std::string("alpha") + axis, core::kAngle});
  return words;
}

/// In the order of CoefficientRows::at: of a body its K, then its L.
std::vector<core::Column> coefficient_columns(const model::Mechanism& mechanism) {
  struct Driven {
    std::string name;
    core::Dimension dimension;
  };
  std::vector<Driven> inputs;
  for (const model::Driver& driver : mechanism.drivers())
    inputs.push_back({model::name(mechanism, driver.target), model::dimension(mechanism, driver.target)});
  std::vector<core::Column> columns;
  for (std::size_t b = 1; b < mechanism.bodies().size(); ++b)
    for (const RateWords& words : rate_words(mechanism.is_planar())) {
      const std::string body = mechanism.bodies()[b].name + ".";
      for (const Driven& z : inputs)
        columns.push_back({body + words.rate + "/" + z.name, core::si_unit(words.position / z.dimension)});
      for (std::size_t i = 0; i < inputs.size(); ++i)
        for (std::size_t j = i; j < inputs.size(); ++j)
          columns.push_back({body + words.acceleration + "/" + inputs[i].name + "/" + inputs[j].name,
                             core::si_unit(words.position / inputs[i].dimension / inputs[j].dimension)});
    }
  return columns;
}

}  // namespace

CoefficientRows::CoefficientRows(const kinematics::DrivenMechanism& driven)
    : coefficients_(driven), columns_(coefficient_columns(driven.mechanism())) {}

std::span<const double> CoefficientRows::at(const Row& row) {
  const kinematics::VelocityCoefficients& found = coefficients_.at(row.t, row.bodies);
  row_.clear();
  for (Eigen::Index r = 0; r < found.K.rows(); ++r) {
    for (Eigen::Index i = 0; i < found.K.cols(); ++i) row_.push_back(found.K(r, i));
    for (std::size_t i = 0; i < found.L.size(); ++i)
      for (Eigen::Index j = static_cast<Eigen::Index>(i); j < found.K.cols(); ++j)
        row_.push_back(found.L[i](r, j));
  }
  return row_;
}

}  // namespace eslabon::runs
