#include "benchmarks/rivals/rival.hpp"

#include <cstdio>
#include <cstdlib>
#include <exception>

#include "benchmarks/counted.hpp"
#include "benchmarks/tables/bench_clock.hpp"

namespace eslabon::rivals {

int run(int argc, char** argv, std::unique_ptr<Rival> (*make)(const benchmarks::BenchCase& at)) {
  if (argc != 2 && argc != 3) {
    std::fprintf(stderr, "usage: %s MODEL [COUNT]\n", argv[0]);
    return 2;
  }
  try {
    const benchmarks::BenchCase at(argv[1]);
    const std::unique_ptr<Rival> rival = make(at);
    const coordinates::MechanismMotion motion = rival->accelerated();
    if (argc == 3) {
      rival->evaluate();  // what is done only once is not counted
      eslabon_counted([&] { rival->evaluate(); }, std::atol(argv[2]));
      return 0;
    }
    std::printf("%.6g %s %s\n", benchmarks::time_of([&] { rival->evaluate(); }),
                rival->is_resting() ? "resting" : "moving", rival->remark().c_str());
    for (std::size_t b = 1; b < motion.size(); ++b) {
      const Eigen::Vector3d &alpha = motion[b].alpha_WB_W, &a = motion[b].a_WB_W;
      std::printf("%.17g %.17g %.17g %.17g %.17g %.17g\n", alpha.x(), alpha.y(), alpha.z(), a.x(), a.y(),
                  a.z());
    }
    return 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s: %s\n", argv[0], error.what());
    return 1;
  }
}

}  // namespace eslabon::rivals
