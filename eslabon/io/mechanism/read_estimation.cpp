// Section 'estimation'.

#include "eslabon/io/mechanism/estimation_section.hpp"
#include "eslabon/io/mechanism/flow_text.hpp"
#include "eslabon/io/mechanism/mechanism_sections.hpp"

namespace eslabon::io {

std::vector<EstimationSetting> read_estimation(Reading& reading, const Node& node) {
  const MapReader map(reading, node, "estimation");
  std::vector<EstimationSetting> settings;
  for (const Entry& entry : node.entries()) {
    const std::string& name = entry.key.text();
    const std::string element = map.element() + ", " + name;
    EstimationSetting setting{.name = name,
                              .texts = {},
                              .is_list = entry.value.is_sequence(),
                              .place = reading.place(entry.value, element)};
    if (setting.is_list)
      for (const Node& item : entry.value.items())
        setting.texts.push_back(reading.text(item, map.element(), name));
    else
      setting.texts.push_back(reading.text(entry.value, map.element(), name));
    settings.push_back(std::move(setting));
  }
  return settings;
}

std::string write_estimation(std::span<const EstimationSetting> settings) {
  std::string text;
  for (const EstimationSetting& setting : settings) {
    std::string values;
    for (const std::string& one : setting.texts) values += (values.empty() ? "" : ", ") + double_quoted(one);
    text += "  " + setting.name + ": " + (setting.is_list ? "[" + values + "]" : values) + "\n";
  }
  return text.empty() ? text : "estimation:\n" + text;
}

}  // namespace eslabon::io
