#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "eslabon/codegen/exported_model.hpp"

namespace eslabon::test {

/// An exported model as its users have it: printed in C, compiled by the system's compiler, loaded. Nothing of the program computes here.
class CompiledExport {
 public:
  /// Throws std::runtime_error with the compiler's words when it is not compiled.
  explicit CompiledExport(const codegen::ExportedModel& model, const std::string& optimisation = "-O1");
  ~CompiledExport();
  CompiledExport(const CompiledExport&) = delete;
  CompiledExport& operator=(const CompiledExport&) = delete;

  /// One function of it: y, and what it leaves in w.
  class Function {
   public:
    /// 0, or 1 where the code says that it cannot tell.
    int call(const codegen::CheckState& state, std::vector<double>& y);
    double constraint_error() const { return work_[0]; }
    double smallest_pivot() const { return work_[1]; }

   private:
    friend class CompiledExport;
    using Pointer = int (*)(const double*, const double*, const double*, double*, double*);
    Pointer pointer_ = nullptr;
    std::size_t num_y_ = 0;
    std::vector<double> work_;
  };
  Function function(const std::string& name) const;
  double seconds_to_compile() const { return seconds_; }
  std::uintmax_t bytes_of_source() const { return bytes_; }

 private:
  const codegen::ExportedModel& model_;
  std::filesystem::path folder_;
  void* library_ = nullptr;
  double seconds_ = 0.0;
  std::uintmax_t bytes_ = 0;
};

}  // namespace eslabon::test
