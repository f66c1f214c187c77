import { COVERAGE_LEVELS } from '../../predict/spread-scorer.ts';
import type { Figure } from '../experiment.ts';
import type { RuntimeScorer } from './runtime-scorer.ts';

/** The plots of the runtime experiment: whether levels come true, and the error by length. */
export function runtimeFigures(name: string, scorer: RuntimeScorer): Figure[] {
  const { coverage } = scorer.spread;
  return [
    {
      title: 'Calibration: share of runtimes within each level',
      x: 'level',
      y: 'share of runtimes that did not exceed it',
      series: [
        {
          name: 'as it should be',
          points: [
            [0, 0],
            [1, 1],
          ],
        },
        { name, points: COVERAGE_LEVELS.map((level, i) => [level, coverage[i]?.share ?? 0] as const) },
      ],
    },
    {
      title: 'Error by length of the job',
      x: 'class of the runtime: 1 below 1 min, 2 below 10 min, 3 below 1 h, 4 below 6 h, 5 below 24 h, 6 longer',
      y: 'log10 of the mean absolute error in seconds',
      series: [{ name, points: scorer.classErrorsSeconds.flatMap(classPoint) }],
    },
  ];
}

function classPoint(error: number | null, index: number): (readonly [number, number])[] {
  return error === null ? [] : [[index + 1, Math.log10(Math.max(1, error))]];
}
