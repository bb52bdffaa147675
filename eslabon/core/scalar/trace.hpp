#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "eslabon/core/scalar/traced.hpp"

namespace eslabon::core {

/// What is done with traced numbers, in the order in which it was done. Operations that are the same are written down once, those on
/// constants are carried out, and what multiplies by 0 or 1 or adds 0 is left away; so x · 0 is 0 also where x would not be finite.
class Trace {
 public:
  enum class Operation : std::uint8_t {
    kInput,     ///< number `a` of each state
    kUniform,   ///< number `a` that all states share
    kConstant,  ///< k
    kNegate,
    kAdd,
    kSubtract,
    kMultiply,
    kDivide,
    kSqrt,
    kSin,
    kCos,
    kAbs,
    kRound,
    kAtan2,
    kSelectLess,  ///< a < b ? c : d
    kCall,        ///< function(a)
  };
  /// A function of the C library, by the name that it has there.
  struct Function {
    const char* name;
    double (*value)(double);
  };
  struct Node {
    Operation operation;
    int a = -1, b = -1, c = -1, d = -1;  ///< operands: places in the trace, before this one
    double k = 0.0;
    const Function* function = nullptr;
    friend bool operator==(const Node&, const Node&) = default;
  };

  /// Listens on this thread, from construction to destruction, instead of the one that did before.
  class Listening {
   public:
    explicit Listening(Trace& trace);
    ~Listening();
    Listening(const Listening&) = delete;
    Listening& operator=(const Listening&) = delete;

   private:
    Trace* before_;
  };
  /// The trace that listens on this thread. Throws ContractError when none does.
  static Trace& listening();

  /// What people read of a trace, when it keeps names: parts with titles, and in them numbers with symbols.
  struct Part {
    int parent;  ///< −1: none
    std::string title;
    std::string says;  ///< a sentence or two; formulas between backquotes
  };
  /// A number, a column or a matrix; or, without entries, a law alone.
  struct Quantity {
    int part = 0;
    std::string symbol = "";  ///< "ω_coupler": a letter and what it belongs to; "˙" before it: its rate
    std::string law = "";     ///< what it is in few symbols: "A_crank R_z(θ)"; may be empty
    int rows = 0, columns = 1;
    bool is_spatial = false;           ///< entries are along x, y, z
    bool is_solved = false;            ///< follows from its law, not from what its entries were computed with
    std::vector<Traced> entries = {};  ///< row after row
  };
  /// What is written down on this thread, from construction to destruction, belongs to this part of the one that stood before.
  class Scope {
   public:
    explicit Scope(std::string_view title, std::string_view says = "");
    ~Scope();
    Scope(const Scope&) = delete;
    Scope& operator=(const Scope&) = delete;

   private:
    Trace* trace_;
    int before_;
  };
  void keep_names() { keeps_names_ = true; }
  /// The trace that listens on this thread and keeps names; none: nobody has to make any.
  static Trace* naming();
  /// Adds a quantity to the part that stands; the first name of a number counts.
  void name(Quantity quantity);
  const std::vector<Part>& parts() const { return parts_; }
  const std::vector<Quantity>& quantities() const { return quantities_; }
  /// (nodes) part in which each was written first.
  const std::vector<int>& part_of_node() const { return part_of_node_; }

  /// The next number that each state has for itself, and the next that all share.
  Traced input();
  Traced uniform();
  /// A shared number that is a function of time, number `which` of an owner; asked for again it is the same. Callers evaluate
  /// uniform_functions() before a run.
  Traced uniform_of_time(const void* owner, int which, std::function<double(double)> function);

  /// Time as a number that is traced itself: functions of time are then written down, and are no shared numbers.
  void set_time(const Traced& t) { time_ = t; }
  const std::optional<Traced>& time() const { return time_; }

  /// Says, to the trace that listens on this thread if one does, that what is written down next is the like of what others write down
  /// for something else: a link, a group. marks(): how many nodes there were each time, without repetitions.
  static void mark();
  const std::vector<int>& marks() const { return marks_; }
  /// From here on this number stands wherever a constant is used that has this value, or, negated, its negative: constants that are known
  /// by their digits to follow from others become functions of them.
  void replace_constant(double value, const Traced& number);
  bool replaces(double value) const { return replacements_.contains(value); }
  /// From here on every operation is written down as often as it is asked for, products with 1 included; products with 0 and sums with 0
  /// are still left away, and constants are computed with. For counts of what simplification saves.
  void keep_repetitions() { keeps_repetitions_ = true; }

  const std::vector<Node>& nodes() const { return nodes_; }
  int num_inputs() const { return num_inputs_; }
  int num_uniforms() const { return num_uniforms_; }
  struct TimeUniform {
    int uniform;
    std::function<double(double)> value;  ///< of time [s]
    const void* owner;
    int which;
  };
  const std::vector<TimeUniform>& uniform_functions() const { return uniform_functions_; }

  /// An operation, simplified.
  Traced unary(Operation operation, const Traced& of);
  /// `function` is looked at as long as the trace lives.
  Traced call(const Function& function, const Traced& of);
  Traced add(const Traced& left, const Traced& right);
  Traced subtract(const Traced& left, const Traced& right);
  Traced multiply(const Traced& left, const Traced& right);
  Traced divide(const Traced& left, const Traced& right);
  Traced atan2(const Traced& above, const Traced& below);
  /// The same number, 0 + x, as one that no simplification looks into: what is computed with it stays a function of it.
  Traced whole(const Traced& number);
  Traced select_less(const Traced& less, const Traced& than, const Traced& if_less, const Traced& otherwise);
  /// The place of any number, constants included; and the number at a place.
  int place(const Traced& number);
  Traced at(int place) const;

 private:
  struct NodeHash {
    std::size_t operator()(const Node& node) const;
  };
  Traced write(const Node& node);
  Traced write_plain(Operation operation, const Traced& x, const Traced& y);
  /// What stands for this number: itself, unless it is a constant that is replaced.
  const Traced& replaced(const Traced& x) const;
  const Node& node(const Traced& x) const { return nodes_[static_cast<std::size_t>(x.node())]; }
  /// Whether x is −y for a y that is known, which it is then given.
  bool is_negation(const Traced& x, Traced& y) const;

  std::vector<Node> nodes_;
  std::unordered_map<Node, int, NodeHash> places_;
  std::vector<TimeUniform> uniform_functions_;
  std::optional<Traced> time_;
  std::vector<int> marks_;
  std::unordered_map<double, Traced> replacements_;
  bool keeps_repetitions_ = false;
  int num_inputs_ = 0, num_uniforms_ = 0;
  bool keeps_names_ = false;
  std::vector<Part> parts_{{-1, "", ""}};
  std::vector<Quantity> quantities_;
  std::vector<int> part_of_node_;
  int part_ = 0;
};

/// The smaller of the two; none when one of them is none.
Traced minimum(const Traced& x, const Traced& y);

}  // namespace eslabon::core
