#pragma once

#include "referee.h"

// Plays Coch by card sense.
int sensible(const referee::v1::Question& question, Match& match);
