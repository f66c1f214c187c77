import type { Db } from '../store/database.ts';
import { listEndedWork } from '../store/own-work.ts';
import { JOBS_TO_LEARN_FROM, ownWalltimeShares, type WalltimeShares } from './walltime-use.ts';

/** What our own work uses of its walltimes, wherever it runs; read anew at times. */
export class OwnUse {
  /** In milliseconds of a monotonic clock. */
  private readAt = Number.NEGATIVE_INFINITY;
  private shares: WalltimeShares | null = null;

  constructor(private readonly db: Db) {}

  async read(): Promise<WalltimeShares | null> {
    const now = performance.now();
    if (now - this.readAt > FRESH_MILLISECONDS) {
      this.readAt = now;
      this.shares = ownWalltimeShares(await listEndedWork(this.db, JOBS_TO_LEARN_FROM));
    }
    return this.shares;
  }
}

const FRESH_MILLISECONDS = 10_000;
