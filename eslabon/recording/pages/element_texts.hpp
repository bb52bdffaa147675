#pragma once

#include <optional>
#include <string>
#include <vector>

#include "eslabon/model/mechanism.hpp"

/// Drivers and loads of a mechanism as text: what the file says, with parameters as numbers, SI units.
namespace eslabon::recording {

struct DriverText {
  std::string name;
  std::string target;           ///< "A.q"
  std::string level;            ///< "position", "speed" or "acceleration": what is prescribed
  std::string law;              ///< a number, or an expression of the time t: "0.1*sin(2*t)"
  std::string unit;             ///< of the law: "rad/s"
  std::string target_unit;      ///< "rad"
  std::optional<double> start;  ///< of the target at t = 0; none: where it is assembled
};
std::vector<DriverText> driver_texts(const model::Mechanism& mechanism);

struct LoadText {
  std::string name;
  std::string kind;  ///< "force" or "torque"
  std::string on;    ///< point, body or joint coordinate: "coupler.P3", "bob", "A.q"
  std::vector<std::string>
      components;             ///< numbers, or expressions of the time t; one for what turns or slides
  std::string unit;           ///< "N" or "N*m"
  bool in_body_axes = false;  ///< otherwise world axes
};
std::vector<LoadText> load_texts(const model::Mechanism& mechanism);

}  // namespace eslabon::recording
