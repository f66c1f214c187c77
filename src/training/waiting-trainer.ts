import { MessageChannel, type MessagePort, receiveMessageOnPort, Worker } from 'node:worker_threads';
import type { TrainedState, Trainer, TrainingRequest, TrainingUnderWay } from '../predict/prionn/training.ts';
import { RememberedTrainings } from './remembered-trainings.ts';
import type { Trained } from './trainer-process.ts';

/** Of all the quantities of an experiment's log in turn. */
const REMEMBERED = 150;
/** The thread gives up long before. */
const MOST_MILLISECONDS = 60 * 60_000;

/** A request as it goes to the thread that waits for the process. */
export interface WaitedFor {
  readonly request: TrainingRequest;
  /** Where the answer goes. */
  readonly port: MessagePort;
  /** One number: 1 when the answer is there. */
  readonly isThere: Int32Array;
}

/** What comes of it; an error is a text. */
export type WaitedAnswer = Trained | string | null;

/**
 * Trains while an experiment computes on; whoever needs the new state is halted until it is there, so that the same
 * events give the same forecasts. A thread listens to the process, because nobody else could while this one is halted.
 */
export class WaitingTrainer implements Trainer {
  private readonly remembered = new RememberedTrainings(REMEMBERED);
  private readonly thread = startThread();

  train(request: TrainingRequest): TrainingUnderWay {
    return this.remembered.of(request, (id) => {
      const isThere = new Int32Array(new SharedArrayBuffer(4));
      const { port1: ours, port2: port } = new MessageChannel();
      this.thread.postMessage({ request, port, isThere } satisfies WaitedFor, [port]);
      let result: TrainedState | null | undefined;
      return {
        result() {
          if (result === undefined) result = waitFor(ours, isThere, id);
          return result;
        },
        hasFailed: () => result === null,
      };
    });
  }
}

function waitFor(port: MessagePort, isThere: Int32Array, id: string): TrainedState | null {
  Atomics.wait(isThere, 0, 0, MOST_MILLISECONDS);
  const answer: WaitedAnswer = receiveMessageOnPort(port)?.message ?? null;
  port.close();
  if (typeof answer === 'string') throw new Error(answer);
  return answer && { ...answer.state, id };
}

function startThread(): Worker {
  // Compiled the thread is a .js beside this file; from source it needs the loader that this process was started with.
  const fromSource = import.meta.url.endsWith('.ts');
  const thread = new Worker(new URL(fromSource ? './waiting-thread.ts' : './waiting-thread.js', import.meta.url), {
    execArgv: fromSource ? ['--import', '@oxc-node/core/register'] : [],
  });
  thread.unref();
  return thread;
}
