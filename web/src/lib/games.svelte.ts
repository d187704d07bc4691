// This server's games, with their names and summaries in the player's language.

import { api } from "./api";
import type { GameInfo } from "./rest";
import { language } from "./i18n.svelte";

class Games {
  known = $state.raw<GameInfo[]>([]);
}

const games = new Games();

export async function loadGames(): Promise<GameInfo[]> {
  games.known = await api.games();
  return games.known;
}

/** `title` is the server's English name, used if the games were never fetched. */
export function gameTitle(name: string, title: string): string {
  const game = games.known.find((each) => each.name === name);
  return game?.titles[language()] ?? game?.title ?? title;
}

export function gameSummary(game: GameInfo): string {
  return game.summaries[language()] ?? game.summary;
}

export function familyTitle(family: string): string {
  return games.known.find((game) => game.family === family)?.families[language()] ?? family;
}
