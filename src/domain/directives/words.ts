/**
 * The words of a line as batch systems read them: blanks between them, quotes around blanks, a backslash before a
 * character, and nothing more from a `#` at the beginning of a word on.
 * @returns null where a quote is not closed
 */
export function wordsOf(text: string): string[] | null {
  const words: string[] = [];
  let word: string | null = null;
  let quote = '';
  for (let at = 0; at < text.length; at++) {
    const character = text.charAt(at);
    if (quote !== '') {
      if (character === quote) quote = '';
      else word += character;
      continue;
    }
    if (/\s/.test(character)) {
      if (word !== null) words.push(word);
      word = null;
      continue;
    }
    if (character === '#' && word === null) break;
    word ??= '';
    if (character === '"' || character === "'") quote = character;
    else if (character === '\\' && at + 1 < text.length) word += text.charAt(++at);
    else word += character;
  }
  if (word !== null) words.push(word);
  return quote === '' ? words : null;
}
