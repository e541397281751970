// A bot for arena: `bot.mjs` plays Cambio with care, `bot.mjs random` plays any game by chance, `bot.mjs searcher`
// by looking ahead.

import { careful } from "./cambio.ts";
import { conformance } from "./conformance.ts";
import { ModelFailure } from "./model.ts";
import { type Bot, play } from "./referee.ts";

const random: Bot = {
  name: "typescript-random",
  choose: ({ legal, match }) => legal[match.random.below(legal.length)],
};

/** Plays the move that turns out best in playouts, for as long as the clock of the match allows. */
const searcher: Bot = {
  name: "typescript-searcher",
  matchesAtOnce: 1,
  wantsPositions: true,
  async choose(question) {
    try {
      const found = await question.position.evaluate();
      question.note(found.note);
      return found.best;
    } catch (error) {
      if (!(error instanceof ModelFailure)) throw error;
      question.note(error.message);
      return random.choose(question);
    }
  },
};

switch (process.argv[2]) {
  case "random":
    play(random);
    break;
  case "searcher":
    play(searcher);
    break;
  case "conformance":
    play(conformance);
    break;
  default:
    play(careful);
}
