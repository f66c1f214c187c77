let stop: (() => void) | null = null;

/** Has a command stop what it started, instead of ending at once, when whoever reads its output is gone. */
export function stopWhenUnread(how: () => void): void {
  stop = how;
}

/**
 * From now on a command whose standard output nobody reads any more ends, as `head` has seen enough of it; what nobody
 * reads of its standard error is left out.
 */
export function endWhenUnread(): void {
  if (process.stdout.listeners('error').includes(endUnread)) return;
  process.stdout.on('error', endUnread);
  process.stderr.on('error', assertUnread);
}

function endUnread(error: NodeJS.ErrnoException): void {
  assertUnread(error);
  if (stop) stop();
  else process.exit();
}

/** @throws what is wrong with a stream beside that nobody reads it */
function assertUnread(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EPIPE') throw error;
}
