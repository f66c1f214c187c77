import { WAIT_PREDICTORS } from '../../predict/registry.ts';
import { toRecords } from '../../sim/records.ts';
import type { Experiment } from '../experiment.ts';
import { comparedWithFirst, writtenErrors } from './compared-with-first.ts';
import { PEER, scorePeer, scorePredictor } from './score-part.ts';
import { waitFigures } from './wait-figures.ts';
import { PAPER_TEST_SET, pickWaitJobs, UNCOMPLETED_JOBS, type UncompletedJobs } from './wait-jobs.ts';
import { paperNotesOf, paperRowsOf } from './wait-paper.ts';
import { CLASS_METRICS, COVERAGE_METRICS, classRowOf, rowOf, WAIT_CLASS_METRICS } from './wait-rows.ts';

/**
 * How well waits are forecast at submission: Table V and figure 5 of hariharan-end-to-end-predictions, how often each
 * bound held, in all and by classes of jobs, and how other programs' forecasts of the same jobs compare. Jobs before
 * the scored range only teach.
 */
export const waitExperiment: Experiment = {
  name: 'wait',
  describe: 'how well queue waits are forecast, by every predictor (Table V of hariharan-end-to-end-predictions)',
  parameters: {
    predictors: [...WAIT_PREDICTORS.keys()].join(','),
    scored: PAPER_TEST_SET,
    uncompleted: 'scored',
    every: 1,
    settings: '',
    snapshotSeconds: 300,
    processors: 0,
    peer: '',
    classes: false,
  },
  files: ['peer'],
  parts: ({ predictors, peer }) => [
    ...String(predictors).split(','),
    ...listed(String(peer)).map((file) => `${PEER}${file}`),
  ],
  runPart(part, input) {
    const { workload, parameters, seed, onFigure } = input;
    const jobs = pickWaitJobs(
      toRecords(workload),
      String(parameters.scored),
      uncompletedJobs(String(parameters.uncompleted)),
      Number(parameters.every),
    );
    const scores = (part.startsWith(PEER) ? scorePeer : scorePredictor)(part, jobs, input);
    const plain = scores.map(([name, { score }]) => [name, score] as const);
    for (const figure of waitFigures(plain)) onFigure?.(figure);
    const scored = `${jobs.first}-${jobs.last}`;
    return scores.flatMap(([name, all]) => [
      { ...rowOf(name, all), scored, ...writtenErrors(all.absoluteErrors, seed) },
      ...(parameters.classes === true ? all.classes.map((one) => classRowOf(name, one)) : []),
    ]);
  },
  conclude: comparedWithFirst,
  paperRows: paperRowsOf,
  notes: paperNotesOf,
  tables: [
    { title: 'Table V', metrics: ['aaeHours', 'scaledAae', 'jobs', 'unanswered', 'scored'] },
    { title: 'AAE by class of the wait', metrics: WAIT_CLASS_METRICS },
    {
      title: 'share of waits within each level',
      metrics: [...COVERAGE_METRICS, 'medianBound95Hours', 'medianWaitHours', 'pinballHours', 'brier'],
    },
    {
      title: 'the whole distribution, and the class of jobs whose levels are furthest off',
      metrics: ['crpsHours', 'crpsJobs', 'relativeError', 'worstClassDeviation', 'worstClass'],
    },
    {
      title: 'AAE of the first row over that of this one, where 95 % of resampled ratios lie, and of how many jobs',
      metrics: ['firstOverThis', 'firstOverThisLow', 'firstOverThisHigh', 'firstOverThisJobs'],
    },
    { title: 'levels by class of jobs, the worst first', metrics: [...CLASS_METRICS, 'deviationPoints', 'classJobs'] },
  ],
};

function listed(text: string): string[] {
  return text.split(',').filter((one) => one !== '');
}

function uncompletedJobs(text: string): UncompletedJobs {
  const known = UNCOMPLETED_JOBS.find((name) => name === text);
  if (!known) throw new RangeError(`parameter uncompleted is ${text}; there are ${UNCOMPLETED_JOBS.join(', ')}`);
  return known;
}
