#pragma once

#include <cerrno>
#include <cstddef>
#include <cstdlib>

// Counts what the program takes from the heap, by standing in for malloc and its kin: operator new, Eigen and C
// libraries all end there. Include it in one file of an executable only, the test itself:
//
//   const long count = test::count_allocations([&] { solver->solve(b, x); });
//
// With glibc only, and not with the sanitizers, which bring a malloc of their own: a test then skips itself by
// asking kCanCountAllocations.

#if defined(__GLIBC__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define ESLABON_COUNTS_ALLOCATIONS 1
#else
#define ESLABON_COUNTS_ALLOCATIONS 0
#endif

namespace eslabon::test {

inline constexpr bool kCanCountAllocations = ESLABON_COUNTS_ALLOCATIONS == 1;

/// Allocations of this thread since it began.
inline thread_local long allocation_count = 0;

/// How often the action takes memory from the heap, in this thread.
template <class Action>
long count_allocations(Action action) {
  const long before = allocation_count;
  action();
  return allocation_count - before;
}

}  // namespace eslabon::test

#if ESLABON_COUNTS_ALLOCATIONS

extern "C" {

void* __libc_malloc(std::size_t size);
void* __libc_calloc(std::size_t count, std::size_t size);
void* __libc_realloc(void* block, std::size_t size);
void* __libc_memalign(std::size_t alignment, std::size_t size);

void* malloc(std::size_t size) noexcept {
  ++eslabon::test::allocation_count;
  return __libc_malloc(size);
}

void* calloc(std::size_t count, std::size_t size) noexcept {
  ++eslabon::test::allocation_count;
  return __libc_calloc(count, size);
}

void* realloc(void* block, std::size_t size) noexcept {
  ++eslabon::test::allocation_count;
  return __libc_realloc(block, size);
}

void* aligned_alloc(std::size_t alignment, std::size_t size) noexcept {
  ++eslabon::test::allocation_count;
  return __libc_memalign(alignment, size);
}

int posix_memalign(void** block, std::size_t alignment, std::size_t size) noexcept {
  ++eslabon::test::allocation_count;
  *block = __libc_memalign(alignment, size);
  return *block == nullptr ? ENOMEM : 0;
}

}  // extern "C"

#endif
