#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "eslabon/estimation/particle_options.hpp"

namespace CLI {
class App;
}

namespace eslabon::cli {

/// The words of the command line for filters of many hypotheses, as they were typed.
struct ParticleWords {
  std::optional<std::string> particles, fewest, resampling, threshold, variant, motion, roughening,
      sensor_factor, seed, threads;
};

void add_particle_options(CLI::App& command, ParticleWords& words);

/// The first of them that was given: "--particles".
std::optional<std::string> first_particle_word(const ParticleWords& words);

/// A whole number from 0 to `most`. Throws CommandLineError for what is none.
std::uint64_t read_whole(const std::string& option, const std::string& text, std::uint64_t most);

/// Throws CommandLineError for what is no number or no such word; the filter says what is out of range.
estimation::ParticleOptions read_particle_options(const ParticleWords& words);

}  // namespace eslabon::cli
