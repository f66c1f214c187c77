/** How the characters of a text are laid out: its lines below each other, or one after the other. */
export const SHAPES = ['2d', '1d'] as const;
export type TextShape = (typeof SHAPES)[number];

/** How many different characters there are; all that are not ASCII are one. */
export const ALPHABET = 128;

const SPACE = 32;
const FOREIGN = ALPHABET - 1;
const LINE_FEED = 10;
const CARRIAGE_RETURN = 13;

/**
 * A text as a square of character codes, rows first: cropped, and padded with spaces.
 * @param side rows and columns of the square; a sequence has as many characters in all
 */
export function charactersOf(text: string, shape: TextShape, side: number): Uint8Array {
  const codes = new Uint8Array(side * side).fill(SPACE);
  if (shape === '1d') layInSequence(text, codes);
  else layInRows(text, codes, side);
  return codes;
}

function layInRows(text: string, codes: Uint8Array, side: number): void {
  let from = 0;
  for (let row = 0; row < side && from < text.length; row++) {
    const feed = text.indexOf('\n', from);
    const end = feed === -1 ? text.length : feed;
    layLine(text, from, Math.min(end, from + side), codes, row * side);
    from = end + 1;
  }
}

function layInSequence(text: string, codes: Uint8Array): void {
  let [from, at] = [0, 0];
  while (from < text.length && at < codes.length) {
    const feed = text.indexOf('\n', from);
    const end = feed === -1 ? text.length : feed;
    at = layLine(text, from, Math.min(end, from + codes.length - at), codes, at);
    from = end + 1;
  }
}

/** Puts a part of a line down, and says where the next character goes. */
function layLine(text: string, from: number, end: number, codes: Uint8Array, at: number): number {
  let next = at;
  for (let i = from; i < end; i++) {
    const code = text.charCodeAt(i);
    if (code !== CARRIAGE_RETURN && code !== LINE_FEED) codes[next++] = Math.min(code, FOREIGN);
  }
  return next;
}
