/** Joins lines that a backslash continues, as `qconf` writes long ones. */
export function unfold(text: string): string {
  return text.replace(/\\\n\s*/g, '');
}

/** Values of `attribute value` lines by their names. */
export function attributesOf(block: string): Map<string, string> {
  const pairs = block.split('\n').map((line) => /^(\S+)\s+(.*?)\s*$/.exec(line));
  return new Map(pairs.flatMap((pair) => (pair ? [[pair[1] as string, pair[2] as string]] : [])));
}
