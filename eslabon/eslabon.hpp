#pragma once

/// All that a program needs to go from a mechanism file to numbers; link eslabon::eslabon. Single headers compile faster.

// What one asks for, and what one gets: a request, and its table of results.
#include "eslabon/core/time_literals.hpp"
#include "eslabon/runs/equilibrium_run.hpp"
#include "eslabon/runs/estimate.hpp"
#include "eslabon/runs/inverse_run.hpp"
#include "eslabon/runs/modes_run.hpp"
#include "eslabon/runs/motion_run.hpp"
#include "eslabon/runs/sense.hpp"
#include "eslabon/runs/simulation_run.hpp"

// A mechanism: from a file, or by hand.
#include "eslabon/core/error.hpp"
#include "eslabon/io/model_source.hpp"
#include "eslabon/model/mechanism_builder.hpp"

// In a position where its joints are closed.
#include "eslabon/kinematics/assembled_mechanism.hpp"

// Its motion as drivers prescribe it.
#include "eslabon/kinematics/method_choice.hpp"
#include "eslabon/kinematics/motion.hpp"

// Its motion as forces make it, and the forces.
#include "eslabon/dynamics/energy.hpp"
#include "eslabon/dynamics/formulation.hpp"
#include "eslabon/dynamics/formulation_choice.hpp"
#include "eslabon/dynamics/inverse_dynamics.hpp"
#include "eslabon/dynamics/reactions.hpp"
#include "eslabon/integration/simulation.hpp"

// Its outputs as a table.
#include "eslabon/integration/recorder.hpp"
#include "eslabon/kinematics/variable_value.hpp"

// What sensors read of it, and what filters tell from readings.
#include "eslabon/estimation/estimation_run.hpp"
#include "eslabon/estimation/estimator.hpp"
#include "eslabon/estimation/mechanism_system.hpp"
#include "eslabon/sensing/instrument.hpp"
