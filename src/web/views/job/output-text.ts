/** So much of what a job has written is shown: the end of it. */
export const TAIL_BYTES = 16_384;

/** A piece of what a job has written, as it is told. */
interface Piece {
  readonly base64: string;
  readonly offset: number;
  readonly totalBytes: number | null;
  readonly observedAt: string;
}

/** The end of what a job has written. */
export interface OutputText {
  readonly bytes: Uint8Array;
  /** Where they end. */
  readonly end: number;
  readonly totalBytes: number;
  readonly observedAt: string;
}

/** The same with one more piece. A piece that does not follow begins anew: it is told again after a lost connection. */
export function withPiece(
  before: OutputText | undefined,
  { base64, offset, totalBytes, observedAt }: Piece,
): OutputText {
  const more = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
  const known = before?.end === offset ? before.bytes : new Uint8Array();
  const bytes = new Uint8Array(known.length + more.length);
  bytes.set(known);
  bytes.set(more, known.length);
  const end = offset + more.length;
  return { bytes: bytes.slice(-TAIL_BYTES), end, totalBytes: Math.max(end, totalBytes ?? 0), observedAt };
}

/** As UTF-8; what is none, as a character that the beginning cuts in two, shows as U+FFFD. */
export function textOf({ bytes }: OutputText): string {
  return new TextDecoder().decode(bytes);
}
