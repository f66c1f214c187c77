/** Bursts as they were foreseen, in slots of a minute. */
export interface BurstScore {
  /** Share of the bursts with a foreseen one in the window around them; null without any. */
  readonly sensitivity: number | null;
  /** Share of the foreseen bursts with a burst in the window around them; null without any. */
  readonly precision: number | null;
}

/**
 * Sensitivity and precision as section 4.3 of wyatt-prionn has them: a window of three minutes is a minute before, the
 * minute itself and a minute after.
 * @param isActual entry i is 1 when minute i is a burst
 */
export function scoreBursts(isActual: Uint8Array, isForeseen: Uint8Array, windowMinutes: number): BurstScore {
  const reach = Math.floor((windowMinutes - 1) / 2);
  return {
    sensitivity: shareMet(isActual, isForeseen, reach),
    precision: shareMet(isForeseen, isActual, reach),
  };
}

/** Share of the marked minutes that have a mark of the others within reach. */
function shareMet(marks: Uint8Array, others: Uint8Array, reach: number): number | null {
  const before = new Uint32Array(others.length + 1);
  for (let minute = 0; minute < others.length; minute++) {
    before[minute + 1] = (before[minute] as number) + (others[minute] as number);
  }
  let [all, met] = [0, 0];
  for (let minute = 0; minute < marks.length; minute++) {
    if (marks[minute] !== 1) continue;
    all++;
    const until = Math.min(others.length, minute + reach + 1);
    if ((before[until] as number) > (before[Math.max(0, minute - reach)] as number)) met++;
  }
  return all === 0 ? null : met / all;
}
