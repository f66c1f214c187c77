import { DAY_SECONDS, type EpochSeconds } from '../../domain/clock.ts';
import type { JobRecord } from '../../domain/job.ts';
import { tell } from '../../predict/past/tell.ts';
import { watchPast } from '../../predict/past/watched-past.ts';
import type { WaitPredictor } from '../../predict/predictor.ts';
import { createWaitPredictor } from '../../predict/registry.ts';
import { toRecords } from '../../sim/records.ts';
import type { Workload } from '../../sim/workload.ts';
import { machineOf } from '../simulate.ts';

export interface DriftPastOptions {
  /** Of the machine whose past it is said to be. */
  readonly processors: number;
  /** When that machine is looked at first. */
  readonly untilAt: EpochSeconds;
  /** Settings of the predictor, `name=value`. */
  readonly variant: string;
  /** How much of the past is lived through. */
  readonly days: number;
}

/** What a site brings from its past. */
export interface DriftPast {
  readonly predictor: WaitPredictor;
  /** From when on its past is known, which is later than wanted where the log is shorter. */
  readonly knownFromAt: EpochSeconds;
}

/**
 * A predictor that has lived through the first half of a log as if it had been the past of another machine: sizes keep
 * their share of the machine (at least one processor), moments their time of day, and what comes after the machine is
 * looked at is left out.
 */
export function pastOf(log: Workload, { processors, untilAt, variant, days }: DriftPastOptions): DriftPast {
  const [name = '', value = ''] = variant.split('=');
  const predictor = createWaitPredictor('wait/gridcast', { [name]: value });
  const scale = processors / machineOf(log, undefined);
  const half = toRecords(log.slice(0, Math.floor(log.length / 2)));
  const lastAt = half.at(-1)?.submitAt ?? 0;
  const shift = Math.ceil((untilAt - lastAt) / DAY_SECONDS) * DAY_SECONDS;
  const moved = half.map((record) => movedRecord(record, scale, shift)).filter(({ submitAt }) => submitAt < untilAt);
  const fromAt = untilAt - days * DAY_SECONDS;
  const past = moved.filter(({ submitAt }) => submitAt >= fromAt - EARLIER_SECONDS);
  for (const sight of watchPast(past, { processors, snapshotSeconds: SNAPSHOT_SECONDS, fromAt, untilAt })) {
    if (sight.at >= untilAt) break;
    tell(predictor, sight);
  }
  return { predictor, knownFromAt: Math.max(fromAt, moved[0]?.submitAt ?? untilAt) };
}

function movedRecord(record: JobRecord, scale: number, shift: number): JobRecord {
  const moved = (at: EpochSeconds | null) => (at === null ? null : at + shift);
  return {
    ...record,
    nativeId: `past-${record.nativeId}`,
    processors: Math.max(1, Math.round(record.processors * scale)),
    submitAt: record.submitAt + shift,
    startAt: moved(record.startAt),
    endAt: moved(record.endAt),
  };
}

const SNAPSHOT_SECONDS = 300;
/** Jobs so much older than what is lived through may still run when it begins. */
const EARLIER_SECONDS = 30 * DAY_SECONDS;
