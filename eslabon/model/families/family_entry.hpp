#pragma once

#include <map>
#include <set>
#include <string>
#include <utility>

#include "eslabon/model/families/family.hpp"

/// What family.cpp and the files of the families share; nothing for users.
namespace eslabon::model::detail {

/// One checked value for every key of a family.
class FamilyValues {
 public:
  FamilyValues(std::map<std::string, double> values, std::set<std::string> given)
      : values_(std::move(values)), given_(std::move(given)) {}
  double real(const std::string& key) const { return values_.at(key); }
  int integer(const std::string& key) const { return static_cast<int>(values_.at(key)); }
  /// Whether the user wrote it; otherwise it has its default.
  bool is_given(const std::string& key) const { return given_.contains(key); }

 private:
  std::map<std::string, double> values_;
  std::set<std::string> given_;
};

/// The name of one of many: crank_3.
inline std::string numbered(const char* word, int i) { return word + std::to_string(i); }

struct FamilyEntry {
  Family family;
  Mechanism (*make)(const FamilyValues& values);
};

// One per family, each in the .cpp of its name.
FamilyEntry scalable_fourbar_entry();
FamilyEntry truck_suspension_entry();
FamilyEntry n_fourbars_entry();

}  // namespace eslabon::model::detail
