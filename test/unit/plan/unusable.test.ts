import { describe, expect, test } from 'vitest';
import type { CandidateSite } from '../../../src/domain/plan.ts';
import { choosePlan } from '../../../src/plan/choose.ts';
import { findIneligibility } from '../../../src/plan/job/ineligible.ts';
import { optionsOf, queueFor } from '../../../src/plan/job/options.ts';
import { earliestSubmission, putOff, reasonsOf } from '../../../src/plan/unusable.ts';
import { forecastOf } from './forecast-fixture.ts';

const NOW = 1_700_000_000;
const site: CandidateSite = {
  siteId: 'a',
  name: 'east',
  state: 'ACTIVE',
  processors: 16,
  queues: [{ name: 'batch', isDefault: true, maxProcessors: null, maxWalltimeSeconds: null }],
  observedAt: NOW,
};
const job = { processors: 12, walltimeSeconds: 3600, queue: null, deadlineAt: null };
const promise = { ...job, startAt: NOW + 600 };
const reasonOf = (request: typeof job & { startAt?: number }, change: Partial<CandidateSite>) =>
  findIneligibility(request, { ...site, ...change }, NOW, 60)?.reason ?? null;

describe('what a site says against a request for now', () => {
  test.each([
    ['DOWN', 'QUEUE_DOWN'],
    ['FORBIDDEN', 'QUEUE_FORBIDDEN'],
  ] as const)('a queue that is %s', (bar, reason) => {
    const [batch] = site.queues;
    expect(reasonOf(job, { queues: batch ? [{ ...batch, bar, unusableBecause: 'because' }] : [] })).toBe(reason);
  });

  test('a queue for jobs of a QOS that one has to ask for', () => {
    const [batch] = site.queues;
    const bar = { bar: 'FORBIDDEN', barredTerm: 'qos', unusableBecause: 'it takes no jobs of QOS normal' } as const;
    const queues = batch ? [{ ...batch, name: 'vip', isDefault: false, ...bar }] : [];
    expect(findIneligibility({ ...job, queue: 'vip' }, { ...site, queues }, NOW, 60)).toEqual({
      reason: 'QUEUE_FORBIDDEN',
      explanation:
        'queue vip of east takes none of our jobs that name no QOS of their own: it takes no jobs of QOS normal',
    });
    const at = { ...site, honours: ['qos', 'account'] as const, queues };
    const reasonOn = (asked: object) => findIneligibility({ ...job, queue: 'vip', ...asked }, at, NOW, 60)?.reason;
    expect(reasonOn({ terms: { account: 'physics' } })).toBe('QUEUE_FORBIDDEN');
    expect(reasonOn({ terms: { qos: 'urgent' } })).toBeUndefined();
    expect(reasonOn({ sites: [{ siteId: 'a', qos: 'urgent' }] })).toBeUndefined();
    const withDefault = [...site.queues.map((queue) => ({ ...queue, isDefault: false })), ...queues].reverse();
    expect(queueFor(job, { ...site, queues: withDefault })?.name).toBe('batch');
    expect(queueFor({ ...job, terms: { qos: 'urgent' } }, { ...site, queues: withDefault })?.name).toBe('vip');
  });

  test('fewer processors in service than asked for', () => {
    expect(reasonOf(job, { usableProcessors: 8 })).toBe('TOO_FEW_USABLE');
    expect(reasonOf(job, { usableProcessors: 12 })).toBeNull();
  });

  test('fewer processors in service in its queue than asked for, though the site has more', () => {
    const [batch] = site.queues;
    const queues = (usableProcessors: number) => (batch ? [{ ...batch, usableProcessors }] : []);
    const found = findIneligibility(job, { ...site, usableProcessors: 16, queues: queues(8) }, NOW, 60);
    expect(found).toEqual({
      reason: 'TOO_FEW_USABLE',
      explanation: '12 processors asked for, queue batch of east has 8 in service',
    });
    expect(reasonOf(job, { usableProcessors: 16, queues: queues(12) })).toBeNull();
  });

  test.each([
    [1, 1, null],
    [1, 0, 'queue batch of east cannot run it for now: of those in service alone, none of its nodes has GPUs'],
    [2, 1, null],
    [0, 0, 'queue batch of east cannot run it for now: none of its nodes is in service'],
    [undefined, undefined, null],
  ])('%s plain nodes and %s with GPUs in service, asked for two GPUs', (plain, gpu, explanation) => {
    const node = { count: 2, processors: 8, memoryMebibytes: null, features: [] };
    const nodeShapes = [
      { ...node, gpus: [], ...(plain !== undefined && { inService: plain }) },
      { ...node, gpus: [{ kind: null, count: 2 }], ...(gpu !== undefined && { inService: gpu }) },
    ];
    const request = { ...job, processors: 4, resources: { gpus: 2 } };
    const found = findIneligibility(request, { ...site, nodeShapes, honours: ['gpus'] }, NOW, 60);
    expect(found).toEqual(explanation === null ? null : { reason: 'TOO_FEW_USABLE', explanation });
  });

  test('of nodes that are partly out of service as many count as are there', () => {
    const nodeShapes = [{ count: 3, inService: 2, processors: 8, memoryMebibytes: null, gpus: [], features: [] }];
    const there = { nodeShapes, processors: 24, honours: ['nodes' as const] };
    const find = (nodes: number) => {
      return findIneligibility({ ...job, processors: nodes, resources: { nodes } }, { ...site, ...there }, NOW, 60);
    };
    expect(find(2)).toBeNull();
    expect(find(3)?.explanation).toContain('of those in service alone, 3 nodes asked for, 2 of its nodes are like');
    expect(find(4)?.reason, 'what will never pass comes first').toBe('LACKS_RESOURCES');
  });

  test.each([
    ['in the middle of the work', { startAt: NOW + 4000, endAt: NOW + 9000, processors: null }, true],
    ['over the start', { startAt: NOW + 60, endAt: NOW + 601, processors: null }, true],
    ['over before the start', { startAt: NOW + 60, endAt: NOW + 600, processors: null }, false],
    ['after the end of the work', { startAt: NOW + 4200, endAt: NOW + 9000, processors: null }, false],
    ['over', { startAt: NOW - 600, endAt: NOW, processors: null }, false],
    ['of a part that leaves enough', { startAt: NOW + 4000, endAt: NOW + 9000, processors: 4 }, false],
    ['of a part that leaves too little', { startAt: NOW + 4000, endAt: NOW + 9000, processors: 5 }, true],
  ] as const)('nothing is promised into a maintenance: %s', (_, window, isMet) => {
    const maintenance = [{ ...window, reason: 'maintenance' }];
    expect(reasonOf(promise, { maintenance })).toBe(isMet ? 'MAINTENANCE' : null);
    expect(reasonOf(job, { maintenance })).toBeNull();
  });

  test('windows at the same time take their processors together, one after the other they do not', () => {
    const window = { startAt: NOW + 700, endAt: NOW + 900, processors: 3, reason: 'maintenance' };
    const later = { ...window, startAt: NOW + 900, endAt: NOW + 1200 };
    expect(reasonOf(promise, { maintenance: [window, window] })).toBe('MAINTENANCE');
    expect(reasonOf(promise, { maintenance: [window, later] })).toBeNull();
  });
});

describe('a window over some nodes', () => {
  const [batch] = site.queues;
  const queues = batch
    ? [
        { ...batch, processors: 16 },
        { ...batch, name: 'gpu', isDefault: false, processors: 8 },
      ]
    : [];
  const window = {
    startAt: NOW + 700,
    endAt: NOW + 900,
    processors: 6,
    reason: 'maintenance',
    queues: { gpu: 6, batch: 6 },
  };
  const east = { ...site, queues, maintenance: [window] };
  const size = { processors: 4, walltimeSeconds: 600, deadlineAt: null, startAt: NOW + 600 };

  test('leaves too little of a queue that has most of them, though the site has enough', () => {
    expect(findIneligibility({ ...size, queue: 'batch' }, east, NOW, 60)).toBeNull();
    expect(findIneligibility({ ...size, queue: 'gpu' }, east, NOW, 60)).toMatchObject({
      reason: 'MAINTENANCE',
      explanation: expect.stringContaining('6 processors aside, 6 of them of queue gpu, from'),
    });
    expect(findIneligibility({ ...size, processors: 2, queue: 'gpu' }, east, NOW, 60)).toBeNull();
    const untold = { ...east, queues: queues.map((queue) => ({ ...queue, processors: null })) };
    expect(findIneligibility({ ...size, queue: 'gpu' }, untold, NOW, 60)).toBeNull();
  });

  test('takes its part of a queue together with others at the same time', () => {
    const other = { ...window, processors: 1, queues: { gpu: 1 } };
    const both = { ...east, maintenance: [window, other] };
    expect(findIneligibility({ ...size, processors: 2, queue: 'gpu' }, both, NOW, 60)).toMatchObject({
      reason: 'MAINTENANCE',
    });
  });

  test('puts off the jobs of that queue, and its promises are handed over after it', () => {
    expect(putOff({ ...size, queue: 'gpu' }, east, NOW + 600)).toMatchObject({ startAt: NOW + 900, window });
    expect(putOff({ ...size, queue: 'batch' }, east, NOW + 600)).toBeNull();
    const after = { ...size, startAt: NOW + 1000 };
    expect(earliestSubmission({ ...after, queue: 'gpu' }, east, NOW)).toBe(NOW + 900);
    expect(earliestSubmission({ ...after, queue: 'batch' }, east, NOW)).toBe(NOW);
  });
});

describe('the queue of those who name none', () => {
  const open = { name: 'open', isDefault: false, maxProcessors: null, maxWalltimeSeconds: null };
  const closed = { ...open, name: 'closed', bar: 'DOWN' } as const;
  test('is none in which nothing of ours starts, unless that is the default', () => {
    expect(queueFor(job, { ...site, queues: [closed, open] })?.name).toBe('open');
    expect(queueFor(job, { ...site, queues: [{ ...closed, isDefault: true }, open] })?.name).toBe('closed');
    expect(reasonOf(job, { queues: [{ ...closed, isDefault: true }, open] })).toBe('QUEUE_DOWN');
    expect(reasonOf(job, { queues: [closed] })).toBe('QUEUE_DOWN');
  });
});

describe('what waits for the end of a maintenance', () => {
  const window = { startAt: NOW + 60, endAt: NOW + 300, processors: null, reason: 'maintenance' };
  const under = { ...site, maintenance: [window] };

  test('a promise is handed over only after the windows before its start', () => {
    expect(earliestSubmission(promise, site, NOW)).toBe(NOW);
    expect(earliestSubmission(promise, under, NOW)).toBe(NOW + 300);
    const again = { ...window, startAt: NOW + 290, endAt: NOW + 500 };
    expect(earliestSubmission(promise, { ...site, maintenance: [again, window] }, NOW)).toBe(NOW + 500);
    expect(
      earliestSubmission({ ...promise, processors: 4 }, { ...site, maintenance: [{ ...window, processors: 4 }] }, NOW),
    ).toBe(NOW);
  });

  test('a job that could not end before it starts after it', () => {
    expect(putOff(job, under, NOW)).toMatchObject({ startAt: NOW + 300, window });
    expect(putOff({ ...job, walltimeSeconds: 60 }, under, NOW)).toBeNull();
    expect(putOff(job, under, NOW + 300)).toBeNull();
  });

  test('such a job goes elsewhere where it ends earlier, and stays where it does not', () => {
    const forecast = (waitSeconds: number) => forecastOf(() => waitSeconds);
    const choose = (waitElsewhere: number) => {
      const waits = [0, waitElsewhere];
      const options = optionsOf(job, [under, { ...site, siteId: 'b', name: 'west' }], NOW);
      const forecasts = options.map((option, n) => ({ ...option, forecast: forecast(waits[n] ?? Number.NaN) }));
      return choosePlan(job, forecasts, NOW, 60);
    };
    const away = choose(200);
    expect(away.chosen?.siteName).toBe('west');
    expect(away.candidates[0]).toMatchObject({ lostBecause: 'MAINTENANCE', responseSeconds: 3900 });
    expect(away.candidates[0]?.explanation).toContain('(maintenance)');
    const stays = choose(400);
    expect(stays.chosen).toMatchObject({ siteName: 'east', responseSeconds: 3900 });
    expect(stays.chosen?.explanation).toContain('(maintenance)');
  });
});

test('reasons that differ by less than a minute of their moments are told once, with the last, to the second', () => {
  const full = (moment: string) => `east is full; none is handed there until 2026-11-28T${moment}Z, it says`;
  expect(reasonsOf([full('13:05:36.123'), full('13:05:36.877'), full('13:05:41.002'), full('13:05:40')])).toBe(
    full('13:05:41'),
  );
  expect(reasonsOf([full('13:05:36.123'), full('14:05:36.123')])).toBe(
    `${full('13:05:36.123')}; ${full('14:05:36.123')}`,
  );
  expect(reasonsOf([full('13:05:36'), full('13:05:36').replace('east', 'west')])).toContain('; west is full');
  expect(reasonsOf([full('13:05:36'), full('99:99:99')])).toContain('99:99:99');
});

test('reasons are told once each, and no more than twenty of them', () => {
  expect(reasonsOf(['full', 'down', 'full'])).toBe('full; down');
  const many = Array.from({ length: 25 }, (_, i) => `q${i}`);
  expect(reasonsOf([...many, ...many])).toMatch(/^q0; .*; q19; and 5 more$/);
});
