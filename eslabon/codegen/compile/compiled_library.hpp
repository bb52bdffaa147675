#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include "eslabon/codegen/compile/system_compiler.hpp"

namespace eslabon::codegen {

/// Code that was compiled and loaded into this process; it leaves when the object does.
class CompiledLibrary {
 public:
  /// Nothing: `problem` is what the loader says.
  static std::shared_ptr<const CompiledLibrary> load(const std::filesystem::path& file, std::string& problem);
  ~CompiledLibrary();
  CompiledLibrary(const CompiledLibrary&) = delete;
  CompiledLibrary& operator=(const CompiledLibrary&) = delete;

  /// The function of this name; nothing when there is none.
  template <class Function>
  Function function(const std::string& name) const {
    return reinterpret_cast<Function>(symbol(name));
  }

 private:
  explicit CompiledLibrary(void* handle) : handle_(handle) {}
  void* symbol(const std::string& name) const;
  void* handle_;
};

/// A library, or why there is none, and what it cost.
struct MadeLibrary {
  std::shared_ptr<const CompiledLibrary> library;
  std::string problem;         ///< a sentence; empty when there is a library
  std::string note;            ///< a sentence when it could not be kept; otherwise empty
  bool was_cached = false;     ///< it was there already
  double seconds = 0.0;        ///< for all of it [s]
  std::filesystem::path path;  ///< of the file; empty when it was not kept
};

/// The library of a source text: from the cache, under a name that is a hash of the source and of what the compiler makes of it, or
/// compiled and put there. Files appear there whole, so that processes that run at once can share the folder, and carry a sum of their bytes:
/// what is damaged is made anew. Where the folder cannot be written to, the library lives as long as it is loaded.
MadeLibrary make_library(const std::string& source, const SystemCompiler& compiler,
                         const CompileSettings& settings);

}  // namespace eslabon::codegen
