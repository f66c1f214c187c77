/** What is wrong with the shape of a JSON text; null when it may be parsed. */
export type ShapeFault = 'VALUES' | 'DEPTH' | null;

/**
 * Judges a JSON text before it is parsed: how many values it holds and how deep they are nested. One look at each byte.
 * What is no JSON is left to the parser.
 * @param text in UTF-8
 */
export function findShapeFault(text: Uint8Array, mostValues: number, deepest: number): ShapeFault {
  let values = 1;
  let depth = 0;
  let isText = false;
  for (let at = 0; at < text.length; at++) {
    const byte = text[at];
    if (isText) {
      if (byte === BACKSLASH) at++;
      else if (byte === QUOTE) isText = false;
    } else if (byte === QUOTE) isText = true;
    else if (byte === COMMA) values++;
    else if (byte === OPEN_BRACKET || byte === OPEN_BRACE) {
      values++;
      depth++;
    } else if (byte === CLOSE_BRACKET || byte === CLOSE_BRACE) depth--;
    if (values > mostValues) return 'VALUES';
    if (depth > deepest) return 'DEPTH';
  }
  return null;
}

const [QUOTE, BACKSLASH, COMMA, OPEN_BRACKET, CLOSE_BRACKET, OPEN_BRACE, CLOSE_BRACE] = [...'"\\,[]{}'].map((sign) =>
  sign.charCodeAt(0),
);
