import { quantileSorted } from 'simple-statistics';
import { BurstLevel, burstLevel } from '../../predict/io-ahead/burst-level.ts';
import { relativeAccuracy } from '../../stats/relative-accuracy.ts';
import type { ExperimentRow, Figure } from '../experiment.ts';
import { rounded } from '../report/rounded.ts';
import { scoreBursts } from './burst-score.ts';

/** Above which bandwidth a minute is foreseen to be a burst. */
export const THRESHOLDS = ['whole', 'so-far'] as const;
export type Threshold = (typeof THRESHOLDS)[number];

/** Windows in minutes. */
const WINDOWS = [5, 10, 15, 20, 30, 45, 60] as const;
export const SENSITIVITIES: readonly string[] = WINDOWS.map((minutes) => `sensitivity${minutes}`);
export const PRECISIONS: readonly string[] = WINDOWS.map((minutes) => `precision${minutes}`);

/** The bandwidth of a site by the minute, as it was and as it was foreseen. Bytes per second. */
export interface IoSeries {
  readonly actual: Float64Array;
  /** In each of the courses that things may take. */
  readonly foreseen: readonly Float64Array[];
  /** From which minute on it is scored. */
  readonly fromMinute: number;
  /** After how many minutes at most what a site did is known: none of its jobs runs longer. */
  readonly knownAfterMinutes: number;
}

/** When a minute is foreseen to be a burst. */
export interface BurstRule {
  readonly threshold: Threshold;
  /** In which share of the courses it has to exceed the threshold, above 0 and at most 1. */
  readonly certainty: number;
}

/** The figures of a series. */
export function ioRow(name: string, series: IoSeries, { threshold, certainty }: BurstRule): ExperimentRow {
  const actual = series.actual.subarray(series.fromMinute);
  const courses = series.foreseen.map((course) => course.subarray(series.fromMinute));
  const foreseen = actual.map((_, minute) => medianAt(courses, minute));
  const accuracies = foreseen.map((said, minute) => relativeAccuracy(said, actual[minute] as number)).sort();
  if (accuracies.length === 0) return { name, minutes: 0 };
  const level = burstLevel(actual) as number;
  const isActual = Uint8Array.from(actual, (bytes) => (bytes > level ? 1 : 0));
  const levels = threshold === 'whole' ? null : levelsSoFar(series);
  const isForeseen = Uint8Array.from(actual, (_, minute) => {
    const above = courses.filter((course) => (course[minute] as number) > (levels?.[minute] ?? level)).length;
    return above > 0 && above >= certainty * courses.length ? 1 : 0;
  });
  const row: Record<string, number> = {
    meanAccuracy: rounded(accuracies.reduce((sum, value) => sum + value, 0) / accuracies.length, 4) as number,
    medianAccuracy: rounded(quantileSorted([...accuracies], 0.5), 4) as number,
    minutes: accuracies.length,
    burstMinutes: isActual.reduce((sum, mark) => sum + mark, 0),
    foreseenBurstMinutes: isForeseen.reduce((sum, mark) => sum + mark, 0),
    levelBytesPerSecond: Math.round(level),
  };
  for (const minutes of WINDOWS) {
    const { sensitivity, precision } = scoreBursts(isActual, isForeseen, minutes);
    if (sensitivity !== null) row[`sensitivity${minutes}`] = rounded(sensitivity, 4) as number;
    if (precision !== null) row[`precision${minutes}`] = rounded(precision, 4) as number;
  }
  return { name, ...row };
}

/** Sensitivity and precision by window, to be plotted. */
export function ioFigures(row: ExperimentRow): Figure[] {
  const pointsOf = (metric: string) =>
    WINDOWS.flatMap((minutes): [number, number][] => {
      const share = row[`${metric}${minutes}`];
      return typeof share === 'number' ? [[minutes, share]] : [];
    });
  return ['sensitivity', 'precision'].map((metric) => ({
    title: `${metric} of foreseen bursts (figures 13 and 15)`,
    x: 'window in minutes',
    y: metric,
    series: [{ name: row.name, points: pointsOf(metric) }],
  }));
}

function medianAt(courses: readonly Float64Array[], minute: number): number {
  const sorted = courses.map((course) => course[minute] as number).sort((a, b) => a - b);
  return sorted.length === 0 ? 0 : quantileSorted(sorted, 0.5);
}

/** The level of bursts at each scored minute, by what was known of the minutes before. */
function levelsSoFar({ actual, fromMinute, knownAfterMinutes }: IoSeries): Float64Array {
  const levels = new Float64Array(actual.length - fromMinute).fill(Number.POSITIVE_INFINITY);
  const level = new BurstLevel();
  for (let minute = 0; minute < actual.length; minute++) {
    if (minute >= knownAfterMinutes) level.add(actual[minute - knownAfterMinutes] as number);
    if (minute >= fromMinute) levels[minute - fromMinute] = level.bytesPerSecond ?? Number.POSITIVE_INFINITY;
  }
  return levels;
}
