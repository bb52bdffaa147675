#pragma once

/// All that a program needs to go from a mechanism file to numbers; link eslabon::eslabon. Single headers compile faster.

// What one asks for, and what one gets: a request, and its table of results.
#include "eslabon/core/time/time_literals.hpp"
#include "eslabon/runs/estimation/estimate.hpp"
#include "eslabon/runs/motion/inverse_run.hpp"
#include "eslabon/runs/motion/motion_run.hpp"
#include "eslabon/runs/motion/simulation_run.hpp"
#include "eslabon/runs/sensing/sense.hpp"
#include "eslabon/runs/statics/equilibrium_run.hpp"
#include "eslabon/runs/statics/modes_run.hpp"

// A mechanism: from a file, or by hand.
#include "eslabon/core/text/error.hpp"
#include "eslabon/io/mechanism/model_source.hpp"
#include "eslabon/model/mechanism_builder.hpp"

// In a position where its joints are closed.
#include "eslabon/kinematics/assembly/assembled_mechanism.hpp"

// Its motion as drivers prescribe it.
#include "eslabon/kinematics/method_choice.hpp"
#include "eslabon/kinematics/motion.hpp"

// Its motion as forces make it, and the forces.
#include "eslabon/dynamics/formulations/formulation.hpp"
#include "eslabon/dynamics/formulations/formulation_choice.hpp"
#include "eslabon/dynamics/mass/energy.hpp"
#include "eslabon/dynamics/reactions/inverse_dynamics.hpp"
#include "eslabon/dynamics/reactions/reactions.hpp"
#include "eslabon/integration/simulation.hpp"

// Its outputs as a table.
#include "eslabon/integration/recorder.hpp"
#include "eslabon/kinematics/variable_value.hpp"

// What sensors read of it, and what filters tell from readings.
#include "eslabon/estimation/estimation_run.hpp"
#include "eslabon/estimation/estimator.hpp"
#include "eslabon/estimation/mechanism/mechanism_system.hpp"
#include "eslabon/sensing/instrument.hpp"
