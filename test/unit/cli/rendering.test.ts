import { stripVTControlCharacters } from 'node:util';
import { describe, expect, test } from 'vitest';
import type { JobAnswer, PointAnswer, SiteAnswer } from '../../../src/cli/client/answers.ts';
import type { ForecastAnswer } from '../../../src/cli/client/forecast-answers.ts';
import type { PlanAnswer } from '../../../src/cli/client/plan-answers.ts';
import { renderForecasts } from '../../../src/cli/render/forecasts.ts';
import { percent, renderJob, renderPlan } from '../../../src/cli/render/objects.ts';
import { renderSite, renderSites } from '../../../src/cli/render/sites.ts';
import { renderTable } from '../../../src/cli/render/table.ts';
import { renderTrajectory } from '../../../src/cli/render/trajectory.ts';

const START = Date.UTC(2026, 10, 20, 14);

function trajectory(length: number): PointAnswer[] {
  return Array.from({ length }, (_, index) => ({
    submitAt: new Date(START - (length - index) * 30_000).toISOString(),
    walltimeSeconds: 3600,
    probability: 1 - index / length,
  }));
}

test('a table has a column per title, figures to the right, dashes for what is unknown', () => {
  const lines = stripVTControlCharacters(
    renderTable(
      ['site', 'free'],
      [
        ['a', 7],
        ['bb', 12],
        ['c', null],
      ],
    ),
  ).split('\n');
  expect(lines).toEqual(['site  free', 'a        7', 'bb      12', 'c        -']);
});

test('percent keeps a decimal where there is one', () => {
  expect([0.9, 0.901, 1, 0, 0.12345].map(percent)).toEqual(['90 %', '90.1 %', '100 %', '0 %', '12.3 %']);
});

test('of a site of which nothing is known no probability is claimed', () => {
  const forecast: ForecastAnswer = {
    predictor: 'wait/gridcast',
    version: '1',
    madeAt: '',
    observedAt: '',
    ageSeconds: 0,
    stale: false,
    sampleSize: 0,
    pointSeconds: null,
    relativePointSeconds: null,
    aboutSeconds: null,
    atOnceProbability: 0,
    medianSeconds: null,
    boundSeconds: null,
    probabilityWithin: 0,
    outsideKnownRange: null,
    putOff: null,
  };
  expect(renderForecasts([{ site: 'new', forecast }], 3600)).not.toContain('0 %');
  const busy = { ...forecast, medianSeconds: 7200, boundSeconds: 9000 };
  expect(renderForecasts([{ site: 'busy', forecast: busy }], 3600)).toContain('0 %');
});

test('a runtime is shown below the wait, with the same columns', () => {
  const made = { version: '1', madeAt: '', observedAt: '', ageSeconds: 0, stale: false };
  const about = { relativePointSeconds: 50, aboutSeconds: 55, atOnceProbability: 0.5 };
  const wait = { pointSeconds: 60, ...about, medianSeconds: 60, boundSeconds: 90, probabilityWithin: 1 };
  const runtime = {
    pointSeconds: 900,
    relativePointSeconds: 540,
    medianSeconds: 600,
    boundSeconds: 2700,
    probabilityWithin: 0.97,
  };
  const forecast = {
    ...{ ...made, ...wait, predictor: 'wait/qbets', sampleSize: 12, outsideKnownRange: null, putOff: null },
    runtime: { ...made, ...runtime, predictor: 'runtime/recent-use', sampleSize: 9 },
  };
  const [titles, ...lines] = stripVTControlCharacters(renderForecasts([{ site: 'told', forecast }], 3600)).split('\n');
  expect(titles?.trim().split(/ {2,}/)).toEqual([
    ...['site', 'its', 'expected', 'about', 'median', '95 % bound', 'within 1 h', 'rests on', 'predictor'],
  ]);
  expect(lines.map((line) => line.trim().split(/ {2,}/))).toEqual([
    ['told', 'wait', '1 m', '55 s', '1 m', '1 m 30 s', '100 %', '12 waits', 'wait/qbets'],
    ['runtime', '15 m', '9 m', '10 m', '45 m', '97 %', '9 runtimes', 'runtime/recent-use'],
  ]);
  const soon = { ...forecast, atOnceProbability: 0.62 };
  expect(stripVTControlCharacters(renderForecasts([{ site: 'idle', forecast: soon }], 3600))).toContain(
    'at once, 62 %',
  );
});

test('a forecast says which maintenance is in the way', () => {
  const known = {
    predictor: 'p',
    version: '1',
    madeAt: '',
    observedAt: '',
    ageSeconds: 0,
    stale: false,
    sampleSize: 9,
  };
  const about = { relativePointSeconds: 50, aboutSeconds: 55, atOnceProbability: 0.5 };
  const waits = { pointSeconds: 60, ...about, medianSeconds: 60, boundSeconds: 90, probabilityWithin: 0.9 };
  const maintenance = { startAt: '', endAt: '', processors: null, reason: 'maintenance service' };
  const putOff = { startAt: '', maintenance, explanation: 'it starts there at noon at the earliest' };
  const text = renderForecasts(
    [{ site: 'alder', forecast: { ...known, ...waits, outsideKnownRange: null, putOff } }],
    3600,
  );
  expect(stripVTControlCharacters(text).split('\n').at(-1)).toBe('alder: it starts there at noon at the earliest');
});

test('without any site that is said, in place of an empty table', () => {
  expect(renderForecasts([], 3600)).toContain('gridcast sites register');
  expect(renderPlan({ madeAt: '', submitAt: '', chosen: null, candidates: [] })).toContain('gridcast sites register');
});

const site: SiteAnswer = {
  id: 'x',
  name: 'alder',
  adapter: 'simulator',
  state: 'ACTIVE',
  processors: 64,
  usableProcessors: 48,
  maintenance: [],
  observedAt: '2026-11-20T14:00:00.000Z',
  ageSeconds: 30,
  stale: false,
  fault: null,
  freeProcessors: 3,
  waitingJobs: 2,
  runningJobs: 5,
  records: 100,
  learning: false,
  queues: [],
  downTime: null,
  promises: { decided: 4, kept: 3, promised: 0.8 },
};

test('a job that was handed to more than one site says what became of each attempt', () => {
  const createdAt = '2026-11-20T14:00:00.000Z';
  const attempt = (name: string, state: string) => {
    return { key: `gc-${name}`, state, intendedAt: createdAt, siteSays: null, site: { name } };
  };
  const job: JobAnswer = {
    ...{
      id: 'x',
      name: 'solve',
      owner: 'ada',
      state: 'QUEUED',
      outcome: null,
      reason: null,
      queue: null,
      processors: 4,
    },
    ...{ deadlineAt: null, deadlineMissedAt: null },
    ...{ walltimeSeconds: 1800, submitAt: null, nativeId: '7', submittedAt: null, startedAt: null, endedAt: null },
    ...{
      exitCode: null,
      waitSeconds: null,
      cancelRequestedAt: null,
      siteReason: null,
      siteEstimatedStartAt: null,
      sitePriority: null,
      createdAt,
      site: { name: 'birch' },
      charges: [],
    },
    submissions: [attempt('alder', 'WITHDRAWN'), attempt('birch', 'ACCEPTED')],
  };
  const textOf = (shown: JobAnswer) => stripVTControlCharacters(renderJob(shown));
  expect(textOf(job)).toMatch(/^attempts +alder: withdrawn, birch: accepted$/m);
  expect(textOf({ ...job, submissions: job.submissions.slice(1) })).not.toMatch(/attempts|deadline/);
  const late = { deadlineAt: createdAt, deadlineMissedAt: createdAt };
  expect(textOf({ ...job, ...late })).toMatch(/^deadline +.*14:00.*, missed$/m);
});

describe('sites', () => {
  test('whose past is still being learned say so', () => {
    const textOf = (shown: SiteAnswer) => stripVTControlCharacters(renderSites([shown]));
    expect(textOf(site)).toMatch(/ 100 /);
    expect(textOf({ ...site, learning: true })).toMatch(/ 100, learning /);
  });

  test('that seem to be down say why, a reason a line', () => {
    const explanation = 'it has not answered 5 looks in 20 min: connection refused';
    const evidence = [{ sign: 'UNREACHABLE', sinceAt: '2026-11-20T13:40:00.000Z', explanation }];
    const downTime = { suspendedAt: '2026-11-20T14:00:00.000Z', evidence };
    const text = stripVTControlCharacters(
      renderSites([site, { ...site, name: 'birch', state: 'SUSPENDED', downTime }]),
    );
    expect(text).toMatch(/birch\s+suspended/);
    expect(text).toMatch(/birch seems to be down since .*: it has not answered 5 looks/);
    expect(text).not.toMatch(/alder seems/);
  });

  test('show the age of the facts and the promises kept', () => {
    const text = stripVTControlCharacters(
      renderSites([site, { ...site, name: 'birch', ageSeconds: null, stale: true }]),
    );
    expect(text).toMatch(/alder\s+active\s+64\s+48\s+3\s+5\s+2\s+100\s+30 s ago\s+3 of 4/);
    expect(text).toMatch(/birch\s+active, stale.*never/);
  });

  test('say which queues are closed and why, and what is set aside', () => {
    const limits = { isDefault: false, maxProcessors: 64, maxWalltimeSeconds: 3600, usableProcessors: 48 };
    const open = { ...limits, name: 'batch', isDefault: true, bar: null, barredTerm: null, unusableBecause: null };
    const queues = [
      open,
      { ...open, ...limits, name: 'short', bar: 'DOWN', unusableBecause: 'its state is DOWN' },
      { ...open, ...limits, name: 'theirs', bar: 'FORBIDDEN', unusableBecause: 'it takes no jobs of account phys' },
      {
        ...open,
        ...limits,
        name: 'vip',
        bar: 'FORBIDDEN',
        barredTerm: 'qos' as const,
        unusableBecause: 'no jobs of QOS normal',
      },
    ];
    const [startAt, endAt] = ['2026-11-21T08:00:00.000Z', '2026-11-21T12:00:00.000Z'];
    const maintenance = [{ startAt, endAt, processors: null, reason: 'maintenance service' }];
    const list = stripVTControlCharacters(renderSites([{ ...site, queues, maintenance }]));
    expect(list.split('\n').slice(2)).toEqual([
      'alder: queue short starts no jobs: its state is DOWN',
      'alder: queue theirs takes none of our jobs: it takes no jobs of account phys',
      'alder: queue vip takes none of our jobs that name no QOS of their own: no jobs of QOS normal',
      'alder: all processors are set aside from 2026-11-21T08:00:00Z to 2026-11-21T12:00:00Z (maintenance service)',
    ]);
    const shown = stripVTControlCharacters(
      renderSite({ ...site, queues, maintenance, loadForecast: null, ioForecast: null }),
    );
    expect(shown).toMatch(/^processors +64, 48 in service, 3 free$/m);
    expect(shown).toMatch(/^maintenance +all processors from 2026-11-21T08:00:00Z to .* \(maintenance service\)$/m);
    expect(shown).toMatch(/^batch \(default\) +64 +48 +1 h +may start$/m);
    expect(shown).toMatch(/^short +64 +48 +1 h +starts no jobs: its state is DOWN$/m);
  });

  test('with many closed queues name a few and where the others are shown', () => {
    const closed = {
      name: 'q',
      isDefault: false,
      maxProcessors: null,
      maxWalltimeSeconds: null,
      usableProcessors: null,
    };
    const queues = Array.from({ length: 9 }, () => ({
      ...closed,
      bar: 'DOWN',
      barredTerm: null,
      unusableBecause: null,
    }));
    const lines = stripVTControlCharacters(renderSites([{ ...site, queues }])).split('\n');
    expect(lines).toHaveLength(6);
    expect(lines.at(-1)).toBe('alder: 6 more closed queues, see `gridcast sites show alder`');
    expect(renderSite({ ...site, queues: [], loadForecast: null, ioForecast: null })).toContain(
      'its queues are not known yet',
    );
  });

  test('show admins the load of the coming hours', () => {
    const slot = { startsAt: '2026-11-21T08:00:00.000Z', sampleSize: 400, processors: 12.34, median: 8, bound: null };
    const loadForecast = { predictor: 'load/gridcast', slots: [slot] };
    const shown = stripVTControlCharacters(renderSite({ ...site, loadForecast, ioForecast: null }));
    expect(shown).toMatch(/^2026-11-21T08:00:00Z +12\.3 +8 +- +400$/m);
    const unknown = { ...loadForecast, slots: [{ ...slot, processors: null, sampleSize: 0 }] };
    expect(renderSite({ ...site, loadForecast: unknown, ioForecast: null })).toContain('nothing is known yet');
    expect(renderSite({ ...site, loadForecast: null, ioForecast: null })).not.toContain('processors asked for');
  });

  test('show admins the IO of the coming hours, an hour a line', () => {
    const slots = Array.from({ length: 24 }, (_, slot) => ({
      startsAt: new Date(Date.UTC(2026, 10, 21, 8, 5 * slot)).toISOString(),
      readBytesPerSecond: 2e6,
      writtenBytesPerSecond: slot === 13 ? 1.2e9 : 0,
      isBurst: slot === 13,
    }));
    const ioForecast = { ageSeconds: 30, burstBytesPerSecond: 5e7, jobs: 7, slots };
    const shown = stripVTControlCharacters(renderSite({ ...site, loadForecast: null, ioForecast }));
    expect(shown).toContain('IO by 7 jobs as seen 30 s ago; a burst exceeds 50.0 MB per second');
    expect(shown).toMatch(/^2026-11-21T09:00:00Z +2.00 MB +100 MB +1$/m);
  });

  test('without any, say how to get one', () => {
    expect(renderSites([])).toContain('gridcast sites register');
  });
});

test('a plan marks the winner and gives every reason', () => {
  const candidate = (name: string, explanation: string, lostBecause: string | null) => ({
    site: { name },
    queue: null,
    responseSeconds: 3600,
    costProcessorSeconds: 7200,
    lostBecause,
    explanation,
    forecast: null,
  });
  const plan: PlanAnswer = {
    madeAt: '',
    submitAt: '',
    chosen: { site: { name: 'birch' } },
    candidates: [candidate('alder', 'too slow', 'SLOWER'), candidate('birch', 'fastest', null)],
  };
  const lines = stripVTControlCharacters(renderPlan(plan)).split('\n');
  expect(lines[1]).toMatch(/^ {2}alder .*2\.0 processor-h\s+too slow$/);
  expect(lines[2]).toMatch(/^> birch .*fastest$/);
});

describe('a trajectory', () => {
  test('is as wide as the terminal allows, with the chosen moment under its point', () => {
    const points = trajectory(720);
    const chosen = points[360] as PointAnswer;
    const text = stripVTControlCharacters(renderTrajectory(points, chosen.submitAt, new Date(START).toISOString()));
    const lines = text.split('\n');
    expect(lines.every((line) => line.length <= 80)).toBe(true);
    expect(text).toContain('50 % when submitted 3 h before');
    expect(text).toContain('submitted 6 h before');
    const arrow = lines.find((line) => line.includes('▲'))?.indexOf('▲') ?? 0;
    const axis = lines[0]?.search(/[┼┤]/) ?? 0;
    expect(arrow - axis).toBeGreaterThan(25);
    expect(arrow - axis).toBeLessThan(36);
  });

  test('of a moment that has almost come says so', () => {
    expect(renderTrajectory(trajectory(1), null, new Date(START).toISOString())).toContain('no submission time');
  });

  test('without a chosen moment has no mark', () => {
    expect(renderTrajectory(trajectory(10), null, new Date(START).toISOString())).not.toContain('▲');
  });
});
