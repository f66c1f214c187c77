import { type EndedRecord, hasEnded, type JobRecord, requestOf } from '../../domain/job.ts';
import { tell } from '../../predict/past/tell.ts';
import { type Sight, watchPast } from '../../predict/past/watched-past.ts';
import type { RuntimePredictor } from '../../predict/predictor.ts';
import { RUNTIME } from '../../predict/quantities.ts';
import { createPredictor } from '../../predict/registry.ts';
import type { PredictorsBenchRow } from './bench-predictors.ts';
import type { BenchInstruments } from './bench-simulator.ts';

/** Runtimes that are known when a forecast is measured, and when it has to reach the bar. */
const HISTORIES = [2000, 15_000] as const;
/** A forecast may take 5 ms. */
const LEAST_FORECASTS_PER_SECOND = 200;

/** A predictor that has learned so many runtimes, and the jobs that end next. */
interface LearnedRuntimes {
  readonly name: string;
  readonly history: number;
  readonly predictor: RuntimePredictor;
  readonly next: readonly EndedRecord[];
}

/**
 * How fast every runtime predictor forecasts and learns on a generated site, and how that grows with the runtimes that
 * it knows; that which a process of its own teaches is measured by `benchTraining`.
 */
export function benchRuntimes(
  records: readonly JobRecord[],
  processors: number,
  { readMilliseconds, onProgress }: Omit<BenchInstruments, 'readResidentBytes'>,
): PredictorsBenchRow[] {
  const names = [...RUNTIME.predictors.keys()].filter((name) => name !== TAUGHT_ELSEWHERE);
  const cases = names.flatMap((name) => HISTORIES.map((history) => ({ name, history })));
  const past = [...watchPast(records, { processors, snapshotSeconds: Number.POSITIVE_INFINITY })];
  const millisecondsPer = (count: number, work: (index: number) => void): number => {
    const began = readMilliseconds();
    for (let i = 0; i < count; i++) work(i);
    return (readMilliseconds() - began) / count;
  };
  const measured = cases.map(({ name, history }, i) => {
    onProgress?.(i, cases.length, `${name} learns ${history} runtimes`);
    const { predictor, next } = learnRuntimes(name, history, past);
    const forecast = millisecondsPer(MEASURED, (n) => {
      const record = next[n % next.length] as EndedRecord;
      predictor.predict(requestOf(record), null, record.endAt);
    });
    const learned = millisecondsPer(next.length, (n) => predictor.ended?.(next[n] as EndedRecord));
    return { name, history, forecast, learned };
  });
  return measured.flatMap(({ name, history, forecast, learned }) => {
    const shortest = measured.find((one) => one.name === name) as { forecast: number; learned: number };
    return [
      rowOf(name, history, 'forecasts/s', forecast, shortest.forecast, LEAST_FORECASTS_PER_SECOND),
      rowOf(name, history, 'runtimes learned/s', learned, shortest.learned, 0),
    ];
  });
}

function rowOf(
  name: string,
  history: number,
  unit: string,
  milliseconds: number,
  shortest: number,
  bar: number,
): PredictorsBenchRow {
  const cost = Math.max(LEAST_MILLISECONDS, milliseconds);
  const growth = Math.round((cost / Math.max(LEAST_MILLISECONDS, shortest)) * 100) / 100;
  return { name, history, perSecond: Math.round(1000 / cost), unit, growth, bar };
}

/** Tells a new predictor a site's past until so many runtimes are known. */
function learnRuntimes(name: string, history: number, past: readonly Sight[]): LearnedRuntimes {
  const predictor = createPredictor(RUNTIME, name);
  const next: EndedRecord[] = [];
  let known = 0;
  for (const sight of past) {
    if (sight.kind !== 'end') {
      if (known < history) tell(predictor, sight);
    } else if (known++ < history) tell(predictor, sight);
    else if (hasEnded(sight.record)) next.push(sight.record);
    if (next.length === NEXT_RUNTIMES) break;
  }
  return { name, history, predictor, next };
}

const TAUGHT_ELSEWHERE = 'runtime/prionn';
const NEXT_RUNTIMES = 2000;
const MEASURED = 2000;
/** Shorter than this is not measured. */
const LEAST_MILLISECONDS = 1e-5;
