import { simulatedRecords } from '../../experiment/bench/simulated-records.ts';
import { benchComposition, type Compositions } from '../../main/bench-composition.ts';
import type { Bench } from './bench.ts';

const RECORDS = 60_000;
const PROCESSORS = 512;
const DEPTH = 4;
const SHOWN = 30;

/** What the model of a learned site is made of, by predictor and field. */
export const compositionBench: Bench = {
  name: 'composition',
  describe: `what a site of ${RECORDS} records takes in memory, by predictor and field: the ${SHOWN} largest parts, and all, in its owner and elsewhere`,
  async run({ onProgress }) {
    onProgress(0, 1, 'living through a past');
    const records = simulatedRecords(1, RECORDS, PROCESSORS);
    const { owned, fittedElsewhere } = await benchComposition({ records, processors: PROCESSORS, depth: DEPTH });
    const whole = [sumOf('all', owned), sumOf('all, where another one fits it', fittedElsewhere)];
    return [...whole, ...owned.slice(0, SHOWN)].map(({ path, objects, objectBytes, arrayBytes }) => ({
      part: path,
      objects,
      objectMegabytes: Math.round(objectBytes / 1e4) / 100,
      arrayMegabytes: Math.round(arrayBytes / 1e4) / 100,
    }));
  },
};

function sumOf(path: string, parts: Compositions['owned']) {
  const sum = (of: 'objects' | 'objectBytes' | 'arrayBytes') => parts.reduce((all, part) => all + part[of], 0);
  return { path, objects: sum('objects'), objectBytes: sum('objectBytes'), arrayBytes: sum('arrayBytes') };
}
