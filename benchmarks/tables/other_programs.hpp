#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "benchmarks/tables/formulation_way.hpp"

/// Programs beside ours that the table of dynamics calls, one after another: the rivals, which are never linked, and what counts
/// instructions.
namespace eslabon::benchmarks {

/// Another program that simulates mechanisms.
struct Rival {
  std::string name;  ///< "simbody"
  std::string title;
  std::string version;
  std::string package;  ///< of Debian
  int most_dyads;       ///< beyond, one evaluation takes longer than anybody would wait
};
const std::vector<Rival>& rivals();

/// What a rival says about one mechanism.
struct RivalAnswer {
  double seconds = 0.0;     ///< of one evaluation
  double difference = 0.0;  ///< of its accelerations from ours, by the largest of ours
  std::string remark;       ///< how it was set; "-" for nothing to say
};

/// The executable of a rival. Throws core::ModelError with the package to install where it is missing.
std::filesystem::path rival_program(const Rival& rival);
RivalAnswer ask_rival(const Rival& rival, const std::string& model, const BenchCase& at);

/// Throws core::ModelError with what to install unless instructions can be counted.
void check_counting();
/// Instructions of one evaluation by callgrind.
double count_instructions(const std::string& model, const FormulationWay& way);
double count_instructions(const std::string& model, const Rival& rival);

}  // namespace eslabon::benchmarks
