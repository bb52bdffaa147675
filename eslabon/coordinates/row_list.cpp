#include "eslabon/coordinates/row_list.hpp"

#include <algorithm>

#include "eslabon/coordinates/joint_rows.hpp"

namespace eslabon::coordinates {

namespace {

class RowLister {
 public:
  RowLister(const Layout& layout, const model::Mechanism& mechanism)
      : layout_(layout), mechanism_(mechanism) {
    list_.rows = layout.rows();
    list_.coordinates = layout.coordinates();
  }

  void append_couplings() {
    for (std::size_t c = 0; c < mechanism_.couplings().size(); ++c) {
      const model::Coupling& coupling = mechanism_.couplings()[c];
      std::vector<int> columns;
      for (const model::CouplingTerm& term : coupling.terms)
        columns.push_back(column_with_tie(
            {model::VariableKind::kJointPosition, term.coordinate.joint, term.coordinate.component}));
      list_.relations.push_back(relation_of(mechanism_, coupling, columns));
      const LinearRelation& relation = list_.relations.back();
      Row row{.form = RowForm::kLinear,
              .features = {},
              .constant = relation.constant,
              .label = {model::CouplingIndex(static_cast<int>(c)), ""},
              .measures_length = !relation.terms.front().is_angle};
      for (const LinearRelation::Term& term : relation.terms)
        row.terms.push_back({term.place, term.factor, term.law});
      list_.rows.push_back(std::move(row));
    }
    list_.num_mechanism_rows = static_cast<int>(list_.rows.size());
  }

  void append_prescribed(const std::vector<Prescribed>& prescribed) {
    for (std::size_t i = 0; i < prescribed.size(); ++i) {
      const int number = static_cast<int>(i);
      const RowLabel label{PrescribedIndex(number), ""};
      if (const auto* held = std::get_if<HeldDirection>(&prescribed[i].what)) {
        list_.rows.push_back({.form = RowForm::kDot,
                              .features = {Feature{held->body, false, held->u_B},
                                           Feature{model::kGround, false, held->d_W},
                                           {}},
                              .prescribed = number,
                              .label = label});
        continue;
      }
      const auto& variable = std::get<model::Variable>(prescribed[i].what);
      if (variable.kind == model::VariableKind::kPointPosition && !layout_.column_of(variable)) {
        Row row = variable_row(mechanism_, variable);
        row.prescribed = number;
        row.label = label;
        list_.rows.push_back(std::move(row));
        continue;
      }
      const int column = column_with_tie(variable);
      list_.rows.push_back({.form = RowForm::kCoordinate,
                            .features = {},
                            .column = column,
                            .prescribed = number,
                            .label = label});
    }
  }

  RowList result() { return std::move(list_); }

 private:
  /// The column of a variable; of one that no coordinate is yet a new one, with the row that ties it to the bodies.
  int column_with_tie(const model::Variable& variable) {
    if (const auto column = layout_.column_of(variable)) return *column;
    const auto mixed = std::ranges::find(list_.mixed, variable, &RowList::Mixed::variable);
    if (mixed != list_.mixed.end()) return mixed->column;
    const auto column = static_cast<int>(list_.coordinates.size());
    Row tie = variable_row(mechanism_, variable);
    list_.coordinates.push_back(
        {model::name(mechanism_, variable), measures_angle(tie.form) ? core::kAngle : core::kLength});
    list_.mixed.push_back({variable, column});
    tie.column = column;
    list_.rows.push_back(std::move(tie));
    return column;
  }

  const Layout& layout_;
  const model::Mechanism& mechanism_;
  RowList list_;
};

}  // namespace

RowList list_rows(const Layout& layout, const model::Mechanism& mechanism,
                  const std::vector<Prescribed>& prescribed) {
  RowLister lister(layout, mechanism);
  lister.append_couplings();
  lister.append_prescribed(prescribed);
  return lister.result();
}

}  // namespace eslabon::coordinates
