import { EXIT } from './failure.ts';

let stop: (() => void) | null = null;

/** Has a command stop what it started, instead of ending at once, when whoever reads its output is gone. */
export function stopWhenUnread(how: () => void): void {
  stop = how;
}

/**
 * From now on a command whose standard output nobody reads any more ends, as `head` has seen enough of it. One whose
 * output cannot be written, as on a full disk, says so and ends with 1. What cannot be written of its standard error is
 * left out.
 */
export function endWhenUnread(): void {
  if (process.stdout.listeners('error').includes(endUnread)) return;
  process.stdout.on('error', endUnread);
  process.stderr.on('error', leaveOut);
}

function endUnread(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EPIPE') {
    process.exitCode = EXIT.caller;
    process.stderr.write(`gridcast: the output cannot be written: ${error.message}\n`);
  }
  if (stop) stop();
  else process.exit();
}

function leaveOut(): void {}
