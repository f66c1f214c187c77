import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isOurs, type ProcessEntry, readProcessList } from '../../../src/main/process-list.ts';

const ENTRY = fileURLToPath(new URL('../../../bin/gridcast.mjs', import.meta.url));

/** A demo that runs as a process of its own. */
export interface RunningDemo {
  readonly process: ChildProcess;
  /** What it told so far, standard output and error. */
  told(): string;
  /** What it printed on standard output. */
  printed(): string;
  /** Resolves with the exit code when it has ended, null when it was killed. */
  readonly ended: Promise<number | null>;
  /** Waits until it has told something. @throws Error with all it told when it ends before */
  until(words: string): Promise<void>;
}

export function startDemo(data: string, ...args: readonly string[]): RunningDemo {
  const child = spawn(process.execPath, [ENTRY, 'demo', '--data', data, ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let [told, printed] = ['', ''];
  child.stdout.on('data', (chunk: Buffer) => {
    told += chunk;
    printed += chunk;
  });
  child.stderr.on('data', (chunk: Buffer) => {
    told += chunk;
  });
  const ended = once(child, 'close').then(([code]) => code as number | null);
  return {
    process: child,
    told: () => told,
    printed: () => printed,
    ended,
    async until(words) {
      while (!told.includes(words)) {
        if (child.exitCode !== null || child.signalCode !== null) throw new Error(`it ended early:\n${told}`);
        await new Promise((done) => setTimeout(done, 100));
      }
    },
  };
}

/** The processes of the demo in a folder that are alive, by name. */
export function processesOf(data: string): Map<string, ProcessEntry> {
  return new Map(
    readProcessList(join(data, 'processes.json'))
      .filter(isOurs)
      .map((entry) => [entry.name, entry]),
  );
}

/** Kills a process of the demo without warning; its pid. @throws Error when it does not run */
export function killProcess(data: string, name: string): number {
  const entry = processesOf(data).get(name);
  if (!entry) throw new Error(`${name} does not run; there are ${[...processesOf(data).keys()].join(', ')}`);
  process.kill(entry.pid, 'SIGKILL');
  return entry.pid;
}

/** Waits until a process of that name runs that is not the one that was killed. */
export async function untilReplaced(data: string, name: string, killedPid: number): Promise<void> {
  const giveUpAt = performance.now() + 30_000;
  for (;;) {
    const entry = processesOf(data).get(name);
    if (entry && entry.pid !== killedPid) return;
    if (performance.now() > giveUpAt) throw new Error(`${name} was not started again`);
    await new Promise((done) => setTimeout(done, 100));
  }
}
