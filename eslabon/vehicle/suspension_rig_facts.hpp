#pragma once

#include <optional>
#include <string>
#include <vector>

#include "eslabon/io/files/csv_header.hpp"
#include "eslabon/recording/files/provenance.hpp"
#include "eslabon/report/report.hpp"
#include "eslabon/vehicle/suspension_rig_run.hpp"

/// What is told of a run on the suspension rig, in the same words wherever it is shown: angles in degrees, ways in millimetres.
namespace eslabon::vehicle {

std::vector<report::Fact> kc_facts(const KcResult& result);

/// Figures of an axle where nothing is moved, some rows of each of its sweeps, its compliances.
std::vector<report::Table> kc_tables(const KcResult& result, const KcAxle& axle);

/// Charts and tables of all axles, and the vehicle as it moves through all sweeps.
report::Report kc_report(const KcResult& result, const model::Mechanism& mechanism);

/// FILE.axle1.travel.csv and so on of FILE.csv, for each axle and kind of sweep that a vehicle may have.
std::vector<std::string> kc_files(const std::string& out, std::size_t axles);
/// Writes the sweeps that there are, and tells which files these are. Throws core::ModelError when one cannot be written.
std::vector<std::string> write_kc_files(const std::string& out, const KcResult& result,
                                        io::HeaderStyle header);

/// For programs, one JSON object; its keys are a contract, docs/command-line.md lists them.
std::string kc_json(const KcResult& result, const std::vector<std::string>& files,
                    const recording::Provenance& provenance);

}  // namespace eslabon::vehicle
