import { Worker } from 'node:worker_threads';
import type { ExperimentRow, Figure, Parameters } from '../experiment.ts';
import type { WorkloadSource } from '../simulate.ts';

/** What the parts of one experiment have in common. */
export interface ToldParts {
  readonly name: string;
  readonly seed: number;
  readonly parameters: Parameters;
  readonly source: WorkloadSource;
  readonly range: { readonly from: number; readonly count: number };
}

/** What a thread is given once. */
export interface PartThreadOptions extends ToldParts {
  /**
   * Where this machine has the files that are told, by how they are named there; no other file is read then. Left out,
   * files are where they are said to be.
   */
  readonly places?: Readonly<Record<string, string>>;
}

/** What a thread says: how far its part is, what is to be plotted, or the part's rows. */
export type PartThreadMessage =
  | { readonly kind: 'progress'; readonly doneJobs: number }
  | { readonly kind: 'figure'; readonly figure: Figure }
  | { readonly kind: 'rows'; readonly rows: readonly ExperimentRow[] };

/** Told of each part how many of its jobs are done, and what is to be plotted of it. */
export interface PartListener {
  onProgress(part: string, doneJobs: number): void;
  onFigure(part: string, figure: Figure): void;
}

/** Computes the parts of an experiment, somewhere; gives the rows in the order of the parts. */
export type PartsComputer = (
  told: ToldParts,
  parts: readonly string[],
  listener: PartListener,
) => Promise<ExperimentRow[]>;

/**
 * Computes the parts of an experiment on `threads` threads, each of which takes the next part when it has finished one.
 * When a part fails, the others are given up.
 * @returns the rows in the order of the parts
 */
export async function computeOnThreads(
  told: ToldParts,
  parts: readonly string[],
  threads: number,
  listener: PartListener,
): Promise<ExperimentRow[]> {
  const rows = new Map<string, readonly ExperimentRow[]>();
  const left = [...parts];
  const running = Array.from({ length: threads }, () => startThread(told));
  const workOff = async (thread: Worker) => {
    for (let part = left.shift(); part !== undefined; part = left.shift()) {
      rows.set(part, await compute(thread, part, listener));
    }
    await thread.terminate();
  };
  try {
    await Promise.all(running.map(workOff));
  } finally {
    await Promise.all(running.map((thread) => thread.terminate()));
  }
  return parts.flatMap((part) => rows.get(part) ?? []);
}

/** A part that is being computed on a thread of its own. */
export interface PartInHand {
  /** Rejects when the thread fails or is stopped. */
  readonly rows: Promise<readonly ExperimentRow[]>;
  stop(): void;
}

/** Computes one part on a thread of its own. */
export function computeOnThread(options: PartThreadOptions, part: string, listener: PartListener): PartInHand {
  const thread = startThread(options);
  const stop = () => void thread.terminate();
  return { rows: compute(thread, part, listener).finally(stop), stop };
}

function startThread(options: PartThreadOptions): Worker {
  // Compiled the thread is a .js beside this file; from source it needs the loader that this process was started with.
  const fromSource = import.meta.url.endsWith('.ts');
  return new Worker(new URL(fromSource ? './part-thread.ts' : './part-thread.js', import.meta.url), {
    workerData: options,
    ...(fromSource && { execArgv: ['--import', '@oxc-node/core/register'] }),
  });
}

function compute(thread: Worker, part: string, listener: PartListener): Promise<readonly ExperimentRow[]> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      thread.off('message', listen);
      thread.off('error', fail);
      thread.off('exit', leave);
    };
    const listen = (message: PartThreadMessage) => {
      if (message.kind === 'progress') {
        listener.onProgress(part, message.doneJobs);
        return;
      }
      if (message.kind === 'figure') {
        listener.onFigure(part, message.figure);
        return;
      }
      stop();
      resolve(message.rows);
    };
    const fail = (error: Error) => {
      stop();
      reject(error);
    };
    const leave = (code: number) => fail(new Error(`the thread that computed ${part} exited with ${code}`));
    thread.on('message', listen);
    thread.on('error', fail);
    thread.on('exit', leave);
    thread.postMessage(part);
  });
}
