import type { Database } from './database.ts';
import { isDatabaseAway, isDatabaseLacking } from './database-away.ts';

/** After a try that failed, so that who asks often does not make a sick server sicker. */
const PAUSE_MILLISECONDS = 2000;

/**
 * Whether a PostgreSQL that answers also takes what is written. It is believed to until a statement fails for lack of
 * room, memory or a sound disk. From then on it is tried, when somebody asks, whether something can be written again:
 * on a full disk, too, small writes go well that find room in what is there already.
 */
export class RefusedWrites {
  private isRefused = false;
  private triedAt = Number.NEGATIVE_INFINITY;
  private trying: Promise<boolean> | null = null;

  /** @param write writes something and leaves nothing behind, see `writeAndTakeBack` */
  constructor(private readonly write: () => Promise<void>) {}

  /** Told of every statement that failed. */
  note(error: unknown): void {
    if (isDatabaseLacking(error)) this.isRefused = true;
  }

  /** False while nothing can be written, as far as is known. */
  async areOver(): Promise<boolean> {
    if (!this.isRefused) return true;
    if (this.trying === null && performance.now() - this.triedAt < PAUSE_MILLISECONDS) return false;
    this.trying ??= this.tryAgain().finally(() => {
      this.trying = null;
    });
    return this.trying;
  }

  private async tryAgain(): Promise<boolean> {
    this.isRefused = await this.write().then(() => false, isDatabaseAway);
    if (this.isRefused) this.triedAt = performance.now();
    return !this.isRefused;
  }
}

/** Writes a megabyte where our tables are, for which the disk must have room, and takes it back. */
export async function writeAndTakeBack(transaction: Database['transaction']): Promise<void> {
  const takenBack = new Error('taken back');
  const written = transaction(async (tx) => {
    // Its rows are in no log, of which a full disk has no room to spare.
    await tx.$executeRaw`CREATE UNLOGGED TABLE "Room" AS SELECT repeat('-', 1000) FROM generate_series(1, 1000)`;
    throw takenBack;
  });
  await written.catch((error: unknown) => {
    if (error !== takenBack) throw error;
  });
}
