import type { Db } from '../store/database.ts';
import { aheadInWords, secondsAhead } from '../store/database-clock.ts';

/**
 * Whether the wall clock of this machine can be believed: it was near PostgreSQL's when it was last held against that,
 * and has gone on since as time has.
 */
export class MachineClock {
  private agreed = readClocks();

  /** @param mostSeconds by which the two may differ */
  constructor(private readonly mostSeconds: number) {}

  /** Nothing is asked, so it costs nothing. After a pause of the whole machine it is false until the next look. */
  get isTrusted(): boolean {
    const { wallMilliseconds, passedMilliseconds } = readClocks();
    const jump =
      wallMilliseconds - this.agreed.wallMilliseconds - (passedMilliseconds - this.agreed.passedMilliseconds);
    return !(Math.abs(jump) > this.mostSeconds * 1000);
  }

  /** Holds it against PostgreSQL's. @returns how far it is off, in words, where that is too far; else null */
  async look(db: Db): Promise<string | null> {
    const aheadSeconds = await secondsAhead(db);
    if (Math.abs(aheadSeconds) > this.mostSeconds) return aheadInWords(aheadSeconds);
    this.agreed = readClocks();
    return null;
  }
}

/** The clock that somebody sets, and the one that only goes on. */
function readClocks() {
  return { wallMilliseconds: Date.now(), passedMilliseconds: performance.now() };
}
