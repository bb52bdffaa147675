#pragma once

#include <deque>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "eslabon/io/parts/file_reading.hpp"

namespace eslabon::io {

inline constexpr int kMaxPartDepth = 16;       ///< parts inside each other
inline constexpr int kMaxInstances = 100'000;  ///< of all parts of a mechanism

/// Gives the text of a file.
using TextOfFile = std::function<std::string(const std::filesystem::path&)>;

/// Reads the instances of parts that the files of one mechanism have, parts of parts included.
class InstanceReader {
 public:
  InstanceReader(model::MechanismBuilder& builder, Drawing& drawing, ElementPlaces& places,
                 std::vector<std::string>& data_files, bool is_planar, TextOfFile text_of_file)
      : builder_(builder),
        drawing_(drawing),
        places_(places),
        data_files_(data_files),
        is_planar_(is_planar),
        text_of_file_(std::move(text_of_file)) {}

  /// Other parts for instances of the first file, by their names: the values are paths, relative to it.
  struct Replacement {
    std::string path;
    TextPlace place;
  };
  using Replacements = std::map<std::string, Replacement, std::less<>>;

  /// Sections 'parts' and 'instances'.
  void read(FileReading& file, MapReader& root, const Replacements& replacements = {});
  /// Their forces and the formulas of their springs and dampers, which may look at what any file has.
  void read_forces_of_parts(std::optional<model::Mechanism>& so_far);
  /// Their sensors, which may read what any file has: to be called when all else is there.
  void read_sensors_of_parts(std::optional<model::Mechanism>& so_far);
  /// Paths of the files of all parts read so far, each once.
  std::vector<std::string> part_files() const;

 private:
  /// A part as a file names it.
  struct Part {
    std::string path;  ///< of its file
    const Node* node;  ///< where it is named
    std::string element;
  };
  using Parts = std::map<std::string, Part, std::less<>>;
  struct Instance;  ///< what a file says about one instance, or one copy of one

  Parts read_parts(FileReading& file, MapReader& root) const;
  void read_instance(FileReading& file, const Entry& entry, const Parts& parts,
                     const Replacements& replacements);
  void read_part(FileReading& file, const Instance& instance);
  void check_replaced(FileReading& file, const Instance& instance);
  std::shared_ptr<const Document> document_of(FileReading& file, const Part& part);
  void check_circle(const FileReading& file, const Instance& instance) const;
  std::vector<ParameterText> read_settings(FileReading& file, const Instance& instance) const;
  void bind_mounts(FileReading& file, const Instance& instance, const Document& part, PartScope& scope) const;

  model::MechanismBuilder& builder_;
  Drawing& drawing_;
  ElementPlaces& places_;
  std::vector<std::string>& data_files_;
  bool is_planar_;
  TextOfFile text_of_file_;
  std::map<std::string, std::shared_ptr<const Document>> documents_;  ///< by path
  std::deque<std::unique_ptr<FileReading>> files_;  ///< of all instances, in the order they are read in
  std::vector<std::string> open_;  ///< paths of the files that are being read, outermost first
};

/// Section 'exports' of a part whose elements are read. Throws for names that it does not have.
std::vector<std::string> read_exports(FileReading& part);

}  // namespace eslabon::io
