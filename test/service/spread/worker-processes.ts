import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const SCRIPT = fileURLToPath(new URL('worker-process.ts', import.meta.url));

/** A worker process, and what it has printed. */
export interface WorkerProcess {
  readonly process: ChildProcess;
  readonly events: { readonly event: string; readonly part?: string }[];
}

/** Starts a worker and waits until it takes parts. */
export async function startWorker(url: string, folder: string): Promise<WorkerProcess> {
  const args = ['--import', '@oxc-node/core/register', SCRIPT, url, '--traces', folder, '--threads', '1', '--json'];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  const events: WorkerProcess['events'] = [];
  createInterface({ input: child.stdout }).on('line', (line) => events.push(JSON.parse(line)));
  await until('a worker takes parts', () => events.length > 0);
  return { process: child, events };
}

/** Ends a process and waits for that. */
export async function end({ process: child }: WorkerProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, 'exit');
  child.kill(signal);
  await gone;
}

export async function until(what: string, isSo: () => boolean, milliseconds = 60_000): Promise<void> {
  const giveUpAt = performance.now() + milliseconds;
  while (!isSo()) {
    if (performance.now() > giveUpAt) throw new Error(`not within ${milliseconds} ms: ${what}`);
    await sleep(10);
  }
}

/** A log in the archive's format. */
export function logText(jobs: number): string {
  const lines = Array.from({ length: jobs }, (_, job) => {
    const processors = 1 + (job % 7) * 4;
    const seconds = 100 + ((job * 37) % 900);
    return [job + 1, job * 60, (job * 13) % 50, seconds, processors, -1, -1, processors, 2 * seconds, -1, 1, job % 5]
      .concat([1, 1, 1, 1, -1, -1])
      .join(' ');
  });
  return `; MaxProcs: 64\n; UnixStartTime: 1000000000\n${lines.join('\n')}\n`;
}
