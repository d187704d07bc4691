// All hand-drawn artwork: suits, court figures, the Caliente family. The origin is in the middle, y points down.
// Colours come from the card's own custom properties; `currentColor` is the colour of the suit.

import type { Suit } from "../../lib/cards";

/** In a box of 100 by 100. */
export const SUIT_SHAPES: Record<Suit, string> = {
  h: "M0 44C-13 28-47 7-47-18-47-35-35-45-22-45-11-45-3-38 0-29 3-38 11-45 22-45 35-45 47-35 47-18 47 7 13 28 0 44Z",
  d: "M0-50C10-32 22-14 38 0 22 14 10 32 0 50-10 32-22 14-38 0-22-14-10-32 0-50Z",
  s: "M0-48C11-31 45-10 45 14 45 28 35 37 23 37 15 37 8 33 4 27 5 36 9 43 16 48L-16 48C-9 43-5 36-4 27-8 33-15 37-23 37-35 37-45 28-45 14-45-10-11-31 0-48Z",
  c: "M0-47A22 22 0 0 1 18-12 22 22 0 1 1 5 23C6 34 9 42 16 48L-16 48C-9 42-6 34-5 23A22 22 0 1 1-18-12 22 22 0 0 1 0-47Z",
};

const SKIN = "#efd3b0";
const SKIN_SHADE = "#dcb78d";
export const BRASS = "#c99a3a";
export const BRASS_LIGHT = "#ecca7c";
export const TERRACOTTA = "#c8553d";
export const FELT = "#1c6b55";
export const CREAM = "#fbf6ea";
export const INK = "#201c18";
export const WICKER = "#a9743f";
export const WICKER_DARK = "#6b4420";

/** Brows, eyes and nose of every family member. */
export function eyes(y: number): string {
  return `<path d="M-5.2 ${y - 2.6}q1.8-1.2 3.4 0M1.8 ${y - 2.6}q1.6-1.2 3.4 0" fill="none" stroke="${INK}" stroke-width=".7" stroke-linecap="round"/><circle cx="-3.3" cy="${y}" r=".95" fill="${INK}"/><circle cx="3.3" cy="${y}" r=".95" fill="${INK}"/><path d="M0 ${y + 0.5}l-1.1 3.6h1.7" fill="none" stroke="#a9764a" stroke-width=".75" stroke-linecap="round" stroke-linejoin="round"/>`;
}

/** The upper half of a court card, from the belt (y = 0) to the top of the headdress (y = -48). */
export const COURT: Record<string, string> = {
  K:
    // Sceptre, long hair, robe, ermine, face with beard, crown.
    `<path d="M16.5-36V0" stroke="${BRASS}" stroke-width="2"/><circle cx="16.5" cy="-38" r="3.2" fill="${BRASS}"/><path d="M16.5-45v7M13.6-42.6h5.8" stroke="${BRASS}" stroke-width="1.4"/>` +
    `<path d="M-9.5-34C-13-24-11-17-12-13L12-13C11-17 13-24 9.5-34Z" fill="#6d5946"/>` +
    `<path d="M-22 0V-6C-22-13-15-17-8-18.5H8C15-17 22-13 22-6V0Z" fill="currentColor"/>` +
    `<path d="M-5 0-3-12H3L5 0Z" fill="${FELT}"/><path d="M0-9V0" stroke="${BRASS_LIGHT}" stroke-width="1.2" stroke-dasharray="1.4 2.2" stroke-linecap="round"/>` +
    `<path d="M-17.5-13.2C-12-16.5-9-18-7.5-19.5L0-12 7.5-19.5C9-18 12-16.5 17.5-13.2 11-6 5-4 0-3.2-5-4-11-6-17.5-13.2Z" fill="${CREAM}"/>` +
    `<path d="M-11-12.6v2.4M-6-10.2v2.4M11-12.6v2.4M6-10.2v2.4" stroke="${INK}" stroke-width="1.1" stroke-linecap="round"/>` +
    `<path d="M-7.6-36V-26C-7.6-18 7.6-18 7.6-26V-36Z" fill="${SKIN}"/>` +
    `<path d="M-7.6-28.5C-7.4-15-2.4-9.6 0-7.8 2.4-9.6 7.4-15 7.6-28.5 6-24.4 3.2-24.6 0-24.9-3.2-24.6-6-24.4-7.6-28.5Z" fill="#6d5946"/><path d="M-2.2-21.6q2.2 1.3 4.4 0" fill="none" stroke="${SKIN}" stroke-width="1" stroke-linecap="round"/>` +
    eyes(-30.2) +
    `<path d="M-9-35.2-11.4-46-5.7-41.6 0-48.4 5.7-41.6 11.4-46 9-35.2Z" fill="${BRASS}"/><path d="M-9-35.2H9" stroke="${TERRACOTTA}" stroke-width="2"/><circle cy="-47.4" r="1.5" fill="${TERRACOTTA}"/><circle cx="-11" cy="-45.6" r="1.3" fill="${TERRACOTTA}"/><circle cx="11" cy="-45.6" r="1.3" fill="${TERRACOTTA}"/>`,
  Q:
    // A carnation, long dark hair, gown with a lace collar, necklace, diadem.
    `<g transform="translate(-1.6 0)"><path d="M16.5-31C16-20 15-10 13 0" fill="none" stroke="${FELT}" stroke-width="1.5"/><path d="M15.9-20q4.6-1 5.2-5-4.6.4-5.2 5Z" fill="${FELT}"/><path d="M16.5-40l1.8 2.3 2.9-.4-.4 2.9 2.3 1.8-2.3 1.8.4 2.9-2.9-.4-1.8 2.3-1.8-2.3-2.9.4.4-2.9-2.3-1.8 2.3-1.8-.4-2.9 2.9.4Z" fill="${TERRACOTTA}"/><circle cx="16.5" cy="-33.4" r="1.8" fill="${BRASS_LIGHT}"/></g>` +
    `<path d="M0-42.5C-10.5-42.5-11.5-34-11.2-27-11-20-14.5-14-13-8.5H13C14.5-14 11-20 11.2-27 11.5-34 10.5-42.5 0-42.5Z" fill="#3d2a1e"/>` +
    `<path d="M-21 0C-21-9-16-14.4-8-16.4H8C16-14.4 21-9 21 0Z" fill="currentColor"/>` +
    `<path d="M-7.4-16.6C-6-8.6-3-5.2 0-4 3-5.2 6-8.6 7.4-16.6L2.8-22.6H-2.8Z" fill="${SKIN}"/><path d="M-2.9-22.6 2.9-22.6 2.4-19.4Q0-17.6-2.4-19.4Z" fill="${SKIN_SHADE}"/>` +
    `<path d="M-8.6-16.6C-7-7.4-3.4-3.4 0-2 3.4-3.4 7-7.4 8.6-16.6" fill="none" stroke="${CREAM}" stroke-width="2.4" stroke-dasharray="2.4 1.1"/>` +
    `<path d="M-5.2-16.2Q0-9.6 5.2-16.2" fill="none" stroke="${BRASS}" stroke-width="1"/><circle cy="-12.2" r="1.5" fill="${BRASS}"/>` +
    `<path d="M-7-37V-29C-7-23.6-3.6-20.4 0-20.4 3.6-20.4 7-23.6 7-29V-37Z" fill="${SKIN}"/>` +
    `<path d="M-8.2-29C-9.2-37.4-4.6-40.4 0-40.4 4.6-40.4 9.2-37.4 8.2-29 7.8-34.4 4.4-37.2 0-38-4.4-37.2-7.8-34.4-8.2-29Z" fill="#3d2a1e"/>` +
    eyes(-30.4) +
    `<path d="M-2.1-23.9q2.1-1 4.2 0-2.1 2-4.2 0Z" fill="#a8402f"/>` +
    `<path d="M-9-38.4C-7-40-3.5-41 0-41 3.5-41 7-40 9-38.4L10-44.6 5.4-42.2 0-48.4-5.4-42.2-10-44.6Z" fill="${BRASS}"/><circle cy="-43.6" r="1.5" fill="${CREAM}"/><circle cy="-48" r="1.2" fill="${BRASS_LIGHT}"/>`,
  J:
    // A walking stick, bobbed hair, jacket with a sash and a scarf, cap with a feather.
    `<path d="M-17-30C-17-36-11-36-11-31" fill="none" stroke="${WICKER_DARK}" stroke-width="2" stroke-linecap="round"/><path d="M-17-30V0" stroke="${WICKER_DARK}" stroke-width="2"/>` +
    `<path d="M-8.8-36C-10.6-28-10.4-22-9.6-19.4H9.6C10.4-22 10.6-28 8.8-36Z" fill="#8a5a2b"/>` +
    `<path d="M-20 0C-20-9-16-14.8-8-17H8C16-14.8 20-9 20 0Z" fill="currentColor"/>` +
    `<path d="M-4.2 0-6-15.6H6L4.2 0Z" fill="${CREAM}"/><path d="M-6-16.4 0-7.4-3.4 0H-9L-13.2-14.6ZM6-16.4 0-7.4 3.4 0H9L13.2-14.6Z" fill="${FELT}"/>` +
    `<path d="M-3-22.8H3L3.4-16.6Q0-13.4-3.4-16.6Z" fill="${SKIN_SHADE}"/>` +
    `<path d="M-6.4-17.6Q0-12.4 6.4-17.6L7-14.2Q3.4-10.8 0-10.4-3.4-10.8-7-14.2Z" fill="${TERRACOTTA}"/><path d="M-.6-11 2.4-10.8 3.4-4.4.4-5.2Z" fill="${TERRACOTTA}"/>` +
    `<path d="M-7-37V-28.8C-7-23.4-3.4-20.4 0-20.4 3.4-20.4 7-23.4 7-28.8V-37Z" fill="${SKIN}"/>` +
    `<path d="M-8.8-36C-9.6-30-9.4-25-9-22.6-6.8-25-6.6-30-6.4-33.8H6.4C6.6-30 6.8-25 9-22.6 9.4-25 9.6-30 8.8-36Z" fill="#8a5a2b"/>` +
    eyes(-29.8) +
    `<path d="M-2.2-24.2q2.4 1.5 4.6-.3" fill="none" stroke="#a8402f" stroke-width="1" stroke-linecap="round"/>` +
    `<path d="M-11.4-35.6C-12.4-41-7-46 1-45.6 8-45.2 11.8-40.6 11.4-35.6Z" fill="${TERRACOTTA}"/><path d="M-11.6-36.2H11.6" stroke="${BRASS}" stroke-width="2.2" stroke-linecap="round"/><path d="M7.4-38C9-44 13.4-48 19.4-47.6 18-42.6 13.4-38.4 7.4-38Z" fill="${CREAM}" stroke="${INK}" stroke-width=".6"/><path d="M8-38.2C11-42 14-44.6 17.6-46.4" stroke="${INK}" stroke-width=".6" fill="none"/>`,
};

function rays(): string {
  // Alternately straight and wavy, as on the sun of the Río de la Plata.
  let straight = "";
  let wavy = "";
  for (let step = 0; step < 16; step++) {
    const turn = `rotate(${step * 22.5})`;
    if (step % 2 === 0) straight += `<path transform="${turn}" d="M-3.2-14 0-30 3.2-14Z"/>`;
    else wavy += `<path transform="${turn}" d="M-2.4-14C-4.4-19 .8-20-1-26 4.6-22.6-.4-19 2.4-14Z"/>`;
  }
  return `<g fill="${BRASS}">${straight}</g><g fill="${TERRACOTTA}">${wavy}</g>`;
}

function mark(): string {
  return Array.from({ length: 10 }, (_, step) => `<path transform="rotate(${step * 36})" d="M-5-16 0-30 5-16Z"/>`).join("");
}

/** In a box of 64 by 64. */
export const PICTURES: Record<string, string> = {
  sun:
    rays() +
    `<circle r="14.6" fill="${BRASS_LIGHT}"/><circle r="14.6" fill="none" stroke="${BRASS}" stroke-width="1.6"/>` +
    `<path d="M-7.4-3.4q2.6-2.4 5-.4M2.4-3.8q2.4-2 5 .4" fill="none" stroke="${INK}" stroke-width="1.3" stroke-linecap="round"/><circle cx="-4.8" cy="-1" r="1.3" fill="${INK}"/><circle cx="4.8" cy="-1" r="1.3" fill="${INK}"/><path d="M-5 5.2q5 4.4 10 0" fill="none" stroke="${INK}" stroke-width="1.4" stroke-linecap="round"/><circle cx="-8.4" cy="3" r="2" fill="${TERRACOTTA}" opacity=".55"/><circle cx="8.4" cy="3" r="2" fill="${TERRACOTTA}" opacity=".55"/>`,
  // The same sun for the index, in one colour so that it's readable at any size.
  sunmark: `<g fill="currentColor">${mark()}<circle r="13"/></g>`,
  comet:
    `<path d="M-28 22C-20 4-8-4 6-11L14-3C0 4-10 12-28 22Z" fill="${BRASS}"/><path d="M-24 8C-16-6-6-12 4-16L7-12C-6-6-14 0-24 8Z" fill="${TERRACOTTA}"/><path d="M-12 28C-2 18 8 10 17 2L19 6C12 14 0 22-12 28Z" fill="${TERRACOTTA}"/>` +
    `<path transform="translate(13 -11)" d="M0-17 4.4-5.6 16.4-5.2 7 2.4 10.2 14 0 7.4-10.2 14-7 2.4-16.4-5.2-4.4-5.6Z" fill="${BRASS_LIGHT}" stroke="${BRASS}" stroke-width="1.6" stroke-linejoin="round"/>` +
    `<path d="M9-12q1-1.2 2.2-.4M15-12.4q1.2-.8 2.2.4M10-5.6q3.2 2.4 6.2 0" fill="none" stroke="${INK}" stroke-width="1.3" stroke-linecap="round"/>`,
  basket:
    `<path d="M-19-4C-19-34 19-34 19-4" fill="none" stroke="${WICKER_DARK}" stroke-width="3.4"/><path d="M-19-4C-19-34 19-34 19-4" fill="none" stroke="#d9ae74" stroke-width="1.5" stroke-dasharray="3 2.6"/>` +
    `<circle cx="-9" cy="-7.5" r="6.6" fill="${TERRACOTTA}"/><circle cx="9.5" cy="-7" r="6.4" fill="${BRASS}"/><circle cx="0" cy="-10.6" r="7" fill="currentColor"/><path d="M0-17q2-4.4 6-4.2-1 4-6 4.2Z" fill="${FELT}"/>` +
    `<path d="M-24-4H24L19 22C18.6 25 16 26 14 26H-14C-16 26-18.6 25-19 22Z" fill="${WICKER}"/>` +
    `<path d="M-22.6 3H22.6M-21.4 9.6H21.4M-20 16.2H20" stroke="${WICKER_DARK}" stroke-width="1.2"/>` +
    `<path d="M-16-3-13.4 26M-8-3-6.6 26M0-3V26M8-3 6.6 26M16-3 13.4 26" stroke="${WICKER_DARK}" stroke-width="1.2"/>` +
    `<path d="M-19.6 0h4.6M-11.4 0h6.4M3.4 0h1.2M-6 6.4h5M10 6.4h4.6M-17.6 6.4h3M-15 13h6M2.6 13h5M-5.4 19.6h4.4M9.4 19.6h4M-16.6 19.6h2.4M3 0h3M12 0h3" stroke="#d9ae74" stroke-width="2.4" stroke-linecap="round"/>` +
    `<rect x="-26" y="-7.5" width="52" height="6" rx="3" fill="${WICKER_DARK}"/><path d="M-22-4.5H22" stroke="#d9ae74" stroke-width="2" stroke-dasharray="4.4 3.2" stroke-linecap="round"/>`,
  hand:
    `<g stroke="currentColor" stroke-linecap="round" fill="none"><path d="M-9.6 4V-16" stroke-width="6.4"/><path d="M-2.6 4V-23" stroke-width="6.4"/><path d="M4.6 4V-21" stroke-width="6.4"/><path d="M11.6 4V-13.5" stroke-width="6"/><path d="M-10 9-18.4-1.6" stroke-width="6.4"/></g>` +
    `<path d="M-12.8-2H14.6V6C14.6 14 10 18.5 1 18.5-6.5 18.5-10 15-13.5 9Z" fill="currentColor"/><path d="M-6.2-15V-1M1-19V-1M8.1-16V-1" stroke="var(--card-face)" stroke-width="1.1" stroke-linecap="round"/><path d="M-8 4.5C-3 3 3 5 4 11M-3 1.5C3 .5 8 2 11.5 4.5" fill="none" stroke="var(--card-face)" stroke-width="1.3" stroke-linecap="round"/>` +
    `<path d="M-8.6 19.5H9.6L11 29H-10Z" fill="${TERRACOTTA}"/><path d="M-9 22.4H10" stroke="${BRASS_LIGHT}" stroke-width="1.6"/>`,
  chili:
    `<path d="M16-15C23-6 19 10 6 19-4 26-17 28-25 24-15 23-10 17-7 8-3-4 3-17 16-15Z" fill="${TERRACOTTA}"/><path d="M16-15C23-6 19 10 6 19-4 26-17 28-25 24-8 25 7 14 10-2 11-8 12-13 16-15Z" fill="#a8402f"/>` +
    `<path d="M1-1C-1 6-4 12-8 16" fill="none" stroke="#f0a184" stroke-width="2.2" stroke-linecap="round"/>` +
    `<path d="M4-11C5-18 12-20 19-17 22-15 23-11 22-8 18-12 15-8 12-11 9-7 7-11 4-11Z" fill="${FELT}"/><path d="M14-17C14-23 17-27 23-28" fill="none" stroke="${FELT}" stroke-width="3.6" stroke-linecap="round"/>`,
  jester:
    // Collar, face, cap with three points and bells.
    `<path d="M-22 27-14 12H14L22 27 14 22 7 28 0 22-7 28-14 22Z" fill="${BRASS}"/><circle cx="-22" cy="27.5" r="2.2" fill="${TERRACOTTA}"/><circle cx="22" cy="27.5" r="2.2" fill="${TERRACOTTA}"/><circle cx="-7" cy="28.5" r="2.2" fill="${TERRACOTTA}"/><circle cx="7" cy="28.5" r="2.2" fill="${TERRACOTTA}"/>` +
    `<path d="M-10.5-6V5C-10.5 12-5 16.5 0 16.5 5 16.5 10.5 12 10.5 5V-6Z" fill="${SKIN}"/>` +
    `<path d="M-7-1.2q2.2-1.6 4.4 0M2.6-1.2q2.2-1.6 4.4 0M-5.6 8.4q5.6 5 11.2 0" fill="none" stroke="${INK}" stroke-width="1.2" stroke-linecap="round"/><circle cx="-4.6" cy="1.6" r="1.3" fill="${INK}"/><circle cx="4.6" cy="1.6" r="1.3" fill="${INK}"/><circle cx="-7.6" cy="6" r="2" fill="${TERRACOTTA}" opacity=".5"/><circle cx="7.6" cy="6" r="2" fill="${TERRACOTTA}" opacity=".5"/>` +
    `<path d="M-12-4.5C-13-15-18-17-26-12-25-23-13-28-5-16L0-8V-4.5Z" fill="${TERRACOTTA}"/><path d="M12-4.5C13-15 18-17 26-12 25-23 13-28 5-16L0-8V-4.5Z" fill="${FELT}"/><path d="M-7.5-13.5C-6-20-3-24 0-30 3-24 6-20 7.5-13.5L0-4.5Z" fill="${BRASS}"/><path d="M-12.5-5H12.5" stroke="${CREAM}" stroke-width="3.4" stroke-linecap="round"/>` +
    `<circle cx="-26" cy="-10.5" r="2.8" fill="${BRASS}"/><circle cx="26" cy="-10.5" r="2.8" fill="${BRASS}"/><circle cy="-30" r="2.8" fill="${TERRACOTTA}"/>`,
  star: `<path d="M0-30 7.5-10.3 28.5-9.3 12.1 3.9 17.6 24.3 0 12.8-17.6 24.3-12.1 3.9-28.5-9.3-7.5-10.3Z" fill="currentColor"/>`,
};
