#pragma once

#include "referee.h"

// Returns a bot that uses everything that the conversation offers: arena's test of all languages plays it.
Bot conformance();
