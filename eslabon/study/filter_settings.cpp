#include "eslabon/study/filter_settings.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <span>
#include <utility>

#include "eslabon/io/quantities/setting_text.hpp"
#include "eslabon/runs/request_error.hpp"
#include "eslabon/study/unknown_text.hpp"

namespace eslabon::study {

/// What was written for a setting, to values.
class FilterSetting::Text {
 public:
  Text(std::string_view setting, const std::vector<std::string>& texts, const model::Mechanism& mechanism)
      : field_(field_of(setting)), said_(runs::field(field_)), texts_(texts), mechanism_(mechanism) {}

  double number(const io::Dimension& dimension = io::kNumber) const {
    return io::read_number(said_, texts_.front(), dimension);
  }
  int whole() const {
    return static_cast<int>(io::read_whole(said_, texts_.front(), std::numeric_limits<int>::max()));
  }
  std::uint64_t seed() const {
    return io::read_whole(said_, texts_.front(), std::numeric_limits<std::uint64_t>::max());
  }
  core::Duration time(const std::string& meaning) const {
    return io::read_time(said_, meaning, texts_.front());
  }
  core::Duration time_from_zero(const std::string& meaning) const {
    return io::read_time_from_zero(said_, meaning, texts_.front());
  }
  /// One of these.
  const std::string& word(const std::string& what, const std::vector<std::string>& known) const {
    runs::require_known(field_, "unknown " + what, texts_.front(), known);
    return texts_.front();
  }
  bool flag() const { return texts_.front() == "true"; }
  std::vector<runs::UnknownRequest> unknowns() const {
    std::vector<runs::UnknownRequest> list;
    for (const std::string& text : texts_) list.push_back(read_unknown(text, mechanism_));
    return list;
  }

 private:
  std::string field_, said_;
  const std::vector<std::string>& texts_;
  const model::Mechanism& mechanism_;
};

namespace {

using Text = FilterSetting::Text;
using Request = runs::EstimateRequest;

constexpr bool kNotOfStudies = false;

/// Settings by words, and their fields.
constexpr std::array<std::pair<std::string_view, std::string_view>, 2> kOtherNames{
    {{"jacobian", "simple_jacobian"}, {"start", "has_unknown_start"}}};

bool is_among(const runs::UnknownRequest& unknown, std::span<const runs::UnknownRequest> list) {
  return std::ranges::any_of(list, [&](const runs::UnknownRequest& one) {
    return one.kind == unknown.kind && one.name == unknown.name;
  });
}

std::vector<std::string> resampling_names() {
  return {"multinomial", "residual", "stratified", "systematic"};
}
std::vector<std::string> particle_variant_names() { return {"bootstrap", "regularised", "auxiliary"}; }
std::vector<std::string> jacobian_names() { return {"exact", "simple"}; }
std::vector<std::string> step_rule_names() { return {"euler", "heun", "rk4"}; }

}  // namespace

const std::vector<FilterSetting>& filter_settings() {
  static const std::vector<FilterSetting> kSettings{
      {"gate", [](const Text& text, Request& request) { request.gate = text.number(); }},
      {"window", [](const Text& text, Request& request) { request.window = text.time_from_zero("window"); },
       FilterSetting::Kind::kValue, kNotOfStudies},
      {"step", [](const Text& text, Request& request) { request.step = text.time("step"); }},
      {"every", [](const Text& text, Request& request) { request.every = text.time("time from row to row"); },
       FilterSetting::Kind::kValue, kNotOfStudies},
      {"until", [](const Text& text, Request& request) { request.until = text.time("end"); },
       FilterSetting::Kind::kValue, kNotOfStudies},
      {"jacobian",
       [](const Text& text, Request& request) {
         request.simple_jacobian = text.word("Jacobian", jacobian_names()) == "simple";
       },
       jacobian_names},
      {"integrator",
       [](const Text& text, Request& request) {
         request.integrator = estimation::find_step_rule(text.word("integrator", step_rule_names()));
       },
       step_rule_names},
      {"start-deviation",
       [](const Text& text, Request& request) { request.start_deviation = text.number(io::kAngle); }},
      {"start-rate-deviation",
       [](const Text& text, Request& request) {
         request.start_rate_deviation = text.number(io::kAngularVelocity);
       }},
      {"position-noise", [](const Text& text, Request& request) { request.position_noise = text.number(); }},
      {"velocity-noise", [](const Text& text, Request& request) { request.velocity_noise = text.number(); }},
      {"acceleration-noise",
       [](const Text& text, Request& request) { request.acceleration_noise = text.number(); }},
      {"unknown",
       [](const Text& text, Request& request) {
         const std::vector<runs::UnknownRequest> before = std::move(request.unknown);
         request.unknown = text.unknowns();
         const std::size_t count = request.unknown.size();
         for (const runs::UnknownRequest& one : before)
           if (!is_among(one, std::span(request.unknown).first(count))) request.unknown.push_back(one);
       },
       FilterSetting::Kind::kList},
      {"forces", [](const Text& text, Request& request) { request.forces = text.flag(); },
       FilterSetting::Kind::kFlag},
      {"force-deviation",
       [](const Text& text, Request& request) { request.force_deviation = text.number(); }},
      {"force-walk", [](const Text& text, Request& request) { request.force_walk = text.number(); }},
      {"particles", [](const Text& text, Request& request) { request.particle.particles = text.whole(); }},
      {"fewest", [](const Text& text, Request& request) { request.particle.fewest = text.whole(); }},
      {"resampling",
       [](const Text& text, Request& request) {
         request.particle.resampling =
             estimation::find_resampling(text.word("resampling", resampling_names()));
       },
       resampling_names},
      {"threshold", [](const Text& text, Request& request) { request.particle.threshold = text.number(); }},
      {"sampling",
       [](const Text& text, Request& request) {
         request.particle.sampling =
             estimation::find_particle_variant(text.word("sampling", particle_variant_names()));
       },
       particle_variant_names},
      {"motion",
       [](const Text& text, Request& request) { request.particle.motion = text.number(io::kAngle); }},
      {"roughening",
       [](const Text& text, Request& request) {
         request.particle.roughening = text.number(io::kAngularVelocity);
       }},
      {"sensor-factor",
       [](const Text& text, Request& request) { request.particle.sensor_factor = text.number(); }},
      {"seed", [](const Text& text, Request& request) { request.particle.seed = text.seed(); },
       FilterSetting::Kind::kValue, kNotOfStudies},
      {"threads", [](const Text& text, Request& request) { request.particle.threads = text.whole(); }},
  };
  return kSettings;
}

const FilterSetting* find_filter_setting(std::string_view name) {
  const auto found = std::ranges::find(filter_settings(), name, &FilterSetting::name);
  return found == filter_settings().end() ? nullptr : &*found;
}

std::string field_of(std::string_view setting) {
  for (const auto& [other, field] : kOtherNames)
    if (other == setting) return std::string(field);
  std::string field(setting);
  std::ranges::replace(field, '-', '_');
  return field;
}

std::string setting_of(std::string_view field) {
  for (const auto& [setting, other] : kOtherNames)
    if (other == field) return std::string(setting);
  std::string setting(field);
  std::ranges::replace(setting, '_', '-');
  return setting;
}

void FilterSetting::set(runs::EstimateRequest& request, const std::vector<std::string>& texts,
                        const model::Mechanism& mechanism) const {
  try {
    read_(Text(name_, texts, mechanism), request);
  } catch (const runs::RequestError&) {
    throw;
  } catch (const core::ModelError& error) {
    throw runs::RequestError(error.text());
  }
}

}  // namespace eslabon::study
