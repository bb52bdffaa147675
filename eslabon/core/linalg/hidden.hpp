#pragma once

#include <memory>
#include <utility>

namespace eslabon::core {

/// A value of a type that only a source file knows: a header that holds one costs its readers nothing. Copies are deep.
/// What was moved from may only be assigned to or destroyed.
template <class T>
class Hidden {
 public:
  /// Where T is complete: made of these arguments.
  template <class... Arguments>
  static Hidden make(Arguments&&... arguments) {
    return Hidden(
        new T(std::forward<Arguments>(arguments)...), [](T* gone) { delete gone; },
        [](const T& from) { return new T(from); });
  }
  Hidden(const Hidden& other)
      : value_(other.clone_(*other.value_), other.value_.get_deleter()), clone_(other.clone_) {}
  Hidden(Hidden&&) noexcept = default;
  Hidden& operator=(const Hidden& other) { return *this = Hidden(other); }
  Hidden& operator=(Hidden&&) noexcept = default;
  ~Hidden() = default;

  T& operator*() { return *value_; }
  const T& operator*() const { return *value_; }
  T* operator->() { return value_.get(); }
  const T* operator->() const { return value_.get(); }

 private:
  Hidden(T* value, void (*destroy)(T*), T* (*clone)(const T&)) : value_(value, destroy), clone_(clone) {}

  std::unique_ptr<T, void (*)(T*)> value_;
  T* (*clone_)(const T&);
};

}  // namespace eslabon::core
