// A bot for arena: `bot.mjs` plays Cambio with care, `bot.mjs random` plays any game by chance.

import { careful } from "./cambio.ts";
import { conformance } from "./conformance.ts";
import { type Bot, play } from "./referee.ts";

const random: Bot = {
  name: "typescript-random",
  choose: ({ legal, match }) => legal[match.random.below(legal.length)],
};

switch (process.argv[2]) {
  case "random":
    play(random);
    break;
  case "conformance":
    play(conformance);
    break;
  default:
    play(careful);
}
