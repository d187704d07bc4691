// The appearance of a game's cards: the game's values and names, and the player's settings.

import type { Look } from "./cards";
import { t, voice } from "./i18n.svelte";
import { settings } from "./settings.svelte";
import type { GameView } from "./wire";

export function lookOf(game: GameView): Look {
  return {
    fourColour: settings.fourColour,
    largeIndex: settings.largeIndex,
    showValue: settings.showValues,
    caliente: game.caliente_names,
    values: game.values,
    canastaSize: game.canasta_size,
    threes: game.threes,
    say: t,
    voice: voice(game.caliente_names),
  };
}
