import type { WaitScore } from '../../predict/wait-scores.ts';
import type { Figure } from '../experiment.ts';

/** Scores by the names of their rows. */
type NamedScores = readonly (readonly [name: string, score: WaitScore])[];

const AS_IT_SHOULD_BE = {
  name: 'as it should be',
  points: [
    [0, 0],
    [1, 1],
  ],
} as const;

/**
 * The plots of the wait experiment: figure 5, whether levels come true, and the reliability diagram of "starts within".
 */
export function waitFigures(scores: NamedScores): Figure[] {
  return [
    {
      title: 'Error by class of the wait',
      x: 'class of the wait: 1 below 100 s, 2 below 1,000 s, ... 5 from 100,000 s',
      y: 'log10 of the average absolute error in seconds',
      series: scores.map(([name, { classes }]) => ({ name, points: classes.flatMap(classPoint) })),
    },
    {
      title: 'Share of waits within each level',
      x: 'level',
      y: 'share of waits that did not exceed it',
      series: [
        AS_IT_SHOULD_BE,
        ...answered(scores).map(([name, { coverage }]) => ({
          name,
          points: coverage.map(({ level, share }) => [level, share] as const),
        })),
      ],
    },
    {
      title: 'Reliability of "starts within"',
      x: 'forecast probability to start within 1 min, 10 min, 1 h, 6 h or 24 h',
      y: 'share that did',
      series: [
        AS_IT_SHOULD_BE,
        ...answered(scores).map(([name, { reliability }]) => ({
          name,
          points: reliability.map(({ meanForecast, observedShare }) => [meanForecast, observedShare] as const),
        })),
      ],
    },
  ];
}

function classPoint(
  { averageAbsoluteErrorSeconds: error }: WaitScore['classes'][number],
  index: number,
): (readonly [number, number])[] {
  return error === null ? [] : [[index + 1, Math.log10(Math.max(1, error))]];
}

/** The bound as a point has the levels of its own predictor. */
function answered(scores: NamedScores): NamedScores {
  return scores.filter(([name]) => !name.endsWith('/bound95'));
}
