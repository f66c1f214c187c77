import { parentPort, workerData } from 'node:worker_threads';
import { invariant } from '../../domain/failures.ts';
import { supplyWaitingTrainer } from '../../training/supply.ts';
import { experimentNamed } from '../registry.ts';
import { workloadOf } from '../simulate.ts';
import type { PartThreadMessage, PartThreadOptions } from './part-threads.ts';

/** A thread that computes parts of one experiment, one at a time, by their names. */
const port = parentPort;
invariant(port, 'part-thread.ts runs as a worker thread only');
const { name, seed, parameters, source, range } = workerData as PartThreadOptions;
supplyWaitingTrainer();
const experiment = experimentNamed(name);
const loading = workloadOf(source).then((workload) => workload.slice(range.from, range.count));
const say = (message: PartThreadMessage) => port.postMessage(message);

port.on('message', (part: string) => {
  void loading
    .then((workload) =>
      experiment.runPart(part, {
        workload,
        seed,
        parameters,
        onProgress: (doneJobs) => say({ kind: 'progress', doneJobs }),
        onFigure: (figure) => say({ kind: 'figure', figure }),
      }),
    )
    .then((rows) => say({ kind: 'rows', rows }));
});
