// Portraits of players, in the style of the court cards: one figure for each level of the computer players, five
// variants of each so that a full table has no twins. Drawn from the belt (y = 0) upwards, as the courts are.

import { FACES, LEVELS } from "../../lib/wire";
import { BRASS, BRASS_LIGHT, CREAM, eyes, FELT, INK, TERRACOTTA, WICKER, WICKER_DARK } from "../cards/pictures";

/** The figure of a level. */
type Figure = (typeof LEVELS)[number];

interface Person {
  skin: string;
  shade: string;
  hair: string;
  dress: string;
  ground: string;
  /** Hair that falls over the shoulders. */
  long: boolean;
}

const PEOPLE: readonly Person[] = [
  { skin: "#efd3b0", shade: "#dcb78d", hair: "#6b4420", dress: "#b3402c", ground: "#dfe8d6", long: true },
  { skin: "#d9ab7c", shade: "#bd8c5c", hair: "#2b211b", dress: "#1d5ba6", ground: "#f3e1c0", long: false },
  { skin: "#f3d9be", shade: "#dfbb97", hair: "#b5652a", dress: "#1c6b55", ground: "#f0d9cc", long: true },
  { skin: "#a87450", shade: "#8a5b3b", hair: "#1f1813", dress: "#c99a3a", ground: "#d5e3e6", long: false },
  { skin: "#e6c39a", shade: "#cfa376", hair: "#8d8478", dress: "#6c4a78", ground: "#efe4ee", long: true },
];

const MOUTH = "#a8402f";

function smile(y: number, width = 2.6): string {
  return `<path d="M${-width} ${y}q${width} 2 ${width * 2} 0" fill="none" stroke="${MOUTH}" stroke-width="1.1" stroke-linecap="round"/>`;
}

function shoulders(fill: string, width = 21): string {
  return `<path d="M${-width} 4C${-width}-8-16-14.6-8-16.6H8C16-14.6 ${width}-8 ${width} 4Z" fill="${fill}"/>`;
}

function neck({ shade }: Person): string {
  return `<path d="M-3.2-23H3.2L3.6-15.6Q0-12-3.6-15.6Z" fill="${shade}"/>`;
}

function face({ skin }: Person, wide = 7.2): string {
  return `<path d="M${-wide}-37V-29C${-wide}-23.4-3.6-20 0-20 3.6-20 ${wide}-23.4 ${wide}-29V-37Z" fill="${skin}"/><circle cx="${-wide}" cy="-29.6" r="1.5" fill="${skin}"/><circle cx="${wide}" cy="-29.6" r="1.5" fill="${skin}"/>`;
}

function longHair({ hair, long }: Person): string {
  return long ? `<path d="M0-42C-11-42-11.6-34-11.2-27-11-21-12.6-17-11-12.6H11C12.6-17 11-21 11.2-27 11.6-34 11-42 0-42Z" fill="${hair}"/>` : "";
}

function fringe({ hair }: Person): string {
  return `<path d="M-8.4-28.6C-9.6-38-4.8-41.4 0-41.4 4.8-41.4 9.6-38 8.4-28.6 7.6-33.6 5-35.6 1.6-36-2-34-6-33.6-8.4-28.6Z" fill="${hair}"/>`;
}

const glasses = `<g fill="${CREAM}" fill-opacity=".35" stroke="${INK}" stroke-width=".8"><circle cx="-3.4" cy="-30" r="2.9"/><circle cx="3.4" cy="-30" r="2.9"/></g><path d="M-.6-30.4q.6-.6 1.2 0M-6.3-30.4-7.4-31M6.3-30.4 7.4-31" fill="none" stroke="${INK}" stroke-width=".8"/>`;

const DRAWN: Record<Figure, (person: Person) => string> = {
  // A child with a school bag: its straps, a round face, freckles.
  novice: (one) =>
    `<path d="M10-20H20.6C22-20 23-19 23-17.6V-2H9Z" fill="${WICKER}"/><path d="M9.6-14H23" stroke="${WICKER_DARK}" stroke-width="1.2"/><rect x="14.6" y="-15.4" width="3" height="3.6" rx=".8" fill="${BRASS_LIGHT}"/>` +
    longHair(one) +
    shoulders(one.dress, 18) +
    `<path d="M-5.6-16.2-8 4H-12L-10.4-15.6ZM5.6-16.2 8 4H12L10.4-15.6Z" fill="${WICKER_DARK}"/>` +
    `<path d="M-5.4-17.4 0-11.6 5.4-17.4 3-19.6H-3Z" fill="${CREAM}"/>` +
    neck(one) +
    face(one, 7.9) +
    `<path d="M-9-29C-10.4-38.6-5.6-42.6 0-42.6 5.6-42.6 10.4-38.6 9-29L7-33.4 4.4-32 2.6-34.6 0-32.4-2.6-34.8-4.6-32.2-6.8-34Z" fill="${one.hair}"/>` +
    eyes(-29.2) +
    `<g fill="${one.shade}"><circle cx="-5.4" cy="-26" r=".6"/><circle cx="-4" cy="-25.4" r=".6"/><circle cx="5.4" cy="-26" r=".6"/><circle cx="4" cy="-25.4" r=".6"/></g>` +
    smile(-23.6, 3),
  // A neighbour in a straw hat, just come over the fence.
  casual: (one) =>
    longHair(one) +
    shoulders(one.dress) +
    `<path d="M-6-16.8 0-6.6 6-16.8 2.8-20H-2.8Z" fill="${one.shade}"/><path d="M-8-17.6-2-8.4-6.4-7-11-14.6ZM8-17.6 2-8.4 6.4-7 11-14.6Z" fill="${CREAM}"/>` +
    neck(one) +
    face(one) +
    fringe(one) +
    eyes(-29.8) +
    (one.long ? "" : `<path d="M-3.6-25.2Q0-26.8 3.6-25.2 2-23.8 0-24.2-2-23.8-3.6-25.2Z" fill="${one.hair}"/>`) +
    smile(-23.2, 2.2) +
    `<path d="M-15-35.6C-10-38.6 10-38.6 15-35.6 10-33.6-10-33.6-15-35.6Z" fill="#d9ae74"/><path d="M-8.4-36.4C-9-43-5-45.4 0-45.4 5-45.4 9-43 8.4-36.4 4-35.4-4-35.4-8.4-36.4Z" fill="#e4c28d"/><path d="M-8.5-38.2Q0-36.4 8.5-38.2" fill="none" stroke="${TERRACOTTA}" stroke-width="2.2"/>`,
  // A club member: spectacles, pearls, hair up.
  club: (one) =>
    `<circle cx="0" cy="-43.4" r="4.6" fill="${one.hair}"/>` +
    shoulders(one.dress) +
    `<path d="M-6.6-17C-5-10 5-10 6.6-17L3-22H-3Z" fill="${one.skin}"/>` +
    neck(one) +
    `<path d="M-6.4-15.8Q0-7.4 6.4-15.8" fill="none" stroke="${CREAM}" stroke-width="1.9" stroke-dasharray="0 2.1" stroke-linecap="round"/>` +
    `<path d="M0-41.8C-9.6-41.8-10.2-34-9.4-26-8-24.4-7.4-26-7.2-29H7.2C7.4-26 8-24.4 9.4-26 10.2-34 9.6-41.8 0-41.8Z" fill="${one.hair}"/>` +
    face(one) +
    `<path d="M-8-31.6C-8.4-38.4-4-40.4 0-40.4 4-40.4 8.4-38.4 8-31.6 6-36 3-37 0-37-3-37-6-36-8-31.6Z" fill="${one.hair}"/>` +
    eyes(-30) +
    glasses +
    `<circle cx="-7.6" cy="-26.6" r="1" fill="${BRASS}"/><circle cx="7.6" cy="-26.6" r="1" fill="${BRASS}"/>` +
    `<path d="M-2.2-23.7q2.2-1.1 4.4 0-2.2 2.2-4.4 0Z" fill="${MOUTH}"/>`,
  // A professor: a high forehead, white hair, a bow tie.
  expert: (one) =>
    shoulders("#4a4038") +
    `<path d="M-5.4 4-6.6-16.4H6.6L5.4 4Z" fill="${CREAM}"/><path d="M-7-17 0-4-6 4H-11L-13.4-14.6ZM7-17 0-4 6 4H11L13.4-14.6Z" fill="#5d5147"/>` +
    neck(one) +
    `<path d="M0-13.6-5.6-16.6V-10.4ZM0-13.6 5.6-16.6V-10.4Z" fill="${one.dress}"/><circle cy="-13.5" r="1.3" fill="${one.dress}"/>` +
    `<path d="M-7-38C-12-37-12.4-30-10.4-24.6L-6.6-26ZM7-38C12-37 12.4-30 10.4-24.6L6.6-26Z" fill="#e9e4d8"/>` +
    `<path d="M-7.6-30C-8.4-42.4-4-44.4 0-44.4 4-44.4 8.4-42.4 7.6-30Z" fill="${one.skin}"/>` +
    face(one) +
    `<path d="M-3-40.4Q0-41.4 3-40.4M-3.4-38Q0-39 3.4-38" fill="none" stroke="${one.shade}" stroke-width=".7" stroke-linecap="round"/>` +
    eyes(-30) +
    `<path d="M-6.4-33.8Q-3.6-35.6-1.4-33.6M6.4-33.8Q3.6-35.6 1.4-33.6" fill="none" stroke="#e9e4d8" stroke-width="1.4" stroke-linecap="round"/>` +
    (one.long
      ? glasses
      : `<path d="M-5.4-25.6Q0-28 5.4-25.6 3-23.4 0-24.4-3-23.4-5.4-25.6Z" fill="#e9e4d8"/><path d="M-2.6-21.4H2.6Q2-16.6 0-16-2-16.6-2.6-21.4Z" fill="#e9e4d8"/>`) +
    smile(-23.2, 1.9),
  // A master: waistcoat, watch chain, and a coffee cup long empty.
  master: (one) =>
    longHair(one) +
    shoulders(CREAM) +
    `<path d="M-8-16.4 0-3 8-16.4 15-13.4V4H-15V-13.4Z" fill="#2f3d4a"/><path d="M-8-17 0-4 8-17 3-20H-3Z" fill="${CREAM}"/><path d="M-1.7-15.4H1.7L2.6-5 0-1.6-2.6-5Z" fill="${one.dress}"/>` +
    neck(one) +
    face(one) +
    `<path d="M-8.2-29C-9.6-39-5-42.4 1-42.2 7-42 9.4-38 8.2-29 7.8-33.4 6.6-35.4 5.4-36.6 1-38.2-3.4-37.4-5.6-36.2-7-34.6-7.8-32.6-8.2-29Z" fill="${one.hair}"/><path d="M-4-39.8Q1-41.4 5.6-39" fill="none" stroke="${CREAM}" stroke-opacity=".3" stroke-width="1"/>` +
    eyes(-29.9) +
    `<path d="M-2.4-23.6q2.6.9 4.8-.5" fill="none" stroke="${MOUTH}" stroke-width="1.1" stroke-linecap="round"/>` +
    `<path d="M8.6-11.4H19.4C19.4-6 17.6-3 14-3 10.4-3 8.6-6 8.6-11.4Z" fill="${CREAM}" stroke="${INK}" stroke-width=".6"/><ellipse cx="14" cy="-11.4" rx="5.4" ry="1.5" fill="#d8cdb6" stroke="${INK}" stroke-width=".6"/><path d="M19.2-9.8C22.6-10 22.4-5.4 18.2-5.8" fill="none" stroke="${INK}" stroke-width=".9"/>`,
  // A grandmaster: a grey mane, a brass laurel, a star on the robe.
  grandmaster: (one) =>
    `<path d="M0-43.6C-12.6-43.6-13-33-12.4-26-12-20-14.4-15-12.6-9H12.6C14.4-15 12-20 12.4-26 13-33 12.6-43.6 0-43.6Z" fill="#cfc8bb"/>` +
    shoulders("#5b2333") +
    `<path d="M-9-16.6 0-6 9-16.6 12.6-15.4 0 2-12.6-15.4Z" fill="${BRASS}"/>` +
    neck(one) +
    face(one) +
    (one.long
      ? fringe({ ...one, hair: "#cfc8bb" }) + smile(-23.4, 2.2)
      : `<path d="M-7.4-29C-7.4-15-2.4-8.6 0-6.6 2.4-8.6 7.4-15 7.4-29 6-25 3.2-25.4 0-25.6-3.2-25.4-6-25-7.4-29Z" fill="#e2dccf"/><path d="M-2.2-22.4q2.2 1.2 4.4 0" fill="none" stroke="${MOUTH}" stroke-width="1.1" stroke-linecap="round"/><path d="M-8.4-31C-9-39.6-4.6-41.6 0-41.6 4.6-41.6 9-39.6 8.4-31 7-36 4-37.6 0-37.6-4-37.6-7-36-8.4-31Z" fill="#cfc8bb"/>`) +
    eyes(-30.2) +
    `<path d="M-9.4-34.6C-8-39.4-4-41 0-41M9.4-34.6C8-39.4 4-41 0-41" fill="none" stroke="${BRASS}" stroke-width="1"/><g fill="${BRASS_LIGHT}" stroke="${BRASS}" stroke-width=".5"><path d="M-9.6-35q-2.8-1.8-2.2-5 3 1.4 2.2 5Z"/><path d="M-7-38.4q-2-2.6-.2-5.2 2.2 2.2.2 5.2Z"/><path d="M-3-40.4q-.8-3.2 1.6-5 1.2 3-1.6 5Z"/><path d="M9.6-35q2.8-1.8 2.2-5-3 1.4-2.2 5Z"/><path d="M7-38.4q2-2.6.2-5.2-2.2 2.2-.2 5.2Z"/><path d="M3-40.4q.8-3.2-1.6-5-1.2 3 1.6 5Z"/></g>` +
    `<path transform="translate(-10.4 -6) scale(.13)" d="M0-30 7.5-10.3 28.5-9.3 12.1 3.9 17.6 24.3 0 12.8-17.6 24.3-12.1 3.9-28.5-9.3-7.5-10.3Z" fill="${BRASS_LIGHT}"/><path d="M10-5.2a2.6 2.6 0 1 0 .1 0Z" fill="${FELT}" stroke="${BRASS}" stroke-width=".7"/>`,
};

/** The portrait of a player: the chosen one, or one that fits the level and is derived from the name. */
export function faceOf({ level = "", face = "", name }: { level?: string; face?: string; name: string }): string {
  if (FACES.includes(face)) return face;
  const figure = LEVELS.find((one) => one === level) ?? (level === "random" ? "novice" : "casual");
  let sum = 0;
  for (const letter of name) sum = (sum * 7 + letter.codePointAt(0)!) % PEOPLE.length;
  return `${figure}-${sum}`;
}

const made = new Map<string, string>();

/** The drawing of a portrait, in a box of 48 by 48 whose corner is at -24, -48. */
export function portraitMarkup(face: string): string {
  let markup = made.get(face);
  if (markup === undefined) {
    const [figure, at] = face.split("-") as [Figure, string];
    let one = PEOPLE[Number(at)]!;
    // No grey hair for a schoolchild.
    if (figure === "novice" && one === PEOPLE.at(-1)) one = { ...one, hair: "#d9b15c" };
    markup = `<rect x="-24" y="-48" width="48" height="48" fill="${one.ground}"/>${DRAWN[figure](one)}`;
    made.set(face, markup);
  }
  return markup;
}
