/** A started process of the service. */
export interface RunningProcess {
  readonly url: string;
  /** False when it gets nothing done and had better be started again. */
  isAlive(): boolean;
  /** Says in the log why it ends when it is not alive any more. */
  sayLast?(): void;
  /** Finishes what is in hand and lets go of everything. */
  close(): Promise<void>;
}

const SIGNALS = ['SIGTERM', 'SIGINT', 'disconnect'] as const;
const PATIENCE_MILLISECONDS = 20_000;
/** How often a process looks at itself, and tells its parent that it lives. */
const BEAT_MILLISECONDS = 1000;

/**
 * Starts a process and keeps it until SIGTERM or SIGINT, or until the parent that spawned it with an IPC channel is
 * gone, then shuts it down in good order: exit 0, or 1 when that takes longer than 20 s. One that is told so before it
 * is ready ends at once. Tells the parent when it is ready, calls `onReady`, and tells from then on that it lives. One
 * that gets nothing done any more says so and ends with exit 1, for whoever started it to start it again.
 */
export async function runUntilSignal<Running extends RunningProcess>(
  name: string,
  start: () => Promise<Running>,
  onReady: (running: Running) => void = () => undefined,
): Promise<void> {
  let stop: () => void = () => undefined;
  const told = new Promise<null>((resolve) => {
    stop = () => resolve(null);
    for (const signal of SIGNALS) process.once(signal, stop);
  });
  const running = await Promise.race([start(), told]).catch((error: unknown) => {
    for (const signal of SIGNALS) process.off(signal, stop);
    throw error;
  });
  if (running === null) process.exit(0);
  process.send?.({ ready: true, name, url: running.url });
  onReady(running);
  const beats = setInterval(() => {
    if (!running.isAlive()) {
      running.sayLast?.();
      process.exit(1);
    }
    if (process.connected) process.send?.({ alive: true });
  }, BEAT_MILLISECONDS);
  await told;
  clearInterval(beats);
  const impatient = setTimeout(() => process.exit(1), PATIENCE_MILLISECONDS);
  await running.close();
  clearTimeout(impatient);
  process.exit(process.exitCode ?? 0);
}
