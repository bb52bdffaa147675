#include "tests/export/compiled_export.hpp"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <fstream>
#include <regex>
#include <sstream>
#include <stdexcept>

#include <dlfcn.h>
#include <unistd.h>

#include "eslabon/codegen/print/printer.hpp"

namespace eslabon::test {

namespace {

std::filesystem::path new_folder() {
  std::string name = (std::filesystem::temp_directory_path() / "export-XXXXXX").string();
  if (mkdtemp(name.data()) == nullptr) throw std::runtime_error("no folder could be made: " + name);
  return name;
}

std::string text_of(const std::filesystem::path& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

/// The size of the work space, as the header tells it.
std::size_t work_size(const std::string& header) {
  std::smatch found;
  if (!std::regex_search(header, found, std::regex("_WORK = ([0-9]+)")))
    throw std::runtime_error("the header tells no size of the work space");
  return std::stoul(found[1]);
}

}  // namespace

CompiledExport::CompiledExport(const codegen::ExportedModel& model, const std::string& optimisation)
    : model_(model), folder_(new_folder()) {
  std::string source;
  for (const codegen::PrintedFile& file : codegen::print_c(model, codegen::Precision::kDouble)) {
    std::ofstream(folder_ / file.name) << file.text;
    if (file.name == model.name + ".c") bytes_ = file.text.size();
  }
  const std::string in_folder = "cd '" + folder_.string() + "' && ";
  const auto begin = std::chrono::steady_clock::now();
  const int status = std::system((in_folder + "cc -std=c99 " + optimisation + " -fPIC -shared -o code.so " +
                                  model.name + ".c -lm > said 2>&1")
                                     .c_str());
  seconds_ = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  if (status != 0) throw std::runtime_error("the C code does not compile: " + text_of(folder_ / "said"));
  library_ = dlopen((folder_ / "code.so").c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library_ == nullptr) throw std::runtime_error(std::string("the code cannot be loaded: ") + dlerror());
}

CompiledExport::~CompiledExport() {
  if (library_ != nullptr) dlclose(library_);
  std::error_code ignored;
  std::filesystem::remove_all(folder_, ignored);
}

CompiledExport::Function CompiledExport::function(const std::string& name) const {
  Function out;
  out.pointer_ = reinterpret_cast<Function::Pointer>(dlsym(library_, (model_.name + "_" + name).c_str()));
  const auto at = std::ranges::find(model_.functions, name, &codegen::ExportedFunction::name);
  if (out.pointer_ == nullptr || at == model_.functions.end())
    throw std::runtime_error("there is no function " + name);
  out.num_y_ = at->numbers.size();
  out.work_.resize(work_size(text_of(folder_ / (model_.name + ".h"))));
  return out;
}

int CompiledExport::Function::call(const codegen::CheckState& state, std::vector<double>& y) {
  y.resize(num_y_);
  return pointer_(state.x.data(), state.u.data(), state.p.data(), y.data(), work_.data());
}

}  // namespace eslabon::test
