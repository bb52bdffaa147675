#include "benchmarks/counted.hpp"

extern "C" void eslabon_counted(const std::function<void()>& evaluate, long count) {
  for (long i = 0; i < count; ++i) evaluate();
}
