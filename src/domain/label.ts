/** A word that a caller gives a job to find it by. */
export interface Label {
  readonly name: string;
  readonly value: string;
}

export const MOST_LABELS = 20;
export const LONGEST_LABEL_VALUE = 200;

/** What a label may be called: it has no `=`, so that a name and a value can be told apart. */
export const LABEL_NAME = /^[A-Za-z0-9][A-Za-z0-9._/-]{0,62}$/;

/** A label as it is kept and as people write it. */
export function labelText({ name, value }: Label): string {
  return `${name}=${value}`;
}

/** The label of such a text. */
export function labelOf(text: string): Label {
  const at = text.indexOf('=');
  return at < 0 ? { name: text, value: '' } : { name: text.slice(0, at), value: text.slice(at + 1) };
}
