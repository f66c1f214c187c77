/** How something stands that is at fault, by the process' own clock. */
interface Standing {
  readonly sinceMilliseconds: number;
  lastMilliseconds: number;
  readonly told: Map<string, { toldMilliseconds: number; untold: number }>;
}

/**
 * Keeps a log short while something stays at fault: each kind of fault is told when it is new, and then once an hour
 * with how many of it came untold.
 */
export class FaultGate {
  private readonly standing = new Map<string, Standing>();

  /** @returns how many faults of its kind came untold before this one; null when it is not to be told either */
  note(what: string, code: string): number | null {
    const now = performance.now();
    const at = this.standing.get(what) ?? { sinceMilliseconds: now, lastMilliseconds: now, told: new Map() };
    this.standing.set(what, at);
    at.lastMilliseconds = now;
    const before = at.told.get(code);
    if (before && now - before.toldMilliseconds < REPEAT_MILLISECONDS) {
      before.untold++;
      return null;
    }
    at.told.set(code, { toldMilliseconds: now, untold: 0 });
    return before?.untold ?? 0;
  }

  /** For how long there has been no fault of something that is at fault; null where all is well. */
  quietMilliseconds(what: string): number | null {
    const at = this.standing.get(what);
    return at ? performance.now() - at.lastMilliseconds : null;
  }

  /** All is well again. @returns after how long, and how many faults came untold; null when it was well before */
  clear(what: string): { readonly awaySeconds: number; readonly unlogged: number } | null {
    const at = this.standing.get(what);
    if (!at) return null;
    this.standing.delete(what);
    const unlogged = [...at.told.values()].reduce((sum, { untold }) => sum + untold, 0);
    return { awaySeconds: Math.round((performance.now() - at.sinceMilliseconds) / 1000), unlogged };
  }
}

const REPEAT_MILLISECONDS = 3_600_000;
