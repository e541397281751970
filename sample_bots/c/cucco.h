#ifndef CUCCO_H
#define CUCCO_H

#include "referee.h"

/* Plays Cucco by counting cards. */
const char *count_cards(struct question *question);

#endif
