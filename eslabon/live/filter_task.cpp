#include "eslabon/live/filter_task.hpp"

namespace eslabon::live {

void FilterTask::receive(const sensing::Reading& given) {
  sensing::Reading reading = given;
  if (!filter_.translate(reading)) return;
  if (!rows_due_) {  // the first
    filter_.begin_near(reading.t);
    rows_due_.emplace(filter_.run().now(), every_);
  }
  filter_.front_end().receive(reading);
}

bool FilterTask::step(core::Instant t, std::span<double> row) {
  filter_.front_end().advance(t + filter_.window());  // what is not there by now is late
  while (filter_.run().now() + filter_.run().step_size() <= t) filter_.step();
  if (!rows_due_ || !rows_due_->is_due(filter_.run().now())) return false;
  row[0] = filter_.run().now().seconds();
  filter_.fill_row(row.subspan(1));
  if (printer_ != nullptr) printer_->add(row);
  return true;
}

}  // namespace eslabon::live
