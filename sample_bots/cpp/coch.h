#pragma once

#include "referee.h"

// Plays Coch by card sense.
std::string sensible(Question &question);
