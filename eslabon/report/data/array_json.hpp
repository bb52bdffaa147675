#pragma once

namespace eslabon::report {

/// What each element of a list becomes. `Json` is nlohmann::json, which users of the installed library need not have.
template <class Json, class List, class ToJson>
Json array_json(const List& list, ToJson to_json) {
  Json out = Json::array();
  for (const auto& element : list) out.push_back(to_json(element));
  return out;
}

}  // namespace eslabon::report
