import { parentPort, workerData } from 'node:worker_threads';
import { invariant } from '../../domain/failures.ts';
import { supplyWaitingTrainer } from '../../training/supply.ts';
import { type WorkloadSource, workloadOf } from '../simulate.ts';
import { partExperiment } from './part-experiment.ts';
import type { PartThreadMessage, PartThreadOptions } from './part-threads.ts';

/** A thread that computes parts of one experiment, or of a tuning, one at a time, by their names. */
const port = parentPort;
invariant(port, 'part-thread.ts runs as a worker thread only');
const { name, seed, parameters, source, range, places } = workerData as PartThreadOptions;
supplyWaitingTrainer();
const experiment = partExperiment(name);
const loading = workloadOf(placed(source)).then((workload) => workload.slice(range.from, range.count));
const say = (message: PartThreadMessage) => port.postMessage(message);

port.on('message', (part: string) => {
  void loading
    .then((workload) =>
      experiment.runPart(part, {
        workload,
        seed,
        parameters,
        pathOf,
        onProgress: (doneJobs) => say({ kind: 'progress', doneJobs }),
        onFigure: (figure) => say({ kind: 'figure', figure }),
      }),
    )
    .then((rows) => say({ kind: 'rows', rows }));
});

function placed(told: WorkloadSource): WorkloadSource {
  return 'trace' in told ? { trace: pathOf(told.trace) } : told;
}

function pathOf(file: string): string {
  const path = places ? places[file] : file;
  if (path === undefined) throw new RangeError(`${file} was not told as a file of this part`);
  return path;
}
