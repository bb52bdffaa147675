#include "eslabon/codegen/reserved_names.hpp"

#include <algorithm>
#include <array>

namespace eslabon::codegen {

namespace {

constexpr std::string_view kCAndCpp =
    "alignas alignof and and_eq asm auto bitand bitor bool break case catch char char16_t char32_t char8_t "
    "class co_await co_return co_yield compl concept const const_cast consteval constexpr constinit continue "
    "decltype default delete do double dynamic_cast else enum explicit export extern false float for friend "
    "goto if inline int long mutable namespace new noexcept not not_eq nullptr operator or or_eq private "
    "protected public register reinterpret_cast requires restrict return short signed sizeof static "
    "static_assert static_cast struct switch template this thread_local throw true try typedef typeid "
    "typename union unsigned using virtual void volatile wchar_t while xor xor_eq";
constexpr std::string_view kPython =
    "and as assert async await break case class continue def del elif else except False finally for from "
    "global if import in is lambda match None nonlocal not or pass raise return True try while with yield";
constexpr std::string_view kMatlab =
    "break case catch classdef continue do else elseif end end_try_catch end_unwind_protect endfor "
    "endfunction endif endswitch endwhile for function global if otherwise parfor persistent return spmd "
    "switch try until unwind_protect unwind_protect_cleanup while";
// A module of the same name would be found before these, by NumPy too.
constexpr std::string_view kPythonModules =
    "abc aifc antigravity argparse array ast asynchat asyncio asyncore atexit audioop base64 bdb binascii "
    "bisect builtins bz2 calendar cgi cgitb chunk cmath cmd code codecs codeop collections colorsys "
    "compileall concurrent configparser contextlib contextvars copy copyreg cProfile crypt csv ctypes curses "
    "dataclasses datetime dbm decimal difflib dis distutils doctest email encodings ensurepip enum errno "
    "faulthandler fcntl filecmp fileinput fnmatch fractions ftplib functools gc genericpath getopt getpass "
    "gettext glob graphlib grp gzip hashlib heapq hmac html http idlelib imaplib imghdr imp importlib "
    "inspect "
    "io ipaddress itertools json keyword lib2to3 linecache locale logging lzma mailbox mailcap marshal math "
    "mimetypes mmap modulefinder msilib msvcrt multiprocessing netrc nis nntplib nt ntpath nturl2path "
    "numbers "
    "opcode operator optparse os ossaudiodev pathlib pdb pickle pickletools pipes pkgutil platform plistlib "
    "poplib posix posixpath pprint profile pstats pty pwd py_compile pyclbr pydoc pydoc_data pyexpat queue "
    "quopri random re readline reprlib resource rlcompleter runpy sched secrets select selectors shelve "
    "shlex "
    "shutil signal site smtpd smtplib sndhdr socket socketserver spwd sqlite3 sre_compile sre_constants "
    "sre_parse ssl stat statistics string stringprep struct subprocess sunau symtable sys sysconfig syslog "
    "tabnanny tarfile telnetlib tempfile termios textwrap this threading time timeit tkinter token tokenize "
    "tomllib trace traceback tracemalloc tty turtle turtledemo types typing unicodedata unittest urllib uu "
    "uuid venv warnings wave weakref webbrowser winreg winsound wsgiref xdrlib xml xmlrpc zipapp zipfile "
    "zipimport zlib zoneinfo";
// math.h has them as functions, so that no namespace can have their names.
constexpr std::string_view kMathFunctions =
    "acos acosh asin asinh atan atan2 atanh cbrt ceil copysign cos cosh drem erf erfc exp exp10 exp2 expm1 "
    "fabs fdim finite floor fma fmax fmin fmod frexp gamma hypot ilogb isinf isnan j0 j1 jn ldexp lgamma "
    "llrint llround log log10 log1p log2 logb lrint lround modf nan nearbyint nextafter nexttoward pow "
    "remainder remquo rint round scalb scalbln scalbn signgam significand sin sincos sinh sqrt tan tanh "
    "tgamma trunc y0 y1 yn";
// What printed code is made of.
constexpr std::string_view kOwn =
    "main std numpy np memcpy memset unix linux NULL EACH GROUP PIECE SMALL WIDTH";

bool has_word(std::string_view words, std::string_view word) {
  for (std::size_t begin = 0; begin <= words.size();) {
    const std::size_t end = std::min(words.find(' ', begin), words.size());
    if (words.substr(begin, end - begin) == word) return true;
    begin = end + 1;
  }
  return false;
}

}  // namespace

bool is_reserved_name(std::string_view name) {
  constexpr std::array kLists{kCAndCpp, kPython, kMatlab, kPythonModules, kMathFunctions, kOwn};
  return std::ranges::any_of(kLists, [&](std::string_view words) { return has_word(words, name); });
}

}  // namespace eslabon::codegen
