#pragma once

#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "eslabon/model/mechanism.hpp"

/// Mechanisms that follow from a few numbers: `family:scalable-fourbar,dyads=17` where a file name could
/// stand. docs/families.md says where each number in them comes from.
namespace eslabon::model {

enum class FamilyKeyKind { kInteger, kReal };

/// A number that a family can be given. All bounds are allowed values themselves.
struct FamilyKey {
  std::string name;
  std::string meaning;  ///< with its unit, for a person
  FamilyKeyKind kind;
  double default_value;  ///< SI units; what the source work uses, where it uses one
  double minimum;
  double maximum;
};

struct Family {
  std::string name;
  std::string summary;  ///< one line
  std::vector<FamilyKey> keys;
};

/// Every family, in the order of their registration. Safe to call from any thread.
const std::vector<Family>& families();

/// The member of the family with these values; keys left out have their default. Values are numbers in SI
/// units. Cost: linear in the number of bodies. Throws core::ModelError for an unknown family or key and for
/// a value that is missing, not a number or out of range; `where` reads  family 'NAME'  or  family 'NAME',
/// key 'KEY'.
Mechanism make_family(std::string_view name, const std::map<std::string, std::string>& values);

/// The same from the text "NAME,key=value,…" (what follows `family:`). A key given twice is an error too.
Mechanism make_family(std::string_view specification);

/// The keys of the family of such a text, in their order, with the values that they have in it. Throws as make_family.
std::vector<std::pair<FamilyKey, double>> family_values(std::string_view specification);

}  // namespace eslabon::model
