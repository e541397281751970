#ifndef CONFORMANCE_H
#define CONFORMANCE_H

#include "referee.h"

/* Uses everything that the conversation offers: arena's test of all languages plays it. */
extern const struct bot conformance;

#endif
