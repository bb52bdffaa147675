#pragma once

#include <string>

#include "eslabon/model/mechanism.hpp"
#include "eslabon/structure/structure.hpp"

namespace eslabon::io {

/// The structural graph [Seed001, §2.1.2]: a circle for each link, as many lines between two links as their
/// joint leaves degrees of freedom, thick for inputs, an arrow to the link that takes the joint with it.
std::string structural_graph_svg(const model::Mechanism& mechanism, const structure::Structure& structure);
std::string structural_graph_dot(const model::Mechanism& mechanism, const structure::Structure& structure);

/// The structural diagram [Seed001, §2.1.3]: a circle (links, inputs) for each group, an arrow from every
/// group, or from the ground, that it needs.
std::string structural_diagram_svg(const model::Mechanism& mechanism, const structure::Structure& structure);
std::string structural_diagram_dot(const model::Mechanism& mechanism, const structure::Structure& structure);

}  // namespace eslabon::io
