/** Resolves at SIGINT, SIGTERM or SIGHUP, or when the parent that spawned us with an IPC channel is gone. */
export function untilSignal(): Promise<void> {
  return new Promise((stop) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP', 'disconnect'] as const) process.once(signal, () => stop());
  });
}
