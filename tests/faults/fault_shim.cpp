// Lets the n-th call of one function of the system fail, for tests: preloaded (LD_PRELOAD) into a program.
//
//   ESLABON_FAULT_CALL   malloc, open, write, fsync, rename or thread
//   ESLABON_FAULT_AT     which call fails, from 1 on; 0: none
//   ESLABON_FAULT_COUNT  a file that gets the number of calls when the program ends
//   ESLABON_FAULT_PLACES a file that gets, one in a line, the first call from each place: two calls come from one place when the functions that led
//                        to them were called from the same addresses. What follows the failure of one mostly follows that of the other.
//
// Calls count from main on: what the loader does is no part of the program. Functions of glibc that call each other inside do not pass
// here; what a program asks them for does.

#include <atomic>
#include <cerrno>
#include <cstdarg>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <sys/uio.h>
#include <unistd.h>
#include <unwind.h>

namespace {

using Main = int (*)(int, char**, char**);

std::atomic<long> count = 0;
std::atomic<bool> is_counting = false;
long fails_at = 0;
const char* call_name = "";
Main real_main = nullptr;

/// Places that were seen, and which call was the first from each. Fixed memory: asking for some would be a call.
constexpr std::size_t kMostPlaces = 1 << 18;
struct Place {
  std::atomic<std::uint64_t> hash = 0;  ///< 0: none
  std::atomic<long> first = 0;
};
Place places[kMostPlaces];
bool are_places_wanted = false;

/// FNV-1a of the addresses that the functions above this one return to.
std::uint64_t hash_of_callers() {
  std::uint64_t hash = 0xcbf29ce484222325;
  const auto add = [](_Unwind_Context* caller, void* sum) {
    auto& so_far = *static_cast<std::uint64_t*>(sum);
    so_far = (so_far ^ _Unwind_GetIP(caller)) * 0x100000001b3;
    return _URC_NO_REASON;
  };
  _Unwind_Backtrace(add, &hash);
  return hash | 1;
}

void note_place(long call) {
  static thread_local bool is_noting =
      false;  // what is asked for meanwhile comes from no place of the program
  if (is_noting) return;
  is_noting = true;
  const std::uint64_t hash = hash_of_callers();
  for (std::size_t k = hash % kMostPlaces, tries = 0; tries < kMostPlaces;
       k = (k + 1) % kMostPlaces, ++tries) {
    std::uint64_t seen = 0;
    if (places[k].hash.compare_exchange_strong(seen, hash)) places[k].first.store(call);
    if (seen == 0 || seen == hash) break;
  }
  is_noting = false;
}

/// Whether this call, of this kind, is the one that fails.
bool must_fail(const char* kind) {
  if (!is_counting.load() || std::strcmp(kind, call_name) != 0) return false;
  const long call = count.fetch_add(1) + 1;
  if (are_places_wanted) note_place(call);
  return call == fails_at;
}

/// The function that would have been called without this library.
template <class Function>
Function* next_of(Function* /*like*/, const char* name) {
  void* const found = dlsym(RTLD_NEXT, name);
  Function* function = nullptr;
  std::memcpy(&function, &found, sizeof function);
  return function;
}

int failed(int error) {
  errno = error;
  return -1;
}

void* no_memory() {
  errno = ENOMEM;
  return nullptr;
}

std::FILE* file_named_by(const char* variable) {
  const char* const path = std::getenv(variable);
  return path == nullptr ? nullptr : next_of(&fopen, "fopen")(path, "w");
}

void write_results() {
  is_counting.store(false);
  if (std::FILE* const file = file_named_by("ESLABON_FAULT_COUNT")) {
    std::fprintf(file, "%ld\n", count.load());
    std::fclose(file);
  }
  if (std::FILE* const file = file_named_by("ESLABON_FAULT_PLACES")) {
    for (const Place& place : places)
      if (place.hash.load() != 0) std::fprintf(file, "%ld\n", place.first.load());
    std::fclose(file);
  }
}

int counted_main(int argc, char** argv, char** environment) {
  const char* const name = std::getenv("ESLABON_FAULT_CALL");
  const char* const at = std::getenv("ESLABON_FAULT_AT");
  if (name != nullptr) call_name = name;
  if (at != nullptr) fails_at = std::atol(at);
  are_places_wanted = std::getenv("ESLABON_FAULT_PLACES") != nullptr;
  std::atexit(write_results);
  is_counting.store(true);
  return real_main(argc, argv, environment);
}

}  // namespace

extern "C" {

// The C library calls main through this.
int __libc_start_main(Main main_function, int argc, char** argv, void (*init)(), void (*fini)(),
                      void (*rtld_fini)(), void* stack_end) {
  real_main = main_function;
  return next_of(&__libc_start_main, "__libc_start_main")(counted_main, argc, argv, init, fini, rtld_fini,
                                                          stack_end);
}

// Memory: by glibc's own names, because asking for others needs memory.
void* __libc_malloc(std::size_t);
void* __libc_calloc(std::size_t, std::size_t);
void* __libc_realloc(void*, std::size_t);
void* __libc_memalign(std::size_t, std::size_t);

void* malloc(std::size_t size) noexcept { return must_fail("malloc") ? no_memory() : __libc_malloc(size); }
void* calloc(std::size_t number, std::size_t size) noexcept {
  return must_fail("malloc") ? no_memory() : __libc_calloc(number, size);
}
void* realloc(void* old, std::size_t size) noexcept {
  return must_fail("malloc") ? no_memory() : __libc_realloc(old, size);
}
void* aligned_alloc(std::size_t alignment, std::size_t size) noexcept {
  return must_fail("malloc") ? no_memory() : __libc_memalign(alignment, size);
}
int posix_memalign(void** place, std::size_t alignment, std::size_t size) noexcept {
  if (must_fail("malloc")) return ENOMEM;
  *place = __libc_memalign(alignment, size);
  return *place == nullptr ? ENOMEM : 0;
}

int open(const char* path, int flags, ...) {
  std::va_list more;
  va_start(more, flags);
  const int mode = (flags & O_CREAT) != 0 ? va_arg(more, int) : 0;
  va_end(more);
  return must_fail("open") ? failed(EMFILE) : next_of(&open, "open")(path, flags, mode);
}
int open64(const char* path, int flags, ...) {
  std::va_list more;
  va_start(more, flags);
  const int mode = (flags & O_CREAT) != 0 ? va_arg(more, int) : 0;
  va_end(more);
  return must_fail("open") ? failed(EMFILE) : next_of(&open64, "open64")(path, flags, mode);
}
std::FILE* fopen(const char* path, const char* mode) {
  if (must_fail("open")) return errno = EMFILE, nullptr;
  return next_of(&fopen, "fopen")(path, mode);
}
std::FILE* fopen64(const char* path, const char* mode) {
  if (must_fail("open")) return errno = EMFILE, nullptr;
  return next_of(&fopen64, "fopen64")(path, mode);
}

ssize_t write(int file, const void* bytes, std::size_t size) {
  return must_fail("write") ? failed(ENOSPC) : next_of(&write, "write")(file, bytes, size);
}
ssize_t writev(int file, const struct iovec* pieces, int number) {
  return must_fail("write") ? failed(ENOSPC) : next_of(&writev, "writev")(file, pieces, number);
}
std::size_t fwrite(const void* bytes, std::size_t size, std::size_t number, std::FILE* file) {
  if (must_fail("write")) return errno = ENOSPC, 0;
  return next_of(&fwrite, "fwrite")(bytes, size, number, file);
}
int fflush(std::FILE* file) { return must_fail("write") ? failed(ENOSPC) : next_of(&fflush, "fflush")(file); }

int fsync(int file) { return must_fail("fsync") ? failed(EIO) : next_of(&fsync, "fsync")(file); }
int fdatasync(int file) { return must_fail("fsync") ? failed(EIO) : next_of(&fdatasync, "fdatasync")(file); }
int rename(const char* from, const char* to) noexcept {
  return must_fail("rename") ? failed(EIO) : next_of(&rename, "rename")(from, to);
}
int pthread_create(pthread_t* thread, const pthread_attr_t* attributes, void* (*begin)(void*),
                   void* with) noexcept {
  return must_fail("thread") ? EAGAIN
                             : next_of(&pthread_create, "pthread_create")(thread, attributes, begin, with);
}

}  // extern "C"
