#pragma once

/// Every coefficient of a Magic Formula tyre, once. Calls X(name, section, measure, otherwise, meaning) for each:
///   section    of the file where it is looked for by people; readers take it wherever it stands
///   measure    what it measures (Measure)
///   otherwise  its value where a file has none, or kNeeded
/// Numbers beside names: [Pacejka2012, app. 3] for the meaning of all, [BesselinkSchmeitzPacejka2010] for pressure and structure. Where a
/// coefficient is missing its term is missing: 0, and 1 for scale factors. Others: PKY4 = 2 and QSY7 = 1, which 5.2 has without a name;
/// Q_RE0 = 1; VXLOW = 1 m/s and LONGVL = 16.7 m/s, as most files have; NOMPRES = 200 kPa, which only pressures relative to it tell from
/// others.
#define ESLABON_MAGIC_FORMULA_COEFFICIENTS(X)                                                      \
  X(LONGVL, kModel, kSpeed, 16.7, "speed of the measurement, V_0")                                 \
  X(VXLOW, kModel, kSpeed, 1.0, "speed below which slip is reduced")                               \
  X(UNLOADED_RADIUS, kDimension, kLength, kNeeded, "free radius, R_0")                             \
  X(WIDTH, kDimension, kLength, 0.0, "width of the section")                                       \
  X(ASPECT_RATIO, kDimension, kNumber, 0.0, "height of the section by its width")                  \
  X(RIM_RADIUS, kDimension, kLength, 0.0, "radius of the rim")                                     \
  X(RIM_WIDTH, kDimension, kLength, 0.0, "width of the rim")                                       \
  X(INFLPRES, kOperatingConditions, kPressure, kNominalPressure, "inflation pressure, p")          \
  X(NOMPRES, kOperatingConditions, kPressure, kNominalPressure, "nominal inflation pressure, p_0") \
  X(MASS, kInertia, kMass, 0.0, "mass of the tyre")                                                \
  X(IXX, kInertia, kInertia, 0.0, "moment of inertia about a diameter")                            \
  X(IYY, kInertia, kInertia, 0.0, "moment of inertia about the spin axis")                         \
  X(BELT_MASS, kInertia, kMass, 0.0, "mass of the belt")                                           \
  X(BELT_IXX, kInertia, kInertia, 0.0, "moment of inertia of the belt about a diameter")           \
  X(BELT_IYY, kInertia, kInertia, 0.0, "moment of inertia of the belt about the spin axis")        \
  X(FNOMIN, kVertical, kForce, kNeeded, "nominal load, F_z0")                                      \
  X(VERTICAL_STIFFNESS, kVertical, kStiffness, kNeeded, "stiffness at the nominal load, C_z0")     \
  X(VERTICAL_DAMPING, kVertical, kDamping, 0.0, "damping")                                         \
  X(BREFF, kVertical, kNumber, 0.0, "effective radius: slope at low load")                         \
  X(DREFF, kVertical, kNumber, 0.0, "effective radius: peak")                                      \
  X(FREFF, kVertical, kNumber, 0.0, "effective radius: slope at high load")                        \
  X(Q_RE0, kVertical, kNumber, 1.0, "free radius of the turning tyre by R_0")                      \
  X(Q_V1, kVertical, kNumber, 0.0, "growth of the radius with speed")                              \
  X(Q_V2, kVertical, kNumber, 0.0, "growth of the stiffness with speed")                           \
  X(Q_FZ2, kVertical, kNumber, 0.0, "load: quadratic in the deflection")                           \
  X(Q_FCX, kVertical, kNumber, 0.0, "load: less by F_x")                                           \
  X(Q_FCY, kVertical, kNumber, 0.0, "load: less by F_y")                                           \
  X(Q_FCY2, kVertical, kNumber, 0.0, "6.2, load: exponent of the deflection beside F_y")           \
  X(Q_CAM1, kVertical, kNumber, 0.0, "6.2, deflection by camber, linear in the loaded radius")     \
  X(Q_CAM2, kVertical, kNumber, 0.0, "6.2, deflection by camber, quadratic")                       \
  X(Q_CAM3, kVertical, kNumber, 0.0, "6.2, deflection less by camber")                             \
  X(Q_FYS1, kVertical, kNumber, 0.0, "6.2, F_y shifted by camber, constant")                       \
  X(Q_FYS2, kVertical, kNumber, 0.0, "6.2, F_y shifted by camber, linear in the loaded radius")    \
  X(Q_FYS3, kVertical, kNumber, 0.0, "6.2, F_y shifted by camber, quadratic")                      \
  X(PFZ1, kVertical, kNumber, 0.0, "stiffness by pressure")                                        \
  X(BOTTOM_OFFST, kVertical, kLength, 0.0, "distance from the rim at which it bottoms")            \
  X(BOTTOM_STIFF, kVertical, kStiffness, 0.0, "stiffness of the bottomed tyre")                    \
  X(LONGITUDINAL_STIFFNESS, kStructural, kStiffness, 0.0, "of the carcass, c_x0")                  \
  X(LATERAL_STIFFNESS, kStructural, kStiffness, 0.0, "of the carcass, c_y0")                       \
  X(YAW_STIFFNESS, kStructural, kYawStiffness, 0.0, "of the carcass")                              \
  X(PCFX1, kStructural, kNumber, 0.0, "c_x by load")                                               \
  X(PCFX2, kStructural, kNumber, 0.0, "c_x by load, squared")                                      \
  X(PCFX3, kStructural, kNumber, 0.0, "c_x by pressure")                                           \
  X(PCFY1, kStructural, kNumber, 0.0, "c_y by load")                                               \
  X(PCFY2, kStructural, kNumber, 0.0, "c_y by load, squared")                                      \
  X(PCFY3, kStructural, kNumber, 0.0, "c_y by pressure")                                           \
  X(FZMIN, kLoadRange, kForce, 0.0, "smallest load of the measurement")                            \
  X(FZMAX, kLoadRange, kForce, kUnlimited, "greatest load of the measurement")                     \
  X(KPUMIN, kSlipRange, kNumber, -1.5, "smallest slip of the measurement")                         \
  X(KPUMAX, kSlipRange, kNumber, 1.5, "greatest slip of the measurement")                          \
  X(ALPMIN, kAngleRange, kAngle, -1.5, "smallest slip angle of the measurement")                   \
  X(ALPMAX, kAngleRange, kAngle, 1.5, "greatest slip angle of the measurement")                    \
  X(CAMMIN, kCamberRange, kAngle, -0.5, "smallest camber of the measurement")                      \
  X(CAMMAX, kCamberRange, kAngle, 0.5, "greatest camber of the measurement")                       \
  X(PRESMIN, kPressureRange, kPressure, 0.0, "lowest pressure of the measurement")                 \
  X(PRESMAX, kPressureRange, kPressure, kUnlimited, "highest pressure of the measurement")         \
  X(LFZO, kScaling, kNumber, 1.0, "nominal load")                                                  \
  X(LCX, kScaling, kNumber, 1.0, "C_x")                                                            \
  X(LMUX, kScaling, kNumber, 1.0, "mu_x")                                                          \
  X(LEX, kScaling, kNumber, 1.0, "E_x")                                                            \
  X(LKX, kScaling, kNumber, 1.0, "K_xk")                                                           \
  X(LHX, kScaling, kNumber, 1.0, "S_Hx")                                                           \
  X(LVX, kScaling, kNumber, 1.0, "S_Vx")                                                           \
  X(LGAX, kScaling, kNumber, 1.0, "5.2: camber in F_x")                                            \
  X(LCY, kScaling, kNumber, 1.0, "C_y")                                                            \
  X(LMUY, kScaling, kNumber, 1.0, "mu_y")                                                          \
  X(LEY, kScaling, kNumber, 1.0, "E_y")                                                            \
  X(LKY, kScaling, kNumber, 1.0, "K_ya")                                                           \
  X(LKYC, kScaling, kNumber, 1.0, "camber stiffness of F_y")                                       \
  X(LKZC, kScaling, kNumber, 1.0, "camber stiffness of M_z")                                       \
  X(LHY, kScaling, kNumber, 1.0, "S_Hy")                                                           \
  X(LVY, kScaling, kNumber, 1.0, "S_Vy")                                                           \
  X(LGAY, kScaling, kNumber, 1.0, "5.2: camber in F_y")                                            \
  X(LTR, kScaling, kNumber, 1.0, "pneumatic trail")                                                \
  X(LRES, kScaling, kNumber, 1.0, "residual torque")                                               \
  X(LGAZ, kScaling, kNumber, 1.0, "5.2: camber in M_z")                                            \
  X(LXAL, kScaling, kNumber, 1.0, "alpha in F_x")                                                  \
  X(LYKA, kScaling, kNumber, 1.0, "kappa in F_y")                                                  \
  X(LVYKA, kScaling, kNumber, 1.0, "F_y by kappa")                                                 \
  X(LS, kScaling, kNumber, 1.0, "moment arm of F_x")                                               \
  X(LCZ, kScaling, kNumber, 1.0, "5.2: stiffness at the nominal load")                             \
  X(LSGKP, kScaling, kNumber, 1.0, "5.2: sigma_x")                                                 \
  X(LSGAL, kScaling, kNumber, 1.0, "5.2: sigma_y")                                                 \
  X(LMX, kScaling, kNumber, 1.0, "M_x")                                                            \
  X(LVMX, kScaling, kNumber, 1.0, "shift of M_x")                                                  \
  X(LMY, kScaling, kNumber, 1.0, "M_y")                                                            \
  X(PCX1, kLongitudinal, kNumber, kNeeded, "C_x")                                                  \
  X(PDX1, kLongitudinal, kNumber, kNeeded, "mu_x")                                                 \
  X(PDX2, kLongitudinal, kNumber, 0.0, "mu_x by load")                                             \
  X(PDX3, kLongitudinal, kNumber, 0.0, "mu_x by camber squared")                                   \
  X(PEX1, kLongitudinal, kNumber, 0.0, "E_x")                                                      \
  X(PEX2, kLongitudinal, kNumber, 0.0, "E_x by load")                                              \
  X(PEX3, kLongitudinal, kNumber, 0.0, "E_x by load squared")                                      \
  X(PEX4, kLongitudinal, kNumber, 0.0, "E_x by the sign of slip")                                  \
  X(PKX1, kLongitudinal, kNumber, kNeeded, "K_xk/F_z")                                             \
  X(PKX2, kLongitudinal, kNumber, 0.0, "K_xk/F_z by load")                                         \
  X(PKX3, kLongitudinal, kNumber, 0.0, "K_xk/F_z by load, exponent")                               \
  X(PHX1, kLongitudinal, kNumber, 0.0, "S_Hx")                                                     \
  X(PHX2, kLongitudinal, kNumber, 0.0, "S_Hx by load")                                             \
  X(PVX1, kLongitudinal, kNumber, 0.0, "S_Vx/F_z")                                                 \
  X(PVX2, kLongitudinal, kNumber, 0.0, "S_Vx/F_z by load")                                         \
  X(PPX1, kLongitudinal, kNumber, 0.0, "K_xk by pressure")                                         \
  X(PPX2, kLongitudinal, kNumber, 0.0, "K_xk by pressure squared")                                 \
  X(PPX3, kLongitudinal, kNumber, 0.0, "mu_x by pressure")                                         \
  X(PPX4, kLongitudinal, kNumber, 0.0, "mu_x by pressure squared")                                 \
  X(RBX1, kLongitudinal, kNumber, 0.0, "B_xa")                                                     \
  X(RBX2, kLongitudinal, kNumber, 0.0, "B_xa by kappa")                                            \
  X(RBX3, kLongitudinal, kNumber, 0.0, "B_xa by camber squared")                                   \
  X(RCX1, kLongitudinal, kNumber, 0.0, "C_xa")                                                     \
  X(REX1, kLongitudinal, kNumber, 0.0, "E_xa")                                                     \
  X(REX2, kLongitudinal, kNumber, 0.0, "E_xa by load")                                             \
  X(RHX1, kLongitudinal, kNumber, 0.0, "S_Hxa")                                                    \
  X(PTX1, kLongitudinal, kNumber, 0.0, "5.2: sigma_x")                                             \
  X(PTX2, kLongitudinal, kNumber, 0.0, "5.2: sigma_x by load")                                     \
  X(PTX3, kLongitudinal, kNumber, 0.0, "5.2: sigma_x by load, exponent")                           \
  X(QSX1, kOverturning, kNumber, 0.0, "shift of M_x")                                              \
  X(QSX2, kOverturning, kNumber, 0.0, "M_x by camber")                                             \
  X(QSX3, kOverturning, kNumber, 0.0, "M_x by F_y")                                                \
  X(QSX4, kOverturning, kNumber, 0.0, "M_x by load, F_y and camber")                               \
  X(QSX5, kOverturning, kNumber, 0.0, "M_x by load with F_y and camber")                           \
  X(QSX6, kOverturning, kNumber, 0.0, "M_x by load, stiffness factor")                             \
  X(QSX7, kOverturning, kNumber, 0.0, "M_x by camber with load")                                   \
  X(QSX8, kOverturning, kNumber, 0.0, "M_x by F_y with load")                                      \
  X(QSX9, kOverturning, kNumber, 0.0, "M_x by F_y with load, stiffness factor")                    \
  X(QSX10, kOverturning, kNumber, 0.0, "M_x by load with camber")                                  \
  X(QSX11, kOverturning, kNumber, 0.0, "M_x by load with camber, stiffness factor")                \
  X(QSX12, kOverturning, kNumber, 0.0, "M_x by camber squared")                                    \
  X(QSX13, kOverturning, kNumber, 0.0, "M_x by F_y")                                               \
  X(QSX14, kOverturning, kNumber, 0.0, "M_x by F_y with camber")                                   \
  X(PPMX1, kOverturning, kNumber, 0.0, "M_x by pressure")                                          \
  X(PCY1, kLateral, kNumber, kNeeded, "C_y")                                                       \
  X(PDY1, kLateral, kNumber, kNeeded, "mu_y")                                                      \
  X(PDY2, kLateral, kNumber, 0.0, "mu_y by load")                                                  \
  X(PDY3, kLateral, kNumber, 0.0, "mu_y by camber squared")                                        \
  X(PEY1, kLateral, kNumber, 0.0, "E_y")                                                           \
  X(PEY2, kLateral, kNumber, 0.0, "E_y by load")                                                   \
  X(PEY3, kLateral, kNumber, 0.0, "E_y by the sign of slip")                                       \
  X(PEY4, kLateral, kNumber, 0.0, "E_y by camber and the sign of slip")                            \
  X(PEY5, kLateral, kNumber, 0.0, "E_y by camber squared")                                         \
  X(PKY1, kLateral, kNumber, kNeeded, "max. K_ya/F_z0")                                            \
  X(PKY2, kLateral, kNumber, kNeeded, "load of the max. of K_ya by F_z0")                          \
  X(PKY3, kLateral, kNumber, 0.0, "K_ya by camber")                                                \
  X(PKY4, kLateral, kNumber, 2.0, "K_ya, curvature")                                               \
  X(PKY5, kLateral, kNumber, 0.0, "load of the max. of K_ya by camber squared")                    \
  X(PKY6, kLateral, kNumber, 0.0, "K_yg/F_z")                                                      \
  X(PKY7, kLateral, kNumber, 0.0, "K_yg/F_z by load")                                              \
  X(PHY1, kLateral, kNumber, 0.0, "S_Hy")                                                          \
  X(PHY2, kLateral, kNumber, 0.0, "S_Hy by load")                                                  \
  X(PHY3, kLateral, kNumber, 0.0, "5.2: S_Hy by camber")                                           \
  X(PVY1, kLateral, kNumber, 0.0, "S_Vy/F_z")                                                      \
  X(PVY2, kLateral, kNumber, 0.0, "S_Vy/F_z by load")                                              \
  X(PVY3, kLateral, kNumber, 0.0, "S_Vy/F_z by camber")                                            \
  X(PVY4, kLateral, kNumber, 0.0, "S_Vy/F_z by camber and load")                                   \
  X(PPY1, kLateral, kNumber, 0.0, "K_ya by pressure")                                              \
  X(PPY2, kLateral, kNumber, 0.0, "load of the max. of K_ya by pressure")                          \
  X(PPY3, kLateral, kNumber, 0.0, "mu_y by pressure")                                              \
  X(PPY4, kLateral, kNumber, 0.0, "mu_y by pressure squared")                                      \
  X(PPY5, kLateral, kNumber, 0.0, "K_yg by pressure")                                              \
  X(RBY1, kLateral, kNumber, 0.0, "B_yk")                                                          \
  X(RBY2, kLateral, kNumber, 0.0, "B_yk by alpha")                                                 \
  X(RBY3, kLateral, kNumber, 0.0, "B_yk, shift of alpha")                                          \
  X(RBY4, kLateral, kNumber, 0.0, "B_yk by camber squared")                                        \
  X(RCY1, kLateral, kNumber, 0.0, "C_yk")                                                          \
  X(REY1, kLateral, kNumber, 0.0, "E_yk")                                                          \
  X(REY2, kLateral, kNumber, 0.0, "E_yk by load")                                                  \
  X(RHY1, kLateral, kNumber, 0.0, "S_Hyk")                                                         \
  X(RHY2, kLateral, kNumber, 0.0, "S_Hyk by load")                                                 \
  X(RVY1, kLateral, kNumber, 0.0, "S_Vyk/(mu_y F_z)")                                              \
  X(RVY2, kLateral, kNumber, 0.0, "S_Vyk/(mu_y F_z) by load")                                      \
  X(RVY3, kLateral, kNumber, 0.0, "S_Vyk/(mu_y F_z) by camber")                                    \
  X(RVY4, kLateral, kNumber, 0.0, "S_Vyk by alpha")                                                \
  X(RVY5, kLateral, kNumber, 0.0, "S_Vyk by kappa, shape")                                         \
  X(RVY6, kLateral, kNumber, 0.0, "S_Vyk by kappa, slope")                                         \
  X(PTY1, kLateral, kNumber, 0.0, "5.2: max. sigma_y/R_0")                                         \
  X(PTY2, kLateral, kNumber, 0.0, "5.2: load of the max. of sigma_y by F_z0")                      \
  X(QSY1, kRolling, kNumber, 0.0, "M_y")                                                           \
  X(QSY2, kRolling, kNumber, 0.0, "M_y by F_x")                                                    \
  X(QSY3, kRolling, kNumber, 0.0, "M_y by speed")                                                  \
  X(QSY4, kRolling, kNumber, 0.0, "M_y by the fourth power of speed")                              \
  X(QSY5, kRolling, kNumber, 0.0, "M_y by camber squared")                                         \
  X(QSY6, kRolling, kNumber, 0.0, "M_y by camber squared and load")                                \
  X(QSY7, kRolling, kNumber, 1.0, "M_y by load, exponent")                                         \
  X(QSY8, kRolling, kNumber, 0.0, "M_y by pressure, exponent")                                     \
  X(QBZ1, kAligning, kNumber, 0.0, "B_t")                                                          \
  X(QBZ2, kAligning, kNumber, 0.0, "B_t by load")                                                  \
  X(QBZ3, kAligning, kNumber, 0.0, "B_t by load squared")                                          \
  X(QBZ4, kAligning, kNumber, 0.0, "B_t by camber")                                                \
  X(QBZ5, kAligning, kNumber, 0.0, "B_t by the modulus of camber")                                 \
  X(QBZ9, kAligning, kNumber, 0.0, "B_r")                                                          \
  X(QBZ10, kAligning, kNumber, 0.0, "B_r by B_y C_y")                                              \
  X(QCZ1, kAligning, kNumber, 0.0, "C_t")                                                          \
  X(QDZ1, kAligning, kNumber, 0.0, "D_t")                                                          \
  X(QDZ2, kAligning, kNumber, 0.0, "D_t by load")                                                  \
  X(QDZ3, kAligning, kNumber, 0.0, "D_t by camber")                                                \
  X(QDZ4, kAligning, kNumber, 0.0, "D_t by camber squared")                                        \
  X(QDZ6, kAligning, kNumber, 0.0, "D_r")                                                          \
  X(QDZ7, kAligning, kNumber, 0.0, "D_r by load")                                                  \
  X(QDZ8, kAligning, kNumber, 0.0, "D_r by camber")                                                \
  X(QDZ9, kAligning, kNumber, 0.0, "D_r by camber and load")                                       \
  X(QDZ10, kAligning, kNumber, 0.0, "D_r by camber squared")                                       \
  X(QDZ11, kAligning, kNumber, 0.0, "D_r by camber squared and load")                              \
  X(QEZ1, kAligning, kNumber, 0.0, "E_t")                                                          \
  X(QEZ2, kAligning, kNumber, 0.0, "E_t by load")                                                  \
  X(QEZ3, kAligning, kNumber, 0.0, "E_t by load squared")                                          \
  X(QEZ4, kAligning, kNumber, 0.0, "E_t by alpha_t")                                               \
  X(QEZ5, kAligning, kNumber, 0.0, "E_t by camber and alpha_t")                                    \
  X(QHZ1, kAligning, kNumber, 0.0, "S_Ht")                                                         \
  X(QHZ2, kAligning, kNumber, 0.0, "S_Ht by load")                                                 \
  X(QHZ3, kAligning, kNumber, 0.0, "S_Ht by camber")                                               \
  X(QHZ4, kAligning, kNumber, 0.0, "S_Ht by camber and load")                                      \
  X(PPZ1, kAligning, kNumber, 0.0, "D_t by pressure")                                              \
  X(PPZ2, kAligning, kNumber, 0.0, "D_r by pressure")                                              \
  X(SSZ1, kAligning, kNumber, 0.0, "s/R_0")                                                        \
  X(SSZ2, kAligning, kNumber, 0.0, "s/R_0 by F_y")                                                 \
  X(SSZ3, kAligning, kNumber, 0.0, "s/R_0 by camber")                                              \
  X(SSZ4, kAligning, kNumber, 0.0, "s/R_0 by camber and load")
