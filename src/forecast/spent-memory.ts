import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/**
 * What a thread needed for a while and needs no more, as after a past was lived through. Node.js keeps it for as long
 * as nobody asks for more: a thread that had learned one site held three times what the site takes.
 */
export class SpentMemory {
  /** When it was spent last, in milliseconds of a monotonic clock; null when all has been given back. */
  private spentAt: number | null = null;
  private givenBackAt = Number.NEGATIVE_INFINITY;

  /** Much was needed just now. */
  spend(): void {
    this.spentAt = performance.now();
  }

  /**
   * Gives back what was spent, once nothing has been for some seconds, or not for minutes. The thread stands still
   * meanwhile: a few milliseconds for each ten megabytes that it keeps. @returns whether it did
   */
  giveBack(): boolean {
    const now = performance.now();
    if (this.spentAt === null) return false;
    if (now - this.spentAt < QUIET_MILLISECONDS && now - this.givenBackAt < SELDOM_MILLISECONDS) return false;
    collectGarbage();
    this.spentAt = null;
    this.givenBackAt = now;
    return true;
  }
}

function collectGarbage(): void {
  if (!collect) {
    setFlagsFromString('--expose-gc');
    collect = runInNewContext('gc') as () => void;
  }
  collect();
}

let collect: (() => void) | null = null;

const QUIET_MILLISECONDS = 10_000;
const SELDOM_MILLISECONDS = 300_000;
