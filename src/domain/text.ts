/** Text cut to what is shown of it, never through a character. */
export function cut(text: string, longest = LONGEST_SHOWN): string {
  if (text.length <= longest) return text;
  const shown = text.slice(0, longest);
  return `${/[\uD800-\uDBFF]$/.test(shown) ? shown.slice(0, -1) : shown}...`;
}

const LONGEST_SHOWN = 120;

/** A value between quotes, cut. */
export function quoted(text: string): string {
  return JSON.stringify(cut(text));
}

/** How many characters a text has: code points, not the halves that some of them are kept in. */
export function countCharacters(text: string): number {
  return Array.from(text).length;
}
