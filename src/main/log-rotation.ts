import { chmodSync, constants, copyFileSync, existsSync, renameSync, statSync, truncateSync } from 'node:fs';
import type { Logger } from 'pino';

/** How large a log may grow and how many older ones are kept beside it. */
export interface RotationLimits {
  readonly maxBytes: number;
  readonly keep: number;
}

/** What `serve` and the demo allow each of their processes, the embedded PostgreSQL too: 60 MB in all. */
export const LOG_LIMITS: RotationLimits = { maxBytes: 10 << 20, keep: 5 };

/**
 * Sets a log aside that has grown too large: `api.log` becomes `api.log.1`, and the oldest goes. The file itself is
 * emptied, since a process that writes at its end has it open; what it says between copy and emptying is lost.
 */
export function rotateLog(file: string, { maxBytes, keep }: RotationLimits): void {
  if (!existsSync(file) || statSync(file).size <= maxBytes) return;
  for (let age = keep - 1; age >= 1; age--) {
    if (existsSync(`${file}.${age}`)) renameSync(`${file}.${age}`, `${file}.${age + 1}`);
  }
  copyFileSync(file, `${file}.1`, constants.COPYFILE_FICLONE);
  chmodSync(`${file}.1`, 0o600);
  truncateSync(file);
}

/** Looks after logs now and then; what goes wrong is logged. Returns how to stop that. */
export function keepRotating(
  files: () => readonly string[],
  logger: Pick<Logger, 'error'>,
  limits: RotationLimits = LOG_LIMITS,
  everyMilliseconds = 10_000,
): () => void {
  const rotateAll = () => {
    try {
      for (const file of files()) rotateLog(file, limits);
    } catch (error) {
      logger.error({ err: error }, 'log rotation');
    }
  };
  rotateAll();
  const timer = setInterval(rotateAll, everyMilliseconds);
  timer.unref();
  return () => clearInterval(timer);
}
