// Question: how many instructions does one evaluation of accelerations take? They do not depend on the machine's load.
//
//   one_evaluation MODEL FORMULATION KIND COUNT      evaluates so often; KIND of coordinates, or ''
//
// `eslabon bench dynamics --instructions` calls it under callgrind. MODEL as in benchmarks/tables/bench_case.hpp.

#include <cstdio>
#include <cstdlib>
#include <exception>

#include "benchmarks/counted.hpp"
#include "benchmarks/tables/bench_case.hpp"

int main(int argc, char** argv) {
  if (argc != 5) {
    std::fprintf(stderr, "usage: %s MODEL FORMULATION KIND COUNT\n", argv[0]);
    return 2;
  }
  try {
    const eslabon::benchmarks::BenchCase at(argv[1]);
    eslabon::benchmarks::BenchEvaluation evaluation(at, argv[2], argv[3]);
    evaluation.evaluate();  // what is done only once is not counted
    eslabon_counted([&] { evaluation.evaluate(); }, std::atol(argv[4]));
    return 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s: %s\n", argv[0], error.what());
    return 1;
  }
}
