import type { Experiment } from '../experiment.ts';
import { PROBABILITIES } from './drawn-jobs.ts';
import { finishPart } from './finish-part.ts';
import { reservePart } from './reserve-part.ts';

/**
 * Whether deadlines that are promised are kept, and what that costs beside reserving. Drawn jobs of a log that is
 * replayed under EASY ask for deadlines as they are submitted. `finish`: each takes the earliest moment that is on
 * offer at its probability, which is then promised just that. `later`: the deadline is set, `leadSeconds` and the whole
 * walltime ahead. `reserve`: a reservation that starts early enough for that. Waits and runtimes are forecast as live.
 */
export const deadlineExperiment: Experiment = {
  name: 'deadline',
  describe: 'whether promised deadlines are kept, and what they cost beside reservations that start early enough',
  parameters: {
    parts: 'finish,reserve',
    waits: 'wait/gridcast',
    runtimes: 'runtime/gridcast',
    deadlines: 1500,
    leadSeconds: 21_600,
    recomputeSeconds: 300,
    snapshotSeconds: 300,
    warmUpJobs: 2000,
    processors: 0,
    settings: '',
  },
  parts: ({ parts }) => String(parts).split(',').flatMap(partsNamed),
  runPart: (part, input) => (part === FINISH ? finishPart(input) : reservePart(Number(part.split('/p')[1]), input)),
  tables: [
    {
      title: 'promised and kept',
      metrics: ['accepted', 'promisedShare', 'forecastShare', 'actualShare', 'twoStandardErrors', 'refusals'],
    },
    {
      title: 'charge',
      metrics: [
        'requiredProcessorHours',
        'usedProcessorHours',
        'chargeRatio',
        'chargeRatioIfCancelled',
        'meanLeadHours',
        'meanBestOffer',
      ],
    },
  ],
};

const FINISH = 'finish';

function partsNamed(name: string): string[] {
  if (name === FINISH) return [FINISH];
  if (name === 'reserve') return PROBABILITIES.map((probability) => `reserve/p${probability}`);
  throw new RangeError(`deadline has no part ${name}; it has finish and reserve`);
}
