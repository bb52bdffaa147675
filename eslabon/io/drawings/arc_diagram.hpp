#pragma once

#include <string>
#include <vector>

namespace eslabon::io {

/// A picture of things in a row that stand on a common base: nodes on a line, arcs above it between nodes,
/// stems below it to the base. No arc can hide a node, so it stays readable for any graph; it is as wide as
/// it has nodes.
struct ArcDiagram {
  struct Node {
    std::string label;      ///< in the circle
    std::string title;      ///< shown by viewers when the pointer rests on it
    int lines_to_base = 0;  ///< thin and thick lines of the stem
    int thick_to_base = 0;
    std::string stem_label;
    bool has_arrow = false;  ///< from the base to the node
  };
  struct Arc {
    int from = 0;
    int to = 0;
    int lines = 1;  ///< parallel lines, thick ones among them
    int thick = 0;
    std::string label;
    bool has_arrow = false;  ///< at `to`
  };
  struct Box {
    int first = 0;  ///< nodes first … last stand in it
    int last = 0;
    std::string label;
  };

  std::string title;
  std::string caption;  ///< one line under the picture that says how to read it
  std::string base_label;
  std::vector<Node> nodes;
  std::vector<Arc> arcs;
  std::vector<Box> boxes;
};

/// The picture as a stand-alone SVG document. Deterministic: the same diagram gives the same bytes.
std::string write_svg(const ArcDiagram& diagram);

}  // namespace eslabon::io
