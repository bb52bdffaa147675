#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include <Eigen/Core>

#include "eslabon/core/text/error.hpp"
#include "eslabon/io/mechanism/document.hpp"
#include "eslabon/io/mechanism/file_numbers.hpp"
#include "eslabon/io/quantities/dimension.hpp"
#include "eslabon/io/quantities/parameter_table.hpp"
#include "eslabon/model/elements/time_function.hpp"

namespace eslabon::io {

class Reading;

/// Where the elements of a mechanism stand, "body 'front.left.hub'" and "body 'front.left.hub', mass", in whatever file.
struct ElementPlace {
  const Reading* reading = nullptr;
  Position position;
};
using ElementPlaces = std::unordered_map<std::string, ElementPlace>;

/// The instance of a part that a file is read for.
struct InstanceContext {
  std::string path;                 ///< "front.left"; empty for the file that is read first
  std::string chain;                ///< "in front.left (van.yaml:5:3)"; after it those that this one is in
  ElementPlaces* places = nullptr;  ///< shared by all files of a mechanism
  std::vector<std::string>* data_files =
      nullptr;  ///< the same: paths of files whose columns are read, each once
  /// Where the files of tyres come from; nothing: from the disk
  const std::function<std::string(const std::filesystem::path&)>* text_of_file = nullptr;
};

/// What the readers of all sections share while one file is read: the document, its parameters, and where
/// every element stands, so that what the model says about an element by name can be told with line and
/// column.
class Reading {
 public:
  /// `numbers`, where there are some, is told all numbers that are read, and may change them.
  Reading(const Document& document, const ParameterTable& parameters, bool is_planar,
          FileNumbers* numbers = nullptr, InstanceContext instance = {})
      : document_(document),
        parameters_(parameters),
        is_planar_(is_planar),
        numbers_(numbers),
        instance_(std::move(instance)) {}
  Reading(const Reading&) = delete;
  Reading& operator=(const Reading&) = delete;

  const Document& document() const { return document_; }
  const ParameterTable& parameters() const { return parameters_; }
  const InstanceContext& instance() const { return instance_; }
  /// Where a node stands, with the instance that it is read for.
  TextPlace place(const Node& node, const std::string& element = "") const;
  bool is_planar() const { return is_planar_; }
  /// Components of a vector in the file: 2 in the plane, 3 in space.
  int dimensions() const { return is_planar_ ? 2 : 3; }

  /// Remembers where an element ("body 'crank'"), or a field of it ("body 'crank', mass"), stands.
  void remember(const std::string& element, const Position& position) {
    places().insert_or_assign(full_element(element), ElementPlace{this, position});
  }
  /// The same of an element that has another name in the mechanism.
  void remember_as(const std::string& full_element, const Position& position) {
    places().insert_or_assign(full_element, ElementPlace{this, position});
  }

  /// Whether an element of that text was read.
  bool has_element(const std::string& element) const { return places().contains(full_element(element)); }

  /// Runs a step of the model's builder; adds file, line and column to what it throws.
  template <class Step>
  auto at_place(Step step) const {
    try {
      return step();
    } catch (const core::ModelError& error) {
      throw located(error);
    }
  }

  [[noreturn]] void fail(const Node& node, const std::string& element, std::string what, std::string expected,
                         std::string actual, std::string next) const;

  /// Fails for a value that follows from parameters that stay symbols: the parameters of a part are numbers.
  void forbid_symbols(const Node& node, const std::string& element) const;

  double number(const Node& node, const std::string& element, const std::string& field,
                const Dimension& dimension) const;
  /// A number that may measure anything.
  Quantity quantity(const Node& node, const std::string& element, const std::string& field) const;
  /// It may also be a table of the time, {table: [[t, x], …]} or {file: FILE.csv, column: NAME}.
  model::TimeFunction function(const Node& node, const std::string& element, const std::string& field,
                               const Dimension& dimension) const;
  /// "= …" with variables of the mechanism, and with t where it has_time.
  TimeExpression formula(const Node& node, const std::string& element, const ArgumentScope& arguments,
                         bool has_time) const;
  const std::string& text(const Node& node, const std::string& element, const std::string& field) const;
  /// The path of a file that a text names, from the folder of this one.
  std::string path(const Node& node, const std::string& element, const std::string& field) const;
  /// Adds the path of a file whose data are read to InstanceContext::data_files, once.
  void add_data_file(const std::string& path) const;
  /// A list of `count` numbers.
  std::vector<double> numbers(const Node& node, const std::string& element, const std::string& field,
                              const Dimension& dimension, std::size_t count) const;
  /// Two or three components, as the mechanism is planar or not; planar: z is 0.
  Eigen::Vector3d vector(const Node& node, const std::string& element, const std::string& field,
                         const Dimension& dimension) const;
  /// A list of `count` texts.
  std::vector<std::string> texts(const Node& node, const std::string& element, const std::string& field,
                                 std::size_t count) const;

  /// "body 'front.left.hub', mass" for "body 'hub', mass"
  std::string full_element(const std::string& element) const;

 private:
  ElementPlaces& places() { return instance_.places != nullptr ? *instance_.places : own_places_; }
  const ElementPlaces& places() const {
    return instance_.places != nullptr ? *instance_.places : own_places_;
  }
  core::ModelError located(const core::ModelError& error) const;
  /// 90 without a unit is 90 rad, which nobody means: angles of more than two turns must say their unit.
  void reject_bare_degrees(const Node& node, const std::string& element, const Dimension& dimension,
                           double value) const;
  void need_list(const Node& node, const std::string& element, const std::string& field, std::size_t count,
                 std::string_view of_what) const;
  void need_scalar(const Node& node, const std::string& element, const std::string& field,
                   std::string_view what, std::string_view expected) const;

  const Document& document_;
  const ParameterTable& parameters_;
  bool is_planar_;
  FileNumbers* numbers_;
  InstanceContext instance_;
  ElementPlaces own_places_;
};

/// A word that people write for a kind, and what it is called here.
struct KindSynonym {
  std::string_view written;
  std::string_view meant;
};

/// The kinds of something whose key says its kind: {revolute: …}, {disc: …}, {gyroscope: …}.
struct KindChoice {
  std::string_view what;                     ///< "joint type"
  std::vector<std::string> kinds;            ///< those there are
  std::string_view what_for;                 ///< what the key is followed by
  std::span<const std::string_view> others;  ///< keys that may stand beside it, and say no kind
  std::span<const KindSynonym> synonyms;
};

/// Reads one map of the file. Every key that is asked for is known; finish() rejects the others.
class MapReader {
 public:
  /// `element` as in messages ("body 'crank'", "ground"); remembers where it and each of its fields stand.
  MapReader(Reading& reading, const Node& node, std::string element);

  const std::string& element() const { return element_; }
  Reading& reading() const { return reading_; }
  const Node& node() const { return node_; }

  /// The value of a key, or null pointer; the key counts as known from now on.
  const Node* find(std::string_view key);
  /// The value of a key that must be there.
  const Node& need(std::string_view key, std::string_view what_for);
  bool has(std::string_view key) const { return node_.find(key) != nullptr; }

  std::optional<double> number(std::string_view key, const Dimension& dimension);
  double number_or(std::string_view key, const Dimension& dimension, double otherwise);
  std::optional<std::string> text(std::string_view key);
  std::optional<Eigen::Vector3d> vector(std::string_view key, const Dimension& dimension);

  /// The one key of `choices` that is there. Fails: ModelError when there is none or more than one.
  std::string need_one_of(const std::vector<std::string>& choices, std::string_view what_for);

  /// The one kind of `choice` that is there. Fails: ModelError when there is none or more than one; of an unknown kind with what is near.
  std::string need_kind(const KindChoice& choice);

  /// Fails: ModelError for the first key that nobody asked for, with the nearest one that somebody would.
  void finish() const;

 private:
  void add_known(std::string_view key);
  /// The key that seems to be meant as a kind; null pointer when there is none.
  const Node* meant_kind(const KindChoice& choice) const;
  [[noreturn]] void reject_unknown(const Node& key) const;

  Reading& reading_;
  const Node& node_;
  std::string element_;
  std::vector<std::string> known_;
};

}  // namespace eslabon::io
