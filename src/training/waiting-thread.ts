import { parentPort } from 'node:worker_threads';
import { invariant } from '../domain/failures.ts';
import { TrainerProcess } from './trainer-process.ts';
import type { WaitedAnswer, WaitedFor } from './waiting-trainer.ts';

/** A thread that listens to the process that trains, for one that halts until its answer is there. */
invariant(parentPort, 'waiting-thread.ts runs as a worker thread only');
const trainer = new TrainerProcess();

parentPort.on('message', ({ request, port, isThere }: WaitedFor) => {
  void trainer
    .train(request)
    .catch((error: Error): WaitedAnswer => error.message)
    .then((answer) => {
      port.postMessage(answer);
      Atomics.store(isThere, 0, 1);
      Atomics.notify(isThere, 0);
    });
});
