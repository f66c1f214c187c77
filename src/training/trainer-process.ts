import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { TrainedState, TrainingRequest } from '../predict/prionn/training.ts';
import type { TrainerAnswer, TrainingCost } from './trainer-protocol.ts';

/** How long a training event may take, in wall time. On a machine that is busy it gets what nobody else wants. */
const MOST_MILLISECONDS = 10 * 60_000;

/** A training event that came to an end. */
export interface Trained {
  readonly state: Omit<TrainedState, 'id'>;
  readonly cost: TrainingCost;
}

/**
 * Trains in a process of its own, one event at a time. Killing a thread inside ONNX Runtime would abort the whole
 * process; a process can be killed at any moment. One that died, or took too long, is replaced at the next event.
 */
export class TrainerProcess {
  private child: ChildProcess | null = null;
  private last: Promise<unknown> = Promise.resolve();

  constructor(private readonly mostMilliseconds = MOST_MILLISECONDS) {}

  /** Null while there is none. */
  get pid(): number | null {
    return this.child?.pid ?? null;
  }

  /** @returns null when the process died, or was killed because it took too long; an error that it reports is thrown */
  train(request: TrainingRequest): Promise<Trained | null> {
    const trained = this.last.then(() => this.ask(request));
    this.last = trained.catch(() => null);
    return trained;
  }

  private async ask(request: TrainingRequest): Promise<Trained | null> {
    this.child ??= startChild();
    const child = this.child;
    child.ref();
    const answer = await answerOf(child, request, this.mostMilliseconds);
    child.unref();
    if (!answer) this.child = null;
    if (answer?.kind === 'failed') throw new Error(`training failed: ${answer.reason}`);
    return answer;
  }
}

function startChild(): ChildProcess {
  // Compiled the child is a .js beside this file; from source it needs the loader that this process was started with.
  const fromSource = import.meta.url.endsWith('.ts');
  const file = fileURLToPath(new URL(fromSource ? './trainer-child.ts' : './trainer-child.js', import.meta.url));
  const child = fork(file, {
    execArgv: fromSource ? ['--import', '@oxc-node/core/register'] : [],
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  child.channel?.unref();
  return child;
}

function answerOf(child: ChildProcess, request: TrainingRequest, most: number): Promise<TrainerAnswer | null> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => child.kill('SIGKILL'), most);
    const end = (answer: TrainerAnswer | null) => {
      clearTimeout(timer);
      child.removeAllListeners();
      child.on('error', () => {});
      resolve(answer);
    };
    child.once('message', (answer) => end(answer as TrainerAnswer));
    child.once('exit', () => end(null));
    child.once('error', () => end(null));
    child.send(request, (error) => {
      if (error) end(null);
    });
  });
}
