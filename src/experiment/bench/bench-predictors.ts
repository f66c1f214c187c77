import { invariant } from '../../domain/failures.ts';
import type { JobRecord, StartedRecord } from '../../domain/job.ts';
import type { Snapshot } from '../../domain/snapshot.ts';
import { submissionOf } from '../../predict/past/reveal.ts';
import { watchPast } from '../../predict/past/watched-past.ts';
import type { WaitPredictor } from '../../predict/predictor.ts';
import { createWaitPredictor } from '../../predict/registry.ts';
import { benchRuntimes } from './bench-runtimes.ts';
import type { BenchInstruments } from './bench-simulator.ts';
import { simulatedRecords } from './simulated-records.ts';

/** One measurement. */
export interface PredictorsBenchRow {
  readonly [figure: string]: number | string;
  readonly name: string;
  /** Waits, or runtimes, that had been learned, and that the predictor keeps where it can be told. */
  readonly history: number;
  readonly perSecond: number;
  readonly unit: string;
  /** Cost of one, relative to that with the shortest history. */
  readonly growth: number;
  /** What it has to reach with a history of 6,000 waits, or of 15,000 runtimes; 0 for none. */
  readonly bar: number;
}

interface Measured {
  readonly predictor: string;
  readonly unit: string;
  readonly bar: number;
  readonly settings: (history: number) => Readonly<Record<string, number>>;
  /** Does `count` of what is measured. */
  readonly work: (predictor: WaitPredictor, site: LearnedSite, count: number) => void;
}

/** What a predictor has seen by the time it is measured, and what comes next. */
interface LearnedSite {
  readonly snapshot: Snapshot;
  readonly next: readonly StartedRecord[];
}

const HISTORIES = [2000, 6000, 20_000] as const;
const MEASURED: readonly Measured[] = [
  {
    predictor: 'wait/apq',
    unit: 'predictions/s',
    bar: 300,
    settings: (capacity) => ({ capacity }),
    work: predictMany,
  },
  {
    predictor: 'wait/qbets',
    unit: 'updates+predictions/s',
    bar: 20_000,
    settings: (capacity) => ({ capacity }),
    work: learnAndPredictMany,
  },
  { predictor: 'wait/gridcast', unit: 'predictions/s', bar: 0, settings: () => ({}), work: predictMany },
];

/**
 * How fast predictors forecast submissions on a generated site under EASY, and how that grows with the history they
 * have learned. The shortest of several interleaved runs counts. Then the same of runtimes, in one run.
 */
export function benchPredictors({
  readMilliseconds,
  onProgress,
}: Omit<BenchInstruments, 'readResidentBytes'>): PredictorsBenchRow[] {
  const records = simulatedRecords(1, JOBS, PROCESSORS);
  const cases = MEASURED.flatMap((measured) => HISTORIES.map((history) => ({ measured, history })));
  const learned = cases.map(({ measured, history }, i) => {
    onProgress?.(i, cases.length, `${measured.predictor} learns ${history} waits`);
    const predictor = createWaitPredictor(measured.predictor, measured.settings(history));
    return {
      measured,
      history,
      predictor,
      site: learnUpTo(predictor, records, history),
      best: Number.POSITIVE_INFINITY,
    };
  });
  for (let repeat = 0; repeat < REPEATS; repeat++) {
    for (const one of learned) {
      const began = readMilliseconds();
      let done = 0;
      while (readMilliseconds() - began < RUN_MILLISECONDS) {
        one.measured.work(one.predictor, one.site, BATCH);
        done += BATCH;
      }
      one.best = Math.min(one.best, (readMilliseconds() - began) / done);
    }
  }
  const rows = learned.map(({ measured: { predictor: name, unit, bar }, history, best }) => {
    const shortest = learned.find((one) => one.measured.predictor === name) as { best: number };
    const growth = Math.round((best / shortest.best) * 100) / 100;
    return { name, history, perSecond: Math.round(1000 / best), unit, growth, bar };
  });
  return [...rows, ...benchRuntimes(records, PROCESSORS, { readMilliseconds, ...(onProgress && { onProgress }) })];
}

function predictMany(predictor: WaitPredictor, { snapshot, next }: LearnedSite, count: number): void {
  for (let i = 0; i < count; i++) {
    const query = submissionOf(next[i % next.length] as StartedRecord);
    const submitAt = snapshot.observedAt;
    predictor.predict({ ...query, submitAt }, snapshot, submitAt);
  }
}

function learnAndPredictMany(predictor: WaitPredictor, { next }: LearnedSite, count: number): void {
  for (let i = 0; i < count; i++) {
    const record = next[i % next.length] as StartedRecord;
    predictor.started?.(record);
    predictor.predict(submissionOf(record), null, record.startAt);
  }
}

/** Replays the site until so many waits are known. */
function learnUpTo(predictor: WaitPredictor, records: readonly JobRecord[], waits: number): LearnedSite {
  let learned = 0;
  let snapshot: Snapshot | null = null;
  const next: StartedRecord[] = [];
  for (const sight of watchPast(records, { processors: PROCESSORS, snapshotSeconds: SNAPSHOT_SECONDS })) {
    if (sight.kind === 'snapshot' && learned < waits) {
      snapshot = sight.state;
      predictor.observed?.(snapshot);
    }
    if (sight.kind !== 'start') continue;
    if (learned++ < waits) predictor.started?.(sight.record);
    else next.push(sight.record);
    if (next.length === NEXT_RECORDS) break;
  }
  invariant(snapshot, 'the generated site was never looked at');
  return { snapshot, next };
}

const PROCESSORS = 128;
const NEXT_RECORDS = 2000;
/** Enough for the longest history and what comes next. */
const JOBS = 23_000;
const SNAPSHOT_SECONDS = 300;
const REPEATS = 3;
const RUN_MILLISECONDS = 300;
const BATCH = 20;
