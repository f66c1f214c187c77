import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, type TestContext, vi } from 'vitest';

/** A line of a worker's log. */
export interface LogLine {
  readonly level: number;
  readonly msg: string;
  readonly [field: string]: unknown;
}

/** A worker in a process of its own, with what it says. */
export interface SpawnedWorker {
  readonly process: ChildProcess;
  /** Everything on standard output and standard error. */
  readonly said: string;
  readonly lines: readonly LogLine[];
  /** Resolves when it has logged something that holds that; how soon depends on the machine. */
  untilLogged(message: string): Promise<void>;
  /** Its exit code. */
  ended(): Promise<number | null>;
}

/** Spawns what `gridcast worker` runs; it is killed when the test ends. */
export function spawnWorker(
  { onTestFinished }: Pick<TestContext, 'onTestFinished'>,
  environment: Readonly<Record<string, string>>,
): SpawnedWorker {
  const command = ['bin/gridcast.mjs', 'worker'];
  const child = spawn(process.execPath, command, {
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const gone = once(child, 'exit');
  onTestFinished(() => void child.kill('SIGKILL'));
  let said = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk) => {
      said += chunk;
    });
  }
  const worker: SpawnedWorker = {
    process: child,
    get said() {
      return said;
    },
    get lines() {
      const whole = said.split('\n').slice(0, -1);
      return whole.filter((line) => line.startsWith('{')).map((line) => JSON.parse(line) as LogLine);
    },
    untilLogged: (message) =>
      vi.waitFor(() => expect(worker.lines.map(({ msg }) => msg).join('\n')).toContain(message), {
        timeout: 60_000,
        interval: 50,
      }),
    ended: async () => (await gone)[0] as number | null,
  };
  return worker;
}
