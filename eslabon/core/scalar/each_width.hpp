#pragma once

#include <cstddef>  // says which C library this is

/// Before a function whose loops run over many numbers: it is compiled once for each width of vectors that processors of this kind have, and
/// what fits the processor is chosen when the program is loaded. In files that are compiled with -ffp-contract=off results are the
/// same bits at any width. Only where the loader can choose; sanitizers look at one of them.
#if defined(__x86_64__) && defined(__GLIBC__) && defined(__GNUC__) && !defined(__clang__) && \
    !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define ESLABON_EACH_WIDTH __attribute__((target_clones("avx512f", "avx2", "default")))
#else
#define ESLABON_EACH_WIDTH
#endif
