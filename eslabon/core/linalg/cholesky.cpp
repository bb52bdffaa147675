#include "eslabon/core/linalg/cholesky.hpp"

#include <Eigen/Cholesky>

namespace eslabon::core {

using Eigen::MatrixXd;
using Eigen::VectorXd;

struct Cholesky::Factors : Eigen::LLT<MatrixXd> {
  using LLT::LLT;
};

Cholesky::Cholesky() : Cholesky(0) {}
Cholesky::Cholesky(Eigen::Index size)
    : factors_(Hidden<Factors>::make(MatrixXd(MatrixXd::Identity(size, size)))) {}

bool Cholesky::compute(const MatrixXd& A) { return factors_->compute(A).info() == Eigen::Success; }

void Cholesky::whiten(VectorXd& b) const { factors_->matrixL().solveInPlace(b); }

double Cholesky::log_of_root() const { return factors_->matrixLLT().diagonal().array().log().sum(); }

struct Ldlt::Factors : Eigen::LDLT<MatrixXd> {
  using LDLT::LDLT;
};

Ldlt::Ldlt() : Ldlt(0) {}
Ldlt::Ldlt(Eigen::Index size) : factors_(Hidden<Factors>::make(MatrixXd(MatrixXd::Identity(size, size)))) {}

bool Ldlt::compute(const MatrixXd& A) { return factors_->compute(A).info() == Eigen::Success; }

double Ldlt::smallest_pivot() const { return factors_->vectorD().minCoeff(); }

void Ldlt::solve_in_place(VectorXd& b) const { factors_->solveInPlace(b); }

}  // namespace eslabon::core
