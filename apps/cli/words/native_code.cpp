#include "apps/cli/words/native_code.hpp"

#include <cstdlib>

#include "apps/cli/words/terminal_observer.hpp"

namespace eslabon::cli {

std::shared_ptr<codegen::NativeCompiler> make_native_compiler() {
  return std::make_shared<codegen::NativeCompiler>(codegen::compile_settings(&std::getenv));
}

std::optional<codegen::NativeCompiler::Report> told_report(
    const std::shared_ptr<codegen::NativeCompiler>& compiler) {
  if (!compiler) return std::nullopt;
  codegen::NativeCompiler::Report report = compiler->report();
  print_notes(report.notes);
  return report;
}

}  // namespace eslabon::cli
