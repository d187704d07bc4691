// Card backs: each is a pattern in a cream frame with a medallion.

import type { Back } from "../../lib/settings.svelte";
import { PICTURES } from "./pictures";

interface Drawing {
  /** The side of the square that repeats. */
  tile: number;
  pattern: string;
  edge: string;
  /** The drawing in the middle, and its colour. */
  picture: string;
  ink: string;
}

const BACKS: Record<Back, Drawing> = {
  wicker: {
    tile: 16,
    pattern:
      `<rect width="16" height="16" fill="#7c2f1d"/>` +
      `<g fill="#b4472f"><rect x=".6" y=".5" width="6.8" height="3.1" rx="1.2"/><rect x=".6" y="4.4" width="6.8" height="3.1" rx="1.2"/><rect x="8.6" y="8.5" width="6.8" height="3.1" rx="1.2"/><rect x="8.6" y="12.4" width="6.8" height="3.1" rx="1.2"/></g>` +
      `<g fill="#d98a6b"><rect x="8.5" y=".6" width="3.1" height="6.8" rx="1.2"/><rect x="12.4" y=".6" width="3.1" height="6.8" rx="1.2"/><rect x=".5" y="8.6" width="3.1" height="6.8" rx="1.2"/><rect x="4.4" y="8.6" width="3.1" height="6.8" rx="1.2"/></g>`,
    edge: "#7c2f1d",
    picture: "basket",
    ink: "#b4472f",
  },
  // The floor of a patio.
  tiles: {
    tile: 16,
    pattern:
      `<rect width="16" height="16" fill="#f1e9d8"/><path d="M0 0H8A8 8 0 0 1 0 8ZM16 0V8A8 8 0 0 1 8 0ZM16 16H8A8 8 0 0 1 16 8ZM0 16V8A8 8 0 0 1 8 16Z" fill="#2a5f8f"/>` +
      `<path d="M8 4.4 11.6 8 8 11.6 4.4 8Z" fill="#c99a3a"/>`,
    edge: "#1f4a70",
    picture: "star",
    ink: "#2a5f8f",
  },
  // Open fans in a row.
  fans: {
    tile: 20,
    pattern:
      `<rect width="20" height="20" fill="#143f34"/><g fill="none" stroke="#c99a3a" stroke-width="1"><path d="M0 10A10 10 0 0 1 20 10M3.4 10A6.6 6.6 0 0 1 16.6 10M6.8 10A3.2 3.2 0 0 1 13.2 10M-10 20A10 10 0 0 1 10 20M-6.6 20A6.6 6.6 0 0 1 6.6 20M-3.2 20A3.2 3.2 0 0 1 3.2 20M10 20A10 10 0 0 1 30 20M13.4 20A6.6 6.6 0 0 1 26.6 20M16.8 20A3.2 3.2 0 0 1 23.2 20"/></g>`,
    edge: "#0f3329",
    picture: "hand",
    ink: "#1c6b55",
  },
  sun: {
    tile: 10,
    pattern: `<rect width="10" height="10" fill="#6c4a78"/><path d="M0 10 10 0M-2 2 2-2M8 12 12 8" stroke="#8d6a99" stroke-width="1.6"/><circle cx="5" cy="5" r="1.1" fill="#ecca7c"/>`,
    edge: "#4c3256",
    picture: "sun",
    ink: "#6c4a78",
  },
};

/** The `<symbol>` of a back, 90 by 126. */
export function backMarkup(back: Back): string {
  const { tile, pattern, edge, picture, ink } = BACKS[back];
  const frame = `<rect x="5" y="5" width="80" height="116" rx="6"`;
  return (
    `<pattern id="back-${back}" width="${tile}" height="${tile}" patternUnits="userSpaceOnUse" patternTransform="translate(5 7)">${pattern}</pattern>` +
    `<symbol id="card-back-${back}" viewBox="0 0 90 126">${frame} fill="url(#back-${back})"/>${frame} fill="none" stroke="${edge}" stroke-width="1.5"/>` +
    `<ellipse cx="45" cy="63" rx="19" ry="19" fill="#fbf6ea"/><ellipse cx="45" cy="63" rx="16.5" ry="16.5" fill="none" stroke="${ink}" stroke-width="1.2"/><g transform="translate(45 63.5) scale(.4)" color="${ink}">${PICTURES[picture]}</g></symbol>`
  );
}
