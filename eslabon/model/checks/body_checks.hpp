#pragma once

#include "eslabon/model/descriptions.hpp"
#include "eslabon/model/elements/element_place.hpp"

/// Checks of bodies and what is fixed to them. Private to layer model. Each throws core::ModelError.
namespace eslabon::model::detail {

/// One named thing of a body, by itself: its name and its numbers.
void check_point(const NamedPoint& point, bool is_planar, const Place& place);
void check_axis(const NamedAxis& axis, bool is_planar, const Place& place);
void check_frame(const NamedFrame& frame, bool is_planar, const Place& place);

/// Points and frames of one body share one set of names, axes have another. `is_taken` says that the name is
/// there.
void check_marker_is_new(bool is_taken, const Place& place, const Field& field);

/// A shape that is drawn only. `points`: those of its body, for the ends of a bar.
void check_visual(const Shape& visual, const std::vector<NamedPoint>& points, bool is_planar,
                  const Place& place);

/// The body that the description stands for, mass properties completed from the shape. In planar mechanisms
/// all of I_BC_B but the moment about z is 0.
Body make_body(BodyDescription description, bool is_planar);

}  // namespace eslabon::model::detail
