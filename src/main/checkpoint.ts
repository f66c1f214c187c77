import { z } from 'zod';
import type { Clock, ClockAnchor, EpochSeconds } from '../domain/clock.ts';
import { readJsonFile, writeJsonFile } from './files.ts';

const schema = z.object({
  /** What the clock showed when it was last written down. */
  at: z.number(),
  scale: z.number().positive(),
});

/** Where a scaled clock stood when it was last written down. */
export type ClockCheckpoint = z.infer<typeof schema>;

const INTERVAL_MILLISECONDS = 1000;

/** The last checkpoint in the file, null when there is none. */
export function readCheckpoint(file: string): ClockCheckpoint | null {
  return readJsonFile(file, schema);
}

/**
 * Writes down every second what the clock shows, so that a deployment that was killed goes on from there: its time
 * stands still while nothing of it runs.
 * @returns a function that writes for the last time and stops
 */
export function keepCheckpoints(clock: Clock, scale: number, file: string): () => void {
  const write = () => writeJsonFile(file, { at: clock.now(), scale } satisfies ClockCheckpoint);
  write();
  const timer = setInterval(write, INTERVAL_MILLISECONDS);
  return () => {
    clearInterval(timer);
    write();
  };
}

/**
 * The anchor with which a stopped clock goes on. It may have run for up to a second after its last checkpoint, so it
 * goes on that much later, and after everything that was written down in the meantime: it never shows the same moment
 * twice.
 * @param newestAt newest moment found in what the deployment has stored, null when there is none
 */
export function resumeClock(
  checkpoint: ClockCheckpoint,
  newestAt: EpochSeconds | null,
  scale: number,
  wallMilliseconds: number,
): ClockAnchor {
  const checkpointed = checkpoint.at + (INTERVAL_MILLISECONDS / 1000) * checkpoint.scale;
  return { at: Math.max(checkpointed, (newestAt ?? 0) + 1), scale, wallMilliseconds };
}
