#include <fmt/format.h>

#include "eslabon/codegen/compile/program_source.hpp"
#include "eslabon/codegen/print/lanes_text.hpp"
#include "eslabon/core/scalar/program_compiler.hpp"

namespace eslabon::codegen {

namespace {

/// Arrays of each number, as core::CompiledLanes has them, from state i on.
class ArrayAddresses final : public LaneAddresses {
 public:
  std::string parameters() const override {
    return "const double *const *in, const double *uniform, double *const *out, long i";
  }
  std::string arguments() const override { return "in, uniform, out, i"; }
  bool is_of_state(int /*k*/) const override { return true; }
  std::string input(int k) const override { return fmt::format("in[{}] + i", k); }
  std::string uniform(int k) const override { return fmt::format("uniform[{}]", k); }
  std::string output(int k) const override { return fmt::format("out[{}] + i", k); }
};

}  // namespace

std::string lanes_source_head() { return "#include <math.h>\n\n" + std::string(lanes_head()) + "\n"; }

ProgramSource lanes_source(const std::string& name, const core::Program& program) {
  const LanesText text = lanes_text(name, program, ArrayAddresses());
  return {
      text.pieces +
          fmt::format(
              R"(void {}(const double *const *in, const double *uniform, double *const *out, double *work, unsigned long count)
{{
  V *const w = (V *)work;
  long i;
  for (i = 0; i < (long)count; i += GROUP) {{
{}  }}
}}

)",
              name, text.calls),
      static_cast<std::size_t>(text.num_vectors) * core::kCompiledGroup / 2};
}

}  // namespace eslabon::codegen
