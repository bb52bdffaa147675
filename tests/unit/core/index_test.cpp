#include "eslabon/core/index.hpp"

#include <type_traits>
#include <unordered_set>

#include <gtest/gtest.h>

namespace eslabon::core {
namespace {

using BodyIndex = Index<struct BodyTag>;
using JointIndex = Index<struct JointTag>;

template <class A, class B>
concept Comparable = requires(A a, B b) {
  a == b;
}
|| requires(A a, B b) { a < b; };

// The type's promise is what does not compile.
static_assert(!std::is_convertible_v<BodyIndex, JointIndex>);
static_assert(!std::is_constructible_v<JointIndex, BodyIndex>);
static_assert(!std::is_assignable_v<JointIndex&, BodyIndex>);
static_assert(!std::is_convertible_v<int, BodyIndex>);
static_assert(!std::is_convertible_v<BodyIndex, int>);
static_assert(!std::is_default_constructible_v<BodyIndex>);
static_assert(!Comparable<BodyIndex, JointIndex>);
static_assert(!Comparable<BodyIndex, int>);
static_assert(Comparable<BodyIndex, BodyIndex>);
static_assert(sizeof(BodyIndex) == sizeof(int));

TEST(Index, GivesBackItsValueAndItsSlot) {
  constexpr BodyIndex body(7);
  EXPECT_EQ(body.value(), 7);
  EXPECT_EQ(body.slot(), std::size_t{7});
}

TEST(Index, IsOrderedByItsValue) {
  EXPECT_LT(BodyIndex(2), BodyIndex(3));
  EXPECT_EQ(BodyIndex(3), BodyIndex(3));
  EXPECT_NE(BodyIndex(3), BodyIndex(4));
}

TEST(Index, CanBeAKeyOfAHashedSet) {
  const std::unordered_set<JointIndex> joints{JointIndex(1), JointIndex(5), JointIndex(1)};
  EXPECT_EQ(joints.size(), 2u);
  EXPECT_TRUE(joints.contains(JointIndex(5)));
  EXPECT_FALSE(joints.contains(JointIndex(2)));
}

}  // namespace
}  // namespace eslabon::core
