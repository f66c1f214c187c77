import { DAY_SECONDS, type EpochSeconds } from '../../../domain/clock.ts';
import type { JobRequest } from '../../../domain/job.ts';
import { calendarFeatures } from '../../online/calendar-features.ts';

/**
 * The classes in each of which the levels of a job are made to come true: all jobs, those of its share of the machine,
 * of its forecast wait, of its requested walltime and of its time of the day.
 * @param medianSeconds as forecast before anything is corrected
 * @param machine processors of the site; null where nobody watched
 */
export function levelClassesOf(
  job: JobRequest,
  at: EpochSeconds,
  medianSeconds: number,
  machine: number | null,
): string[] {
  const walltime = job.requestedWalltimeSeconds;
  return [
    'all',
    `size ${machine ? placeOf(job.processors / machine, SIZES) : 'unknown'}`,
    `wait ${placeOf(medianSeconds, WAITS_SECONDS)}`,
    `walltime ${walltime === null ? 'unknown' : placeOf(walltime, WALLTIMES_SECONDS)}`,
    `time ${Math.floor((PARTS_OF_DAY * calendarFeatures(at).timeOfDaySeconds) / DAY_SECONDS)}`,
  ];
}

function placeOf(value: number, ends: readonly number[]): number {
  return ends.filter((end) => value >= end).length;
}

const SIZES = [1 / 100, 1 / 20, 1 / 10, 1 / 5];
const WAITS_SECONDS = [60, 600, 3600, 21_600];
const WALLTIMES_SECONDS = [3600, 21_600, DAY_SECONDS];
const PARTS_OF_DAY = 4;
