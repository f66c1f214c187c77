import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { WaitForecast } from '../../../src/domain/forecast.ts';
import type { CandidateSite, PlanRequest } from '../../../src/domain/plan.ts';
import { choosePlan as choose } from '../../../src/plan/choose.ts';
import { type ForecastOption, optionsOf, queueFor } from '../../../src/plan/job/options.ts';
import { forecastOf } from './forecast-fixture.ts';

const NOW = 5000;
const request: PlanRequest = { processors: 8, walltimeSeconds: 3600, queue: null, deadlineAt: null };
const wait = (seconds: number) => forecastOf(() => seconds);

function site(siteId: string, changes: Partial<CandidateSite> = {}): CandidateSite {
  const queues = [
    { name: 'short', isDefault: false, maxProcessors: 4, maxWalltimeSeconds: 600 },
    { name: 'batch', isDefault: true, maxProcessors: 64, maxWalltimeSeconds: 86_400 },
  ];
  return { siteId, name: `site ${siteId}`, state: 'ACTIVE', processors: 128, queues, observedAt: NOW - 10, ...changes };
}

/** Chooses among the sites, in the queue that the job goes to unasked at each. */
function choosePlan(
  asked: PlanRequest,
  sites: readonly { site: CandidateSite; forecast: WaitForecast | null }[],
  now: number,
  staleAfterSeconds: number,
) {
  const options = sites.flatMap(({ site: one, forecast }) =>
    optionsOf(asked, [one], now)
      .slice(0, 1)
      .map((option) => ({ ...option, forecast })),
  );
  return choose(asked, options, now, staleAfterSeconds);
}

test('the smallest predicted response wins, the others say by how much they lost', () => {
  const plan = choosePlan(
    request,
    [
      { site: site('a'), forecast: wait(900) },
      { site: site('b'), forecast: wait(100) },
    ],
    NOW,
    300,
  );
  expect(plan).toMatchObject({
    madeAt: NOW,
    submitAt: NOW,
    chosen: { siteId: 'b', responseSeconds: 3700, queue: 'batch' },
  });
  expect(plan.candidates.map((candidate) => candidate.lostBecause)).toEqual(['SLOWER', null]);
  expect(plan.candidates[0]?.explanation).toBe(
    'predicted response 1 h 15 m, against 1 h 1 m at site b; the chosen one ends first with probability 1',
  );
  expect(plan.candidates[1]).toBe(plan.chosen);
  expect(plan.chosen?.costProcessorSeconds).toBe(8 * 3600);
});

test('a difference that is not seen in the words is told in others', () => {
  const [b, a] = [site('b'), site('a')];
  const plan = choosePlan(
    request,
    [a, b].map((one, index) => ({ site: one, forecast: wait(80_001 - index) })),
    NOW,
    300,
  );
  expect(plan.candidates.map(({ explanation }) => explanation)).toEqual([
    'predicted response 23 h 13 m, a little more than at site b; the chosen one ends first with probability 1',
    'site b has the smallest predicted response, 23 h 13 m',
  ]);
});

test('ties go to the smaller site id, whatever the order', () => {
  const candidates = ['c', 'a', 'b'].map((id) => ({ site: site(id), forecast: wait(60) }));
  expect(choosePlan(request, candidates, NOW, 300).chosen?.siteId).toBe('a');
  expect(choosePlan(request, candidates.toReversed(), NOW, 300).chosen?.siteId).toBe('a');
});

describe('a site cannot take the request', () => {
  test.each([
    ['DRAINING', site('a', { state: 'DRAINING' }), request, /draining/],
    ['SUSPENDED', site('a', { state: 'SUSPENDED' }), request, /suspended/],
    [
      'SUSPENDED',
      site('a', { state: 'SUSPENDED', downSigns: [{ sign: 'UNREACHABLE', sinceAt: NOW - 1200 }] }),
      request,
      /site a has not answered since \d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ, 20 m ago/,
    ],
    [
      'SUSPENDED',
      site('a', { state: 'SUSPENDED', downSigns: [{ sign: 'NO_STARTS', sinceAt: NOW - 60 }] }),
      request,
      /jobs wait at site a and none has started since .*Z, 1 m ago/,
    ],
    ['UNKNOWN_QUEUE', site('a'), { ...request, queue: 'debug' }, /no queue debug; it has short, batch/],
    [
      'TOO_LARGE',
      site('a'),
      { ...request, processors: 65 },
      /65 processors asked for, queue batch of site a allows 64/,
    ],
    ['TOO_LARGE', site('a', { queues: [] }), { ...request, processors: 129 }, /site a has 128/],
    [
      'TOO_LARGE',
      site('a', {
        queues: [{ name: 'gpu', isDefault: true, maxProcessors: null, maxWalltimeSeconds: null, processors: 32 }],
      }),
      { ...request, processors: 33 },
      /33 processors asked for, queue gpu of site a has 32/,
    ],
    ['WALLTIME_BEYOND_LIMIT', site('a'), { ...request, walltimeSeconds: 90_000 }, /^1 d 1 h of walltime.*allows 1 d$/],
    ['NEVER_OBSERVED', site('a', { observedAt: null }), request, /never observed/],
    ['STALE', site('a', { observedAt: NOW - 301 }), request, /5 m 1 s ago, facts count for 5 m$/],
    [
      'MISSES_DEADLINE',
      site('a'),
      { ...request, deadlineAt: NOW + 3700 },
      /1 h 5 m from now, the deadline is in 1 h 1 m/,
    ],
  ] as const)('%s', (reason, candidate, asked, explanation) => {
    const plan = choosePlan(asked, [{ site: candidate, forecast: wait(300) }], NOW, 300);
    expect(plan.chosen).toBeNull();
    expect(plan.candidates[0]?.lostBecause).toBe(reason);
    expect(plan.candidates[0]?.explanation).toMatch(explanation);
  });
});

test('a queue that is asked for by name is judged by its own limits', () => {
  const asked = { ...request, queue: 'short', processors: 2, walltimeSeconds: 600 };
  expect(choosePlan(asked, [{ site: site('a'), forecast: wait(0) }], NOW, 300).chosen?.queue).toBe('short');
  const tooLong = choosePlan({ ...asked, walltimeSeconds: 601 }, [{ site: site('a'), forecast: wait(0) }], NOW, 300);
  expect(tooLong.candidates[0]?.lostBecause).toBe('WALLTIME_BEYOND_LIMIT');
});

test('a site without history is taken only when nothing else can be, and never for a deadline', () => {
  const unknown = { site: site('a'), forecast: wait(Number.POSITIVE_INFINITY) };
  const slow = { site: site('b'), forecast: wait(1e6) };
  expect(choosePlan(request, [unknown, slow], NOW, 300).chosen?.siteId).toBe('b');
  expect(choosePlan(request, [unknown], NOW, 300).chosen).toMatchObject({ siteId: 'a', responseSeconds: null });
  expect(choosePlan(request, [{ ...unknown, forecast: null }], NOW, 300).chosen?.siteId).toBe('a');
  const hurried = choosePlan({ ...request, deadlineAt: NOW + 1e9 }, [unknown], NOW, 300);
  expect(hurried.candidates[0]?.explanation).toMatch(/cannot be predicted yet/);
  expect(hurried.chosen).toBeNull();
});

test('the default queue is the one marked, else the first, else none', () => {
  expect(queueFor(request, site('a'))?.name).toBe('batch');
  const unmarked = site('a').queues.map((queue) => ({ ...queue, isDefault: false }));
  expect(queueFor(request, site('a', { queues: unmarked }))?.name).toBe('short');
  expect(queueFor(request, site('a', { queues: [] }))).toBeNull();
});

test('every site appears once, exactly the winner has not lost, and no eligible site would have been faster', () => {
  const candidate = fc.record({ wait: fc.integer({ min: 0, max: 5000 }), age: fc.integer({ min: 0, max: 600 }) });
  fc.assert(
    fc.property(fc.array(candidate, { maxLength: 8 }), (drawn) => {
      const candidates = drawn.map((one, i) => ({
        site: site(`s${i}`, { observedAt: NOW - one.age }),
        forecast: wait(one.wait),
      }));
      const plan = choosePlan(request, candidates, NOW, 300);
      expect(plan.candidates.map((one) => one.siteId)).toEqual(candidates.map((one) => one.site.siteId));
      expect(plan.candidates.filter((one) => one.lostBecause === null)).toEqual(plan.chosen ? [plan.chosen] : []);
      const fastest = Math.min(...drawn.filter((one) => one.age <= 300).map((one) => one.wait + 3600));
      expect(plan.chosen?.responseSeconds ?? Number.POSITIVE_INFINITY).toBe(fastest);
    }),
  );
});

describe('among several options', () => {
  const at = (siteId: string, changes: Partial<ForecastOption> = {}): ForecastOption => {
    const [option] = optionsOf(request, [site(siteId)], NOW);
    if (!option) throw new Error('no option');
    return { ...option, forecast: wait(600), ...changes };
  };

  test('of one site, size and walltime decide by when the job ends, and the loser says what was better', () => {
    const wide = at('a', { processors: 16, walltimeSeconds: 1800, forecast: wait(1200) });
    const plan = choose(request, [at('a'), wide], NOW, 300);
    expect(plan.chosen).toMatchObject({ processors: 16, walltimeSeconds: 1800, responseSeconds: 3000, queue: 'batch' });
    expect(plan.chosen?.charge.neededProcessorSeconds).toBe(16 * 1800);
    expect(plan.candidates.map(({ lostBecause }) => lostBecause)).toEqual(['SLOWER', null]);
    expect(plan.candidates[0]?.explanation).toBe(
      'predicted response 1 h 10 m, against 50 m with 16 processors for 30 m in queue batch, submitted at 1970-01-01T01:23:20Z; the chosen one ends first with probability 1',
    );
  });

  test('a later submission counts the time until then, and its plan says when', () => {
    const later = at('a', { submitAt: NOW + 1800, forecast: wait(0) });
    expect(choose(request, [at('a'), later], NOW, 300)).toMatchObject({ submitAt: NOW });
    const plan = choose(request, [at('a', { forecast: wait(2000) }), later], NOW, 300);
    expect(plan).toMatchObject({ submitAt: NOW + 1800, chosen: { submitAt: NOW + 1800, responseSeconds: 5400 } });
    const hurried = { ...request, deadlineAt: NOW + 5000 };
    expect(choose(hurried, [later], NOW, 300).candidates[0]?.lostBecause).toBe('MISSES_DEADLINE');
  });

  test('each is judged by its own queue, size and walltime', () => {
    const short = at('a', { queue: 'short' });
    const fits = at('a', { queue: 'short', processors: 4, walltimeSeconds: 600 });
    const plan = choose(request, [short, fits, at('a', { processors: 100 })], NOW, 300);
    expect(plan.candidates.map(({ lostBecause }) => lostBecause)).toEqual(['TOO_LARGE', null, 'TOO_LARGE']);
    expect(plan.chosen?.queue).toBe('short');
  });

  test('of equals at one site the cheaper wins, then the earlier submitted', () => {
    const dear = at('a', { processors: 16 });
    expect(choose(request, [dear, at('a')], NOW, 300).chosen?.processors).toBe(8);
    const early = at('a', { forecast: wait(700) });
    const late = at('a', { submitAt: NOW + 100 });
    expect(choose(request, [late, early], NOW, 300).chosen?.submitAt).toBe(NOW);
  });
});

test('every queue of a site is thought of, the one that takes the job first, and only the one that is named', () => {
  const sites = [site('a'), site('b', { queues: [] })];
  const common = { processors: 8, walltimeSeconds: 3600, submitAt: NOW };
  expect(optionsOf(request, sites, NOW)).toEqual([
    { site: sites[0], queue: 'batch', ...common },
    { site: sites[0], queue: 'short', ...common },
    { site: sites[1], queue: null, ...common },
  ]);
  expect(optionsOf({ ...request, queue: 'debug' }, sites, NOW).map(({ queue }) => queue)).toEqual(['debug', 'debug']);
});
