#include "eslabon/study/study_file.hpp"

#include <algorithm>
#include <charconv>
#include <filesystem>

#include "eslabon/core/fnv1a.hpp"
#include "eslabon/core/text/nearest_name.hpp"
#include "eslabon/io/mechanism/map_reader.hpp"
#include "eslabon/io/mechanism/readable_error.hpp"
#include "eslabon/study/filter_settings.hpp"

namespace eslabon::study {

namespace {

using io::MapReader;
using io::Node;
using Kind = StudySubject::Kind;

/// Of what a try computes: another number makes journals of before strange.
constexpr std::string_view kVersion = "study 1";

constexpr int kMostTries = 1'000'000;
constexpr std::size_t kMostPoints = 100'000;
constexpr double kLongest = 1e6;  // [s]

/// Reads one file; the names of the functions are those of its keys.
class StudyReader {
 public:
  explicit StudyReader(const io::Document& document)
      : document_(document), reading_(document, parameters_, true) {}

  StudyFile read() {
    MapReader root(reading_, document_.root, "study");
    // A misspelt key is the first thing to say: what it leaves out would only be said to be missing.
    for (const char* key :
         {"study", "description", "model", "parameters", "truth", "release", "branch", "sensors", "filter",
          "start", "options", "sweep", "tries", "seed", "converged", "rmse"})
      root.find(key);
    root.finish();
    study_.file_name = document_.file_name;
    study_.title = text(root, "study", "what the study is about");
    root.text("description");
    study_.model = model(text(root, "model", "a mechanism file, or a family"));
    read_truth(root.need("truth", "the true motion, such as '{start: model, until: 2 s}'"));
    if (const Node* node = root.find("parameters")) read_parameters(*node, Kind::kParameter, "parameters");
    if (const Node* node = root.find("release")) study_.release = names(*node, "release");
    study_.branch = root.text("branch");
    if (const Node* node = root.find("sensors")) read_sensors(*node);
    if (const Node* node = root.find("filter")) set({Kind::kFilter}, value(*node, "filter"));
    study_.is_filter_unknown = root.has("start") && is_unknown(*root.find("start"), "start");
    if (const Node* node = root.find("options")) read_options(*node);
    if (const Node* node = root.find("sweep")) read_sweep(*node);
    study_.tries = static_cast<int>(whole(root, "tries", 100, 1, kMostTries));
    study_.seed = whole(root, "seed", 1, 0, INT64_MAX);
    read_criteria(
        root.need("converged", "outputs and how near they must come, such as 'crank.angle: 5 deg'"));
    read_rmse(root);
    return std::move(study_);
  }

 private:
  [[noreturn]] void fail(const Node& node, const std::string& element, std::string what, std::string expected,
                         const std::string& next) const {
    reading_.fail(node, element, std::move(what), std::move(expected),
                  node.is_scalar() ? "'" + node.text() + "'" : std::string(node.kind_name()), next);
  }

  std::string text(MapReader& map, const char* key, const char* what_for) {
    const Node& node = map.need(key, what_for);
    const std::string& found = reading_.text(node, map.element(), key);
    if (found.empty())
      fail(node, map.element(), std::string(key) + " is empty", what_for, "Write it after the colon.");
    return found;
  }

  std::string model(const std::string& word) const {
    if (word.starts_with("family:")) return word;
    return (std::filesystem::path(document_.file_name).parent_path() / word).lexically_normal().string();
  }

  /// One text, or a list of them that is one value.
  StudyValue value(const Node& node, const std::string& element, bool may_be_list = false) const {
    StudyValue out{{}, document_.place(node, element)};
    if (may_be_list && node.is_sequence())
      for (const Node& item : node.items()) out.texts.push_back(reading_.text(item, element, "value"));
    else
      out.texts.push_back(reading_.text(node, element, "value"));
    if (out.texts.empty() || std::ranges::find(out.texts, "") != out.texts.end())
      fail(node, element, "a value is empty", "a text", "Give it a value, or remove the key.");
    return out;
  }

  void set(StudySubject subject, StudyValue text) {
    study_.settings.push_back({std::move(subject), std::move(text)});
  }

  bool is_unknown(const Node& node, const std::string& element) const {
    const std::string& word = reading_.text(node, element, "start");
    if (word != "unknown" && word != "model")
      fail(node, element, "this start is not known",
           "'model', that of the mechanism file, or 'unknown': any position on any branch",
           "Write one of these.");
    return word == "unknown";
  }

  core::Duration time(const Node& node, const std::string& element, const std::string& key,
                      double least) const {
    const double seconds = reading_.number(node, element, key, io::kTime);
    if (!(seconds >= least && seconds <= kLongest))
      fail(node, element, key + " is out of range",
           least > 0.0 ? "a time from 1 ns to 1e6 s" : "a time from 0 s to 1e6 s",
           "Write, for example, '2 s'.");
    return core::Duration::from_seconds(seconds);
  }

  void read_truth(const Node& node) {
    MapReader map(reading_, node, "truth");
    if (const Node* start = map.find("start")) study_.is_truth_unknown = is_unknown(*start, "truth");
    study_.until = time(map.need("until", "the end of the motion, such as '2 s'"), "truth", "until", 1e-9);
    if (const Node* parameters = map.find("parameters"))
      read_parameters(*parameters, Kind::kTruthParameter, "truth, parameters");
    map.finish();
  }

  void read_parameters(const Node& node, Kind kind, const std::string& element) {
    const MapReader map(reading_, node, element);
    for (const io::Entry& entry : node.entries())
      set({kind, entry.key.text()}, value(entry.value, element + ", " + entry.key.text()));
  }

  std::vector<std::string> names(const Node& node, const std::string& element) const {
    return value(node, element, true).texts;
  }

  /// [a, b], or {a: {noise: …, rate: …}, b: {}}.
  void read_sensors(const Node& node) {
    if (!node.is_map()) {
      set({Kind::kSensors}, value(node, "sensors", true));
      return;
    }
    StudyValue chosen{{}, document_.place(node, "sensors")};
    for (const io::Entry& entry : node.entries()) {
      const std::string element = "sensor '" + entry.key.text() + "'";
      MapReader map(reading_, entry.value, element);
      if (const Node* noise = map.find("noise"))
        set({Kind::kSensorNoise, entry.key.text()}, value(*noise, element));
      if (const Node* rate = map.find("rate"))
        set({Kind::kSensorRate, entry.key.text()}, value(*rate, element));
      map.finish();
      chosen.texts.push_back(entry.key.text());
    }
    if (chosen.texts.empty())
      fail(node, "sensors", "there are no sensors", "names of sensors of the mechanism",
           "Leave the key out to use all of them.");
    set({Kind::kSensors}, std::move(chosen));
  }

  static const FilterSetting* find_option(std::string_view name) {
    const FilterSetting* const found = find_filter_setting(name);
    return found != nullptr && found->is_of_studies() ? found : nullptr;
  }

  StudyValue option_value(const FilterSetting& option, const Node& node, const std::string& element) const {
    StudyValue out = value(node, element, option.kind() == FilterSetting::Kind::kList);
    if (option.kind() == FilterSetting::Kind::kFlag && out.texts[0] != "true" && out.texts[0] != "false")
      fail(node, element, "this option is on or off", "true or false", "Write one of these.");
    return out;
  }

  void read_options(const Node& node) {
    const MapReader map(reading_, node, "options");
    for (const io::Entry& entry : node.entries()) {
      const FilterSetting* const option = find_option(entry.key.text());
      if (option == nullptr) fail_option(entry.key);
      const std::string name(option->name());
      set({Kind::kOption, name}, option_value(*option, entry.value, "options, " + name));
    }
  }

  static std::vector<std::string> option_names() {
    std::vector<std::string> known;
    for (const FilterSetting& option : filter_settings())
      if (option.is_of_studies()) known.emplace_back(option.name());
    return known;
  }

  [[noreturn]] void fail_option(const Node& key) const {
    const std::vector<std::string> known = option_names();
    const auto nearest = core::nearest_name(key.text(), known);
    fail(key, "options", "unknown option '" + key.text() + "'",
         "an option of 'eslabon estimate' without '--': " + core::quoted_list(known),
         nearest ? "Did you mean '" + *nearest + "'?" : "The help of 'eslabon estimate' describes them.");
  }

  /// What a key of `sweep` means; nothing when it means nothing.
  std::optional<StudySubject> subject(const std::string& key) const {
    if (key == "filter") return StudySubject{Kind::kFilter};
    if (key == "sensors") return StudySubject{Kind::kSensors};
    const auto rest = [&](const char* prefix) { return key.substr(std::string_view(prefix).size()); };
    if (key.starts_with("parameters.")) return StudySubject{Kind::kParameter, rest("parameters.")};
    if (key.starts_with("truth.")) return StudySubject{Kind::kTruthParameter, rest("truth.")};
    if (key.starts_with("sensors.")) {
      const std::string name = rest("sensors.");
      const std::size_t dot = name.rfind('.');
      if (dot == std::string::npos) return std::nullopt;
      const std::string field = name.substr(dot + 1);
      if (field == "noise") return StudySubject{Kind::kSensorNoise, name.substr(0, dot)};
      if (field == "rate") return StudySubject{Kind::kSensorRate, name.substr(0, dot)};
      return std::nullopt;
    }
    if (find_option(key) != nullptr) return StudySubject{Kind::kOption, key};
    return std::nullopt;
  }

  void read_sweep(const Node& node) {
    const MapReader map(reading_, node, "sweep");
    std::size_t points = 1;
    for (const io::Entry& entry : node.entries()) {
      const std::string& key = entry.key.text();
      const std::string element = "sweep, " + key;
      const auto found = subject(key);
      if (!found) fail_axis(entry.key);
      if (!entry.value.is_sequence() || entry.value.items().empty())
        fail(entry.value, element, "the values of a sweep are not a list", "a list such as [10, 20, 50]",
             "Put the values in brackets, with commas between them.");
      StudyAxis axis{key, *found, {}};
      const FilterSetting* const option = found->kind == Kind::kOption ? find_option(key) : nullptr;
      for (const Node& item : entry.value.items()) {
        axis.values.push_back(option != nullptr ? option_value(*option, item, element)
                                                : value(item, element, found->kind == Kind::kSensors));
        const auto same = [&](const StudyValue& other) { return other.texts == axis.values.back().texts; };
        if (std::ranges::count_if(axis.values, same) > 1)
          fail(item, element, "a value is listed twice", "each value once", "Remove one.");
      }
      points *= axis.values.size();
      if (points > kMostPoints)
        fail(entry.value, element, "the sweeps have too many points",
             "at most " + std::to_string(kMostPoints) + ", all values times each other",
             "Sweep over fewer values.");
      study_.axes.push_back(std::move(axis));
    }
  }

  [[noreturn]] void fail_axis(const Node& key) const {
    std::vector<std::string> known = option_names();
    known.insert(known.begin(), {"filter", "sensors"});
    const auto nearest = core::nearest_name(key.text(), known);
    fail(key, "sweep", "this cannot be swept",
         "filter, sensors, an option of the filter, parameters.NAME, truth.NAME, sensors.NAME.noise or "
         "sensors.NAME.rate",
         nearest ? "Did you mean '" + *nearest + "'?" : "Write one of these with a list of values.");
  }

  std::uint64_t whole(MapReader& map, const char* key, std::uint64_t otherwise, std::uint64_t least,
                      std::uint64_t most) {
    const Node* node = map.find(key);
    if (node == nullptr) return otherwise;
    const std::string& found = reading_.text(*node, map.element(), key);
    std::uint64_t number = 0;
    const auto [end, error] = std::from_chars(found.data(), found.data() + found.size(), number);
    if (error != std::errc() || end != found.data() + found.size() || number < least || number > most)
      fail(*node, map.element(), std::string(key) + " is not a number of that kind",
           "a whole number from " + std::to_string(least) + " to " + std::to_string(most),
           "Write, for example, '" + std::string(key) + ": " + std::to_string(otherwise) + "'.");
    return number;
  }

  void read_criteria(const Node& node) {
    const MapReader map(reading_, node, "converged");
    for (const io::Entry& entry : node.entries())
      study_.criteria.push_back({entry.key.text(), value(entry.value, "converged, " + entry.key.text())});
    if (study_.criteria.empty())
      fail(node, "converged", "no output defines convergence", "an output and how near it must come",
           "Write, for example, {crank.angle: 5 deg}.");
  }

  void read_rmse(MapReader& root) {
    study_.rmse_from = core::Duration::from_nanoseconds(study_.until.nanoseconds() / 2);
    const Node* node = root.find("rmse");
    if (node == nullptr) return;
    MapReader map(reading_, *node, "rmse");
    const Node& from = map.need("from", "the time from which errors count, such as '1 s'");
    study_.rmse_from = time(from, "rmse", "from", 0.0);
    if (study_.rmse_from > study_.until)
      fail(from, "rmse", "errors count from a time after the end", "a time before 'until' of the truth",
           "Take an earlier one.");
    map.finish();
  }

  const io::Document& document_;
  io::ParameterTable parameters_;
  io::Reading reading_;
  StudyFile study_;
};

/// Texts that cannot run into each other.
void add(std::string& out, std::string_view text) {
  out += std::to_string(text.size()) + ":";
  out += text;
}

void add(std::string& out, const StudySubject& subject) {
  add(out, std::to_string(static_cast<int>(subject.kind)));
  add(out, subject.name);
}

void add(std::string& out, const std::vector<std::string>& texts) {
  add(out, std::to_string(texts.size()));
  for (const std::string& text : texts) add(out, text);
}

}  // namespace

std::string StudyValue::shown() const {
  std::string out;
  for (const std::string& text : texts) out += (out.empty() ? "" : "+") + text;
  std::ranges::replace(out, ',', '+');
  return out;
}

StudyFile read_study(std::string_view text, const std::string& file_name) {
  try {
    const io::Document document = io::read_document(text, file_name);
    return StudyReader(document).read();
  } catch (const core::ModelError& error) {
    throw io::readable(error);
  }
}

std::string study_meaning(const StudyFile& study) {
  std::string out;
  add(out, study.is_truth_unknown ? "unknown" : "model");
  add(out, study.is_filter_unknown ? "unknown" : "model");
  add(out, std::to_string(study.until.nanoseconds()));
  add(out, std::to_string(study.rmse_from.nanoseconds()));
  add(out, study.release);
  add(out, study.branch ? "branch" : "no branch");
  add(out, study.branch.value_or(""));
  for (const StudySetting& setting : study.settings) {
    add(out, setting.subject);
    add(out, setting.value.texts);
  }
  add(out, "sweep");
  for (const StudyAxis& axis : study.axes) {
    add(out, axis.subject);
    add(out, std::to_string(axis.values.size()));
    for (const StudyValue& value : axis.values) add(out, value.texts);
  }
  add(out, "converged");
  for (const StudyCriterion& criterion : study.criteria) {
    add(out, criterion.output);
    add(out, criterion.within.texts);
  }
  add(out, std::to_string(study.seed));
  return out;
}

std::uint64_t study_hash(const StudyFile& study) {
  return core::fnv1a(std::string(kVersion) + study_meaning(study));
}

}  // namespace eslabon::study
