// A bot for arena: `bot.mjs` plays Cambio with care, `bot.mjs random` plays any game by chance.

import { careful } from "./cambio.ts";
import { play } from "./referee.ts";

if (process.argv[2] === "random") {
  play("typescript-random", [], (question, match) => match.random.below(question.legal.length));
} else {
  play("typescript-careful", ["cambio"], careful);
}
