#ifndef CUCCO_H
#define CUCCO_H

#include "referee.h"

/* Plays Cucco by counting cards. */
long count_cards(const struct question *question);

#endif
