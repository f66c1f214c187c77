import { expect, test } from 'vitest';
import type { JobRecord } from '../../../src/domain/job.ts';
import { SiteTeller } from '../../../src/forecast/site-teller.ts';
import { tell } from '../../../src/predict/past/tell.ts';
import { watchPast } from '../../../src/predict/past/watched-past.ts';
import type { SiteListener } from '../../../src/predict/predictor.ts';

const waiting: JobRecord = {
  nativeId: '7',
  user: 'ann',
  queue: 'batch',
  processors: 4,
  requestedWalltimeSeconds: 600,
  submitAt: 100,
  startAt: null,
  endAt: null,
  outcome: null,
};
const running: JobRecord = { ...waiting, startAt: 160 };
const ended: JobRecord = { ...running, endAt: 300, outcome: 'TIMEOUT' };

/** A listener that writes down all it hears. */
function listening() {
  const heard: [string, unknown][] = [];
  const listener: Required<Omit<SiteListener, 'needsPastStates' | 'leaveFitsToOthers'>> = {
    submitted: (job) => heard.push(['submitted', job]),
    started: (record) => heard.push(['started', record]),
    ended: (record) => heard.push(['ended', record]),
    observed: ({ observedAt }) => heard.push(['observed', observedAt]),
  };
  return { heard, listener };
}

const { startAt: _startAt, endAt: _endAt, outcome: _outcome, ...submission } = waiting;
const whole = [
  ['submitted', submission],
  ['started', running],
  ['ended', ended],
];

test.each([
  ['as it happens', [waiting, running, ended]],
  ['with every record twice', [waiting, waiting, running, running, ended]],
  ['at its end', [ended]],
  ['from its start on', [running, ended]],
])('a job that is known %s is told once, step by step', (_, records) => {
  const { heard, listener } = listening();
  const teller = new SiteTeller([listener]);
  for (const record of records) teller.learn(record);
  expect(heard).toEqual(whole);
});

test('a job that was cancelled while it waited is told to be over, and never to have started', () => {
  const { heard, listener } = listening();
  new SiteTeller([listener]).learn({ ...waiting, endAt: 120, outcome: 'CANCELLED' });
  expect(heard.map(([what]) => what)).toEqual(['submitted', 'ended']);
});

test('a job that another site lived through, or an experiment, is told the same by the same path', () => {
  const [live, replayed] = [listening(), listening()];
  const teller = new SiteTeller([live.listener]);
  for (const record of [waiting, running, ended]) teller.learn(record);
  for (const sight of watchPast([ended], { processors: 8, snapshotSeconds: Number.POSITIVE_INFINITY })) {
    tell(replayed.listener, sight);
  }
  expect(replayed.heard.filter(([what]) => what !== 'observed')).toEqual(live.heard);
});

test('what was lived through is not told again when its records come', () => {
  const { heard, listener } = listening();
  const teller = new SiteTeller([listener]);
  for (const sight of watchPast([running], { processors: 8, snapshotSeconds: 3600 })) tell(teller, sight);
  teller.learn(running);
  teller.learn(ended);
  expect(heard.filter(([what]) => what !== 'observed')).toEqual(whole);
});

test('several listeners hear the same, and one hears only what it listens to', () => {
  const { heard, listener } = listening();
  const teller = new SiteTeller([{ ended: listener.ended }, listener]);
  teller.learn(ended);
  teller.observed({ observedAt: 400, processors: 8, freeProcessors: 8, waiting: [], running: [] });
  expect(heard.map(([what]) => what)).toEqual(['submitted', 'started', 'ended', 'ended', 'observed']);
});

test('while submissions are passed over, starts and ends are told all the same', () => {
  const { heard, listener } = listening();
  const teller = new SiteTeller([listener]);
  teller.tellsSubmissions = false;
  for (const record of [waiting, running, ended]) teller.learn(record);
  expect(heard.map(([what]) => what)).toEqual(['started', 'ended']);
});
