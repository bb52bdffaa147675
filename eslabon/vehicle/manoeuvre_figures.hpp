#pragma once

#include <string>
#include <vector>

#include "eslabon/core/column.hpp"
#include "eslabon/core/result_table.hpp"
#include "eslabon/vehicle/manoeuvre_plan.hpp"
#include "eslabon/vehicle/vehicle_layout.hpp"

namespace eslabon::vehicle {

/// One number that a manoeuvre is run for.
struct Figure {
  std::string key;    ///< "understeer_gradient"
  std::string label;  ///< "Understeer gradient"
  double value = 0.0;
  std::string unit;  ///< SI
};

/// A rule of a standard, kept or not.
struct Verdict {
  std::string key;
  std::string label;
  bool passed = false;
  std::string text;  ///< what it was measured by
};

/// Numbers by stages, or over the frequency.
struct FigureTable {
  std::string key;
  std::string title;
  std::vector<core::Column> columns;
  std::vector<std::vector<double>> rows;
};

/// What a manoeuvre told. Of one to the right all signs are those of its mirror image: left and right have equal figures.
struct ManoeuvreFigures {
  std::vector<Figure> figures;
  std::vector<Verdict> verdicts;
  std::vector<FigureTable> tables;
  std::vector<bool> hit_cones;  ///< (cones of the course)

  void add(std::string key, std::string label, double value, std::string unit) {
    figures.push_back({std::move(key), std::move(label), value, std::move(unit)});
  }
};

/// `rows`: those of manoeuvre_mechanism, with the outputs of with_manoeuvre_outputs; one at least.
ManoeuvreFigures figures_of(const ManoeuvrePlan& plan, const VehicleLayout& layout,
                            const core::ResultTable& rows);

}  // namespace eslabon::vehicle
