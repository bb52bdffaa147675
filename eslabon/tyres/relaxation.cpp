#include "eslabon/tyres/relaxation.hpp"

#include <cmath>

namespace eslabon::tyres {

template <core::Scalar T>
Relaxation<T> relaxation_at(const MagicFormula& t, const TyreContact<T>& contact,
                            const MagicCurves<T>& curves) {
  using std::abs;
  using std::atan;
  using std::exp;
  using std::sin;
  const double F_z0 = t.LFZO * t.FNOMIN;
  const T df_z = contact.F_z / F_z0 - 1.0;
  const T dp = contact.pressure / t.NOMPRES - 1.0;
  Relaxation<T> out;
  out.C_x =
      t.LONGITUDINAL_STIFFNESS * (1.0 + df_z * (t.PCFX1 + t.PCFX2 * df_z)) * (1.0 + t.PCFX3 * dp);   // (17)
  out.C_y = t.LATERAL_STIFFNESS * (1.0 + df_z * (t.PCFY1 + t.PCFY2 * df_z)) * (1.0 + t.PCFY3 * dp);  // (18)
  if (t.version == MagicFormulaVersion::k52) {
    out.sigma_x = (t.PTX1 + t.PTX2 * df_z) * exp(-t.PTX3 * df_z) * t.LSGKP * t.UNLOADED_RADIUS *
                  (contact.F_z / t.FNOMIN);
    if (t.PTY2 != 0.0)
      out.sigma_y = t.PTY1 * sin(2.0 * atan(contact.F_z / (t.PTY2 * F_z0))) *
                    (1.0 - t.PKY3 * abs(T(t.LGAY * contact.gamma))) * t.UNLOADED_RADIUS * t.LFZO * t.LSGAL;
    return out;
  }
  if (t.LONGITUDINAL_STIFFNESS > 0.0) out.sigma_x = abs(T(curves.K_xkappa / out.C_x));  // (19)
  if (t.LATERAL_STIFFNESS > 0.0) out.sigma_y = abs(T(curves.K_yalpha / out.C_y));       // (19)
  return out;
}

#define ESLABON_INSTANTIATE(T) \
  template Relaxation<T> relaxation_at(const MagicFormula&, const TyreContact<T>&, const MagicCurves<T>&);
ESLABON_FOR_EACH_SCALAR(ESLABON_INSTANTIATE)
#undef ESLABON_INSTANTIATE

}  // namespace eslabon::tyres
