// Each kind of card is drawn once and kept as a <symbol> in one hidden drawing. A card on the table is then a single
// <use>, so a hundred of them stay cheap.

import { cardValue, type Face, type Look, parseCard } from "../../lib/cards";
import { letter } from "../../lib/index_letters.svelte";
import { type Back, settings } from "../../lib/settings.svelte";
import { backMarkup } from "./backs";
import { figure } from "./figures";
import { COURT, PICTURES, SUIT_SHAPES } from "./pictures";

/** `full`: index in two corners; `large`: one big index; `row`: index in a row, for cards in a column. */
export type Layout = "full" | "large" | "row";

const WIDTH = 90;
const HEIGHT = 126;

/** Rows of pips: x and y from the middle; those below the middle are upside down. */
const PIPS: Record<string, [number, number][]> = (() => {
  const [x, top, inner] = [14, 37, 12.5];
  const corners: [number, number][] = [[-x, -top], [x, -top], [-x, top], [x, top]];
  const sides: [number, number][] = [[-x, 0], [x, 0]];
  const eight: [number, number][] = [...corners, [-x, -inner], [x, -inner], [-x, inner], [x, inner]];
  return {
    "2": [[0, -30], [0, 30]],
    "3": [[0, -32], [0, 0], [0, 32]],
    "4": corners,
    "5": [...corners, [0, 0]],
    "6": [...corners, ...sides],
    "7": [...corners, ...sides, [0, -18.5]],
    "8": [...corners, ...sides, [0, -18.5], [0, 18.5]],
    "9": [...eight, [0, 0]],
    T: [...eight, [0, -24.5], [0, 24.5]],
  };
})();

function suitMark(face: Face, x: number, y: number, size: number, upsideDown = false): string {
  if (!face.suit) return "";
  const scale = size / 100;
  const turned = upsideDown ? ` ${-scale}` : "";
  return `<path transform="translate(${x} ${y}) scale(${scale}${turned})" d="${SUIT_SHAPES[face.suit]}"/>`;
}

function picture(name: string, x: number, y: number, size: number): string {
  return `<g transform="translate(${x} ${y}) scale(${(size / 64).toFixed(3)})">${PICTURES[name] ?? ""}</g>`;
}

/** The picture that replaces the pips, if any. */
function emblem(face: Face, caliente: boolean): string {
  if (face.rank === "Jo") return caliente ? "sun" : "jester";
  if (face.rank === "Ca") return "chili";
  if (!caliente) return "";
  return { wild: "comet", bonus: "basket", stop: "hand", natural: "", caliente: "chili" }[face.kind];
}

/** The badge of a card without a rank. */
function badge(face: Face, caliente: boolean): string {
  return face.rank === "Ca" ? "chili" : caliente ? "sunmark" : "star";
}

function valueMark(value: number | null, x: number, y: number, height: number): string {
  if (value === null) return "";
  const mark = figure(String(value), height);
  return `<g transform="translate(${(x - mark.width / 2).toFixed(2)} ${y})">${mark.markup}</g>`;
}

/** Rank above suit above value, in the corner. */
function cornerIndex(face: Face, value: number | null, caliente: boolean, scale: number): string {
  const middle = 14.2;
  let markup: string;
  if (face.suit) {
    const text = letter(face.rank);
    const rank = figure(text, 20);
    // The tail of a Q sticks out to the right.
    const left = middle - rank.width / 2 - (text === "Q" ? 1.3 : 0);
    markup =
      `<g transform="translate(${left.toFixed(2)} 8)">${rank.markup}</g>` +
      suitMark(face, middle, 41, 15) +
      valueMark(value, middle, 53, 7);
  } else {
    markup = picture(badge(face, caliente), middle, 20, 25) + valueMark(value, middle, 37, 9);
  }
  return scale === 1 ? markup : `<g transform="scale(${scale})">${markup}</g>`;
}

function courtPanel(face: Face): string {
  const half = COURT[face.rank] ?? "";
  const mark = face.rank === "J" ? suitMark(face, 15.6, -31, 9.5) : suitMark(face, -16.2, -46, 9.5);
  const figureHalf = `<g transform="scale(.925)">${half}${mark}</g>`;
  return (
    `<g transform="translate(${WIDTH / 2} ${HEIGHT / 2})"><rect x="-20.3" y="-49.5" width="40.6" height="99" rx="5" fill="var(--panel)"/>` +
    `${figureHalf}<g transform="rotate(180)">${figureHalf}</g>` +
    `<path d="M-20.3 0H20.3" stroke="#c99a3a" stroke-width="2.6"/><path d="M-20.3-1.9H20.3M-20.3 1.9H20.3" stroke="#fbf6ea" stroke-width=".7"/>` +
    `<rect x="-20.3" y="-49.5" width="40.6" height="99" rx="5" fill="none" stroke="currentColor"/></g>`
  );
}

function centre(face: Face, caliente: boolean): string {
  const name = emblem(face, caliente);
  if (name) return picture(name, WIDTH / 2, HEIGHT / 2, 54);
  if (face.rank in COURT && settings.deck !== "plain") return courtPanel(face);
  if (face.rank === "A" || face.rank in COURT) return suitMark(face, WIDTH / 2, HEIGHT / 2, 40);
  return (PIPS[face.rank] ?? [])
    .map(([x, y]) => suitMark(face, WIDTH / 2 + x, HEIGHT / 2 + y, 13.4, y > 0))
    .join("");
}

/** One large sign in the lower part: a suit, a bust or a picture. */
function largeSign(face: Face, caliente: boolean, x: number, y: number, size: number): string {
  const name = emblem(face, caliente);
  if (name) return picture(name, x, y, size * 1.25);
  if (face.rank in COURT && settings.deck !== "plain") {
    const scale = size / 44;
    return `<g transform="translate(${x} ${y + size * 0.56}) scale(${scale.toFixed(3)})">${COURT[face.rank]}</g>`;
  }
  return suitMark(face, x, y, size);
}

function fullFace(face: Face, value: number | null, caliente: boolean): string {
  const index = cornerIndex(face, value, caliente, 1);
  return `${centre(face, caliente)}${index}<g transform="rotate(180 ${WIDTH / 2} ${HEIGHT / 2})">${index}</g>`;
}

function largeFace(face: Face, value: number | null, caliente: boolean): string {
  return cornerIndex(face, value, caliente, 1.42) + largeSign(face, caliente, 60, 92, 46);
}

function rowFace(face: Face, caliente: boolean, large: boolean): string {
  const height = large ? 23 : 19.5;
  let index: string;
  if (face.suit) {
    // Descenders would disappear under the next card.
    const text = letter(face.rank);
    const rank = figure(text, "JQ".includes(text) ? height * 0.82 : height);
    index =
      `<g transform="translate(6 4.5)">${rank.markup}</g>` + suitMark(face, 6 + rank.width + height * 0.58, 4.5 + height / 2, height * 0.94);
  } else {
    index = picture(badge(face, caliente), 7 + height / 2, 4.5 + height / 2, height * 1.15);
  }
  // High enough to be fully visible on a shortened card, and above the band of a canasta.
  return index + largeSign(face, caliente, WIDTH / 2, 70, 46);
}

/** The drawing of one card, 90 by 126. */
export function faceMarkup(card: string, look: Look, layout: Layout): string {
  const face = parseCard(card);
  const value = look.showValue ? cardValue(card, look.values) : null;
  if (layout === "full") return fullFace(face, value, look.caliente);
  if (layout === "large") return largeFace(face, value, look.caliente);
  return rowFace(face, look.caliente, look.largeIndex);
}

const made = new Set<string>();
let sheet: SVGSVGElement | null = null;

function put(markup: string): void {
  if (!sheet) {
    sheet = document.createElementNS("http://www.w3.org/2000/svg", "svg");
    sheet.setAttribute("aria-hidden", "true");
    sheet.setAttribute("class", "card-sheet");
    document.body.append(sheet);
  }
  sheet.insertAdjacentHTML("beforeend", markup);
}

/** The id of this card's symbol, which is drawn on first use. */
export function faceId(card: string | null, look: Look, layout: Layout, back: Back = settings.back): string {
  if (card === null) {
    const id = `card-back-${back}`;
    if (!made.has(id)) {
      made.add(id);
      put(backMarkup(back));
    }
    return id;
  }
  const value = look.showValue ? cardValue(card, look.values) : null;
  const print = settings.deck === "plain" ? "p" : "f";
  const parts = ["card", card, letter(card[0]!), layout, print, look.caliente ? "c" : "j", look.largeIndex ? "l" : "n", value ?? "x"];
  const id = parts.join("-");
  if (!made.has(id)) {
    made.add(id);
    put(`<symbol id="${id}" viewBox="0 0 ${WIDTH} ${HEIGHT}" fill="currentColor">${faceMarkup(card, look, layout)}</symbol>`);
  }
  return id;
}
