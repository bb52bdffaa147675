#include "particle_words.hpp"

#include <array>
#include <charconv>
#include <limits>
#include <utility>

#include "command_line.hpp"
#include "command_reference.hpp"
#include "model_options.hpp"
#include <CLI/CLI.hpp>

#include "eslabon/io/dimension.hpp"
#include "eslabon/io/quantity.hpp"

namespace eslabon::cli {

namespace {

void set_whole(const std::string& option, const std::optional<std::string>& text, int& number) {
  if (text) number = static_cast<int>(read_whole(option, *text, std::numeric_limits<int>::max()));
}

void set_number(const std::string& option, const std::optional<std::string>& text,
                const io::Dimension& dimension, double& number) {
  if (!text) return;
  try {
    io::TextPlace place;
    place.source = option;
    const io::Quantity quantity = io::parse_quantity(*text, place);
    io::check_dimension(quantity.measure(), dimension, {.name = "value", .text = *text, .where = option});
    number = quantity.value;
  } catch (const core::ModelError& error) {
    throw CommandLineError(error.text());
  }
}

}  // namespace

std::uint64_t read_whole(const std::string& option, const std::string& text, std::uint64_t most) {
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error == std::errc() && end == text.data() + text.size() && number <= most) return number;
  throw CommandLineError({.what = "not a whole number",
                          .where = option,
                          .expected = "0, 1, 2, … up to " + std::to_string(most),
                          .actual = io::in_quotes(text),
                          .next = "Write, for example, " + option + " 200."});
}

void add_particle_options(CLI::App& command, ParticleWords& words) {
  begin_group(command, "Particle filter");
  command.add_option("--particles", words.particles, "Number of particles (1000)")->type_name("N");
  command
      .add_option(
          "--fewest", words.fewest,
          "Minimum number of particles, which then adapts to their spread, up to --particles (constant)")
      ->type_name("N");
  offer_words(command
                  .add_option("--resampling", words.resampling,
                              "multinomial, residual, stratified or systematic (systematic)")
                  ->type_name("NAME"),
              {"multinomial", "residual", "stratified", "systematic"});
  command
      .add_option("--threshold", words.threshold,
                  "Resample when the effective number falls below this fraction of all (0.5)")
      ->type_name("NUMBER");
  offer_words(
      command.add_option("--variant", words.variant, "bootstrap, regularised or auxiliary (bootstrap)")
          ->type_name("NAME"),
      {"bootstrap", "regularised", "auxiliary"});
  command
      .add_option("--motion", words.motion,
                  "Standard deviation that each step adds to positions, in rad or sizes of the mechanism (0)")
      ->type_name("ANGLE");
  command
      .add_option("--roughening", words.roughening,
                  "Standard deviation that resampling adds to rates, in rad/s or sizes/s (0)")
      ->type_name("RATE");
  command
      .add_option("--sensor-factor", words.sensor_factor,
                  "Factor on the noise of the sensors, as the filter assumes it (1)")
      ->type_name("NUMBER");
  command.add_option("--seed", words.seed, "Seed of all random numbers (1)")->type_name("N");
  command
      .add_option("--threads", words.threads,
                  "Number of threads; the result is bit-identical with any number (1)")
      ->type_name("N");
}

std::optional<std::string> first_particle_word(const ParticleWords& words) {
  const std::array<std::pair<const char*, const std::optional<std::string>*>, 10> all{
      {{"--particles", &words.particles},
       {"--fewest", &words.fewest},
       {"--resampling", &words.resampling},
       {"--threshold", &words.threshold},
       {"--variant", &words.variant},
       {"--motion", &words.motion},
       {"--roughening", &words.roughening},
       {"--sensor-factor", &words.sensor_factor},
       {"--seed", &words.seed},
       {"--threads", &words.threads}}};
  for (const auto& [name, word] : all)
    if (*word) return name;
  return std::nullopt;
}

estimation::ParticleOptions read_particle_options(const ParticleWords& words) {
  estimation::ParticleOptions options;
  set_whole("--particles", words.particles, options.particles);
  set_whole("--fewest", words.fewest, options.fewest);
  set_whole("--threads", words.threads, options.threads);
  if (words.seed) options.seed = read_whole("--seed", *words.seed, std::numeric_limits<std::uint64_t>::max());
  set_number("--threshold", words.threshold, io::kNumber, options.threshold);
  set_number("--motion", words.motion, io::kAngle, options.motion);
  set_number("--roughening", words.roughening, io::kAngularVelocity, options.roughening);
  set_number("--sensor-factor", words.sensor_factor, io::kNumber, options.sensor_factor);
  if (words.resampling) {
    check_word("--resampling", "unknown resampling", *words.resampling,
               {"multinomial", "residual", "stratified", "systematic"});
    options.resampling = *estimation::find_resampling(*words.resampling);
  }
  if (words.variant) {
    check_word("--variant", "unknown variant", *words.variant, {"bootstrap", "regularised", "auxiliary"});
    options.variant = *estimation::find_particle_variant(*words.variant);
  }
  naming_option("--filter particle", [&] { check_options(options); });
  return options;
}

}  // namespace eslabon::cli
