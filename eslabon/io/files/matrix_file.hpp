#pragma once

#include <string>
#include <vector>

#include <Eigen/Core>

/// Matrices with names, as files of other programs.
namespace eslabon::io {

struct NamedMatrix {
  std::string name;  ///< letters, digits and _
  Eigen::MatrixXd values;
};

/// A column of words, such as the names of the rows of a matrix.
struct NamedWords {
  std::string name;
  std::vector<std::string> words;
};

struct MatrixSet {
  std::vector<NamedMatrix> matrices;
  std::vector<NamedWords> words;
};

/// The bytes of a MAT-file of level 4, which MATLAB, Octave and SciPy read: for each matrix five integers of 32 bits (type, rows,
/// columns, 0, length of the name with its end), the name, and doubles column by column; words are rows of characters of one
/// length, filled with blanks. Little-endian.
/// Throws core::ModelError when a number is not finite.
std::string mat_file(const MatrixSet& set);

/// The bytes of an .npz file of NumPy: an archive, without compression, of one .npy file (format 1.0) for each matrix and list of words.
/// The same matrices give the same bytes.
/// Throws core::ModelError when a number is not finite.
std::string npz_file(const MatrixSet& set);

/// A table with names of rows and columns; the corner is empty. Numbers have 17 digits.
/// Throws core::ModelError when a number is not finite.
std::string csv_table(const Eigen::MatrixXd& values, const std::vector<std::string>& rows,
                      const std::vector<std::string>& columns);

}  // namespace eslabon::io
