# cmake -D IN=page.html -D OUT=page.cpp -D HEADER=page.hpp -D FUNCTION=name::space::page -P embed_text.cmake
#
# Writes a source file with  std::string_view FUNCTION(), the bytes of IN. Every byte is written as an escape, so that no text
# needs care, and pieces are short enough for any compiler.
file(READ ${IN} hex HEX)
string(LENGTH "${hex}" digits)
set(bytes_per_piece 4000)
math(EXPR digits_per_piece "2 * ${bytes_per_piece}")
set(pieces "")
set(begin 0)
while(begin LESS digits)
  string(SUBSTRING "${hex}" ${begin} ${digits_per_piece} piece)
  string(REGEX REPLACE "(..)" "\\\\x\\1" piece "${piece}")
  string(APPEND pieces "\n    \"${piece}\"")
  math(EXPR begin "${begin} + ${digits_per_piece}")
endwhile()
if(pieces STREQUAL "")
  message(FATAL_ERROR "${IN} is empty")
endif()
math(EXPR bytes "${digits} / 2")
file(WRITE ${OUT} "// Made from ${IN} by cmake/embed_text.cmake.
#include \"${HEADER}\"

namespace {
constexpr char kText[] =${pieces};
}

std::string_view ${FUNCTION}() { return {kText, ${bytes}}; }
")
