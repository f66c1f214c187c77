import { Worker } from 'node:worker_threads';
import type { ExperimentRow, Figure, Parameters } from '../experiment.ts';
import type { WorkloadSource } from '../simulate.ts';

/** What a thread is given once. */
export interface PartThreadOptions {
  readonly name: string;
  readonly seed: number;
  readonly parameters: Parameters;
  readonly source: WorkloadSource;
  readonly range: { readonly from: number; readonly count: number };
}

/** What a thread says: how far its part is, what is to be plotted, or the part's rows. */
export type PartThreadMessage =
  | { readonly kind: 'progress'; readonly doneJobs: number }
  | { readonly kind: 'figure'; readonly figure: Figure }
  | { readonly kind: 'rows'; readonly rows: readonly ExperimentRow[] };

/**
 * Computes the parts of an experiment on `threads` threads, each of which takes the next part when it has finished one.
 * @returns the rows in the order of the parts
 */
export async function computeOnThreads(
  options: PartThreadOptions,
  parts: readonly string[],
  threads: number,
  onProgress: (part: string, doneJobs: number) => void,
  onFigure: (part: string, figure: Figure) => void,
): Promise<ExperimentRow[]> {
  const rows = new Map<string, readonly ExperimentRow[]>();
  const left = [...parts];
  const workOff = async () => {
    const thread = startThread(options);
    try {
      for (let part = left.shift(); part !== undefined; part = left.shift()) {
        const name = part;
        rows.set(
          name,
          await compute(
            thread,
            name,
            (doneJobs) => onProgress(name, doneJobs),
            (figure) => onFigure(name, figure),
          ),
        );
      }
    } finally {
      await thread.terminate();
    }
  };
  await Promise.all(Array.from({ length: threads }, workOff));
  return parts.flatMap((part) => rows.get(part) ?? []);
}

function startThread(options: PartThreadOptions): Worker {
  // Compiled the thread is a .js beside this file; from source it needs the loader that this process was started with.
  const fromSource = import.meta.url.endsWith('.ts');
  return new Worker(new URL(fromSource ? './part-thread.ts' : './part-thread.js', import.meta.url), {
    workerData: options,
    ...(fromSource && { execArgv: ['--import', '@oxc-node/core/register'] }),
  });
}

function compute(
  thread: Worker,
  part: string,
  onProgress: (doneJobs: number) => void,
  onFigure: (figure: Figure) => void,
): Promise<readonly ExperimentRow[]> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      thread.off('message', listen);
      thread.off('error', fail);
      thread.off('exit', leave);
    };
    const listen = (message: PartThreadMessage) => {
      if (message.kind === 'progress') {
        onProgress(message.doneJobs);
        return;
      }
      if (message.kind === 'figure') {
        onFigure(message.figure);
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
