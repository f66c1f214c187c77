import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { LiveRuntimeForecast } from '../../../../src/domain/forecast.ts';
import type { OwnSize, SizeChoice } from '../../../../src/domain/job-sizes.ts';
import type { CandidateSite, PlanRequest } from '../../../../src/domain/plan.ts';
import { choosePlan } from '../../../../src/plan/choose.ts';
import { withRuntime } from '../../../../src/plan/job/molding.ts';
import {
  type ForecastOption,
  MOST_OPTIONS,
  MOST_QUEUES,
  optionsOf,
  type ProposedOption,
} from '../../../../src/plan/job/options.ts';
import { sizesInRange } from '../../../../src/plan/job/sizes.ts';
import { forecastOf } from '../forecast-fixture.ts';

const NOW = 5000;
const STALE = 300;
const AMDAHL = { kind: 'AMDAHL', serialShare: 0.1 } as const;
const request: PlanRequest = { processors: 8, walltimeSeconds: 3600, queue: null, deadlineAt: null };
const molded = (processors: number[], changes: Partial<SizeChoice> = {}): PlanRequest => {
  return { ...request, sizes: { processors, fromHistory: false, speedup: AMDAHL, ...changes } };
};

const queue = (name: string, changes: object = {}) => {
  return { name, isDefault: name === 'batch', maxProcessors: 64, maxWalltimeSeconds: 86_400, ...changes };
};

function site(siteId: string, changes: Partial<CandidateSite> = {}): CandidateSite {
  const queues = [queue('short', { maxWalltimeSeconds: 1800 }), queue('batch'), queue('long')];
  return { siteId, name: `site ${siteId}`, state: 'ACTIVE', processors: 128, queues, observedAt: NOW - 10, ...changes };
}

function runtime(seconds: number, sampleSize = 50): LiveRuntimeForecast {
  const { quantileSeconds, pointSeconds } = forecastOf((percent) => seconds * (0.5 + percent / 100));
  return { predictor: 'test', version: '1', madeAt: NOW, observedAt: NOW, sampleSize, pointSeconds, quantileSeconds };
}

/** As the forecaster would: the wait is a function of the option, the runtime that of the stated size. */
function forecast(
  asked: PlanRequest,
  options: readonly ProposedOption[],
  waitOf: (option: ProposedOption) => number,
  runSeconds = 2400,
): ForecastOption[] {
  return options.map((option) => {
    const made = withRuntime(option, asked, runtime(runSeconds));
    const wait = waitOf(made);
    return { ...made, forecast: forecastOf((percent) => (wait * percent) / 50) };
  });
}

const own = (processors: number, medianRunSeconds: number, changes: Partial<OwnSize> = {}): OwnSize => {
  return { processors, jobs: 5, medianRunSeconds, longestWalltimeSeconds: 7200, user: 'me', ...changes };
};

describe('options', () => {
  test('every queue of a site is one, the usual one first, then those that admit the job, best known first', () => {
    const known = { batch: 5, long: 2, short: 90, wide: 30 };
    const queues = [...site('a').queues, queue('wide'), queue('shut', { bar: 'DOWN' })];
    const options = optionsOf(request, [site('a', { queues, knownWaits: known })], NOW);
    expect(options.map((option) => option.queue)).toEqual(['batch', 'wide', 'long', 'short', 'shut']);
    expect(options.filter(({ isUntried }) => isUntried).map((option) => option.queue)).toEqual(['long', 'shut']);
  });

  test('a queue that is named for a site is the only one there', () => {
    const asked = { ...request, sites: [{ siteId: 'a', queue: 'long' }] };
    const options = optionsOf(asked, [site('a'), site('b')], NOW);
    expect(options.filter((option) => option.site.siteId === 'a').map((option) => option.queue)).toEqual(['long']);
    expect(options.filter((option) => option.site.siteId === 'b')).toHaveLength(3);
    const plan = choosePlan(
      asked,
      forecast(asked, options, () => 60),
      NOW,
      STALE,
    );
    expect(plan.chosen).toMatchObject({ siteId: 'a', queue: 'long' });
  });

  test('what is left out of many queues is told once, by name', () => {
    const queues = Array.from({ length: 12 }, (_, n) => queue(`q${String(n).padStart(2, '0')}`));
    const options = optionsOf(request, [site('a', { queues })], NOW);
    expect(options).toHaveLength(MOST_QUEUES + 1);
    expect(options.at(-1)?.ruledOut).toEqual({
      reason: 'NOT_COMPARED',
      explanation:
        '4 more queues of site a are not compared (q08, q09, q10, q11), only the 8 best known; name one to have it',
    });
  });

  test('a site that is asked of a thousand gets its stated size at least', () => {
    const sites = Array.from({ length: 600 }, (_, n) => site(`s${n}`));
    const options = optionsOf(molded([2, 4, 16]), sites, NOW);
    const compared = options.filter(({ ruledOut }) => !ruledOut);
    expect(compared).toHaveLength(600);
    expect(compared.every(({ processors, queue: name }) => processors === 8 && name === 'batch')).toBe(true);
    expect(options.find(({ ruledOut, processors }) => ruledOut && processors !== 8)?.ruledOut?.explanation).toMatch(
      /only the 1 nearest to the stated one are compared at site s0, not 2, 4, 16/,
    );
  });
});

test('sizes of a range', () => {
  expect(sizesInRange(3, 40, 'POWERS_OF_TWO', 16)).toEqual([4, 8, 16, 32]);
  expect(sizesInRange(1, 1, 'POWERS_OF_TWO', 16)).toEqual([1]);
  expect(sizesInRange(5, 7, 'POWERS_OF_TWO', 16)).toEqual([]);
  expect(sizesInRange(5, 7, 'ALL', 16)).toEqual([5, 6, 7]);
  expect(sizesInRange(1, 2 ** 31 - 1, 'ALL', 16)).toHaveLength(17);
});

describe('a job that may run at several sizes', () => {
  const only = (changes: Partial<CandidateSite> = {}) => [site('a', { queues: [queue('batch')], ...changes })];

  test('is sized by the model, its walltime in the same ratio', () => {
    const asked = molded([16], { speedup: { kind: 'AMDAHL', serialShare: 0 } });
    const options = forecast(asked, optionsOf(asked, only(), NOW), () => 600);
    expect(options.map(({ processors, walltimeSeconds }) => [processors, walltimeSeconds])).toEqual([
      [8, 3600],
      [16, 1800],
    ]);
    expect(options[1]?.runtime).toMatchObject({ predictor: 'runtime/speedup-model', sampleSize: 50 });
    expect(options[1]?.runtime?.pointSeconds).toBeCloseTo((options[0]?.runtime?.pointSeconds ?? 0) / 2, 6);
  });

  test('goes where its gain is largest, and the loser says what was better', () => {
    const asked = molded([16, 64]);
    const options = forecast(asked, optionsOf(asked, only(), NOW), ({ processors }) => (processors === 64 ? 9000 : 60));
    const plan = choosePlan(asked, options, NOW, STALE);
    expect(plan.chosen).toMatchObject({ processors: 16, lostBecause: null });
    expect(plan.chosen?.explanation).toMatch(/^site a has the largest gain, 0\.\d{3}, with 16 processors; predicted/);
    expect(plan.candidates.map(({ lostBecause }) => lostBecause)).toEqual(['LOWER_GAIN', null, 'LOWER_GAIN']);
    expect(plan.candidates[0]?.explanation).toMatch(/^gain 0\.\d{3}, against 0\.\d{3} with 16 processors for/);
  });

  test('sizes and sites are compared on one scale', () => {
    const asked = molded([16]);
    const sites = ['a', 'b'].map((id) => site(id, { queues: [queue('batch')] }));
    const waitOf = ({ site: { siteId }, processors }: ProposedOption) =>
      siteId === 'b' && processors === 16 ? 60 : 4000;
    const plan = choosePlan(asked, forecast(asked, optionsOf(asked, sites, NOW), waitOf), NOW, STALE);
    expect(plan.chosen).toMatchObject({ siteId: 'b', processors: 16 });
    expect(plan.candidates.find(({ siteId }) => siteId === 'a')?.explanation).toMatch(
      /at site b with 16 processors for/,
    );
  });

  test('a size is offered by own history, whatever the model says, and its walltime in the ratio of own runs', () => {
    const ownSizes = [own(8, 1000), own(16, 900)];
    const asked = molded([16], { speedup: { kind: 'AMDAHL', serialShare: 0 } });
    const [stated, wide] = forecast(asked, optionsOf(asked, only({ ownSizes }), NOW), () => 60);
    expect(wide).toMatchObject({ walltimeSeconds: 3240, runtime: { predictor: 'test' } });
    expect(stated?.walltimeSeconds).toBe(3600);
    const alone = molded([16], { speedup: null });
    const [, known] = forecast(alone, optionsOf(alone, only({ ownSizes: [own(16, 900)] }), NOW), () => 60);
    expect(known?.walltimeSeconds).toBe(7200);
  });

  test('sizes of own jobs are thought of where that is asked for', () => {
    const ownSizes = [own(32, 100), own(8, 400), own(12, 200)];
    const sizesAt = (fromHistory: boolean) =>
      optionsOf(molded([16], { fromHistory }), only({ ownSizes }), NOW).map(({ processors }) => processors);
    expect(sizesAt(true)).toEqual([8, 12, 16, 32]);
    expect(sizesAt(false)).toEqual([8, 16]);
  });

  test('a size of which nothing is known is not offered, and says so', () => {
    const asked = molded([16], { speedup: null });
    const plan = choosePlan(
      asked,
      forecast(asked, optionsOf(asked, only(), NOW), () => 60),
      NOW,
      STALE,
    );
    expect(plan.chosen?.processors).toBe(8);
    expect(plan.candidates[1]).toMatchObject({ processors: 16, lostBecause: 'RUNTIME_UNKNOWN' });
    expect(plan.candidates[1]?.explanation).toMatch(/how long it runs on 16 processors at site a: .* speedup model/);
  });

  test('a walltime that a queue does not allow takes the size out, it is not cut short', () => {
    const asked = molded([1], { speedup: { kind: 'AMDAHL', serialShare: 0 } });
    const queues = [queue('batch', { maxWalltimeSeconds: 20_000 })];
    const plan = choosePlan(
      asked,
      forecast(asked, optionsOf(asked, only({ queues }), NOW), () => 60),
      NOW,
      STALE,
    );
    expect(plan.candidates[1]).toMatchObject({
      processors: 1,
      walltimeSeconds: 28_800,
      lostBecause: 'WALLTIME_BEYOND_LIMIT',
    });
  });

  test('an automatic walltime is chosen for every size by its risk', () => {
    const asked = { ...molded([16]), auto: { risk: 0.1, atMostSeconds: null } };
    const [stated, wide] = forecast(asked, optionsOf(asked, only(), NOW), () => 60);
    expect(stated?.walltimeSeconds).toBe(60 * Math.ceil((2400 * 1.4) / 60));
    expect(wide?.walltimeSeconds).toBeLessThan(stated?.walltimeSeconds ?? 0);
    expect((wide?.walltimeSeconds ?? 1) % 60).toBe(0);
  });
});

describe('a queue that nobody named and of which next to nothing is known', () => {
  const barred = [queue('batch', { bar: 'DOWN' }), queue('long')];

  test('is taken only when nothing else can be, and says so', () => {
    const candidates = [site('a', { knownWaits: { batch: 500, long: 3, short: 400 } })];
    const options = forecast(request, optionsOf(request, candidates, NOW), ({ queue: name }) =>
      name === 'long' ? 0 : 900,
    );
    const plan = choosePlan(request, options, NOW, STALE);
    expect(plan.chosen?.queue).toBe('batch');
    const long = plan.candidates.find((candidate) => candidate.queue === 'long');
    expect(long).toMatchObject({ lostBecause: 'QUEUE_UNTRIED', responseSeconds: null });
    const last = [site('a', { queues: barred, knownWaits: {} })];
    expect(
      choosePlan(
        request,
        forecast(request, optionsOf(request, last, NOW), () => 60),
        NOW,
        STALE,
      ).chosen?.queue,
    ).toBe('long');
  });

  test('is never promised on', () => {
    const asked = { ...request, finishBy: { at: NOW + 8000, probability: 0.5 } };
    const candidates = [site('a', { knownWaits: { batch: 500, long: 3 } })];
    const options = forecast(asked, optionsOf(asked, candidates, NOW), () => 60);
    const finish = { probability: 0.9, earliestAt: NOW + 4000 };
    const plan = choosePlan(
      asked,
      options.map((option) => (option.queue === 'long' ? { ...option, finish } : option)),
      NOW,
      STALE,
    );
    expect(plan.chosen).toBeNull();
    expect(plan.candidates.find((one) => one.queue === 'long')?.lostBecause).toBe('MISSES_DEADLINE');
  });

  test('the best known queue wins where it is sooner', () => {
    const candidates = [site('a', { knownWaits: { batch: 500, long: 300 } })];
    const options = forecast(request, optionsOf(request, candidates, NOW), ({ queue: name }) =>
      name === 'long' ? 0 : 900,
    );
    const plan = choosePlan(request, options, NOW, STALE);
    expect(plan.chosen?.queue).toBe('long');
    expect(plan.candidates[0]).toMatchObject({ queue: 'batch', lostBecause: 'SLOWER' });
    expect(plan.candidates[2]).toMatchObject({ queue: 'short', lostBecause: 'WALLTIME_BEYOND_LIMIT' });
  });

  test('of equal queues the usual one is taken', () => {
    const candidates = [site('a', { knownWaits: { batch: 20, long: 300 } })];
    const plan = choosePlan(
      request,
      forecast(request, optionsOf(request, candidates, NOW), () => 60),
      NOW,
      STALE,
    );
    expect(plan.chosen?.queue).toBe('batch');
  });
});

describe('whatever sites, queues and sizes there are', () => {
  const drawnQueue = fc.record({
    name: fc.constantFrom('q0', 'q1', 'q2', 'q3'),
    isDefault: fc.boolean(),
    maxProcessors: fc.option(fc.constantFrom(4, 16, 64)),
    maxWalltimeSeconds: fc.option(fc.constantFrom(1800, 3600, 40_000)),
    bar: fc.constantFrom(null, null, null, 'DOWN' as const, 'FORBIDDEN' as const),
  });
  const drawnSite = fc.record({
    state: fc.constantFrom('ACTIVE' as const, 'ACTIVE' as const, 'DRAINING' as const, 'SUSPENDED' as const),
    processors: fc.constantFrom(8, 64, 256),
    observedAt: fc.constantFrom(NOW - 10, NOW - 10, NOW - 1000, null),
    queues: fc.uniqueArray(drawnQueue, { selector: ({ name }) => name, maxLength: 4 }),
    knownWaits: fc.dictionary(fc.constantFrom('q0', 'q1', 'q2', 'q3'), fc.integer({ min: 0, max: 40 })),
    ownSizes: fc.uniqueArray(
      fc.constantFrom(4, 8, 16).map((size) => own(size, 500 + size)),
      {
        selector: ({ processors }) => processors,
      },
    ),
  });
  const drawn = fc.record({
    sites: fc.array(drawnSite, { maxLength: 4 }),
    sizes: fc.option(
      fc.record({
        processors: fc
          .uniqueArray(fc.constantFrom(1, 4, 16, 32), { maxLength: 3 })
          .map((some) => some.sort((a, b) => a - b)),
        fromHistory: fc.boolean(),
        speedup: fc.constantFrom(null, AMDAHL),
      }),
    ),
    waits: fc.array(fc.integer({ min: 0, max: 20_000 }), { minLength: 1, maxLength: 9 }),
    order: fc.infiniteStream(fc.integer({ min: 0, max: 1000 })),
  });
  const planned = ({ sites, sizes, waits }: typeof drawn extends fc.Arbitrary<infer Drawn> ? Drawn : never) => {
    const asked: PlanRequest = { ...request, sizes };
    const candidates = sites.map((one, n) => site(`s${n}`, one));
    const waitOf = ({ site: at, queue: name, processors }: ProposedOption) =>
      waits[(Number(at.siteId.slice(1)) * 7 + processors + Number(name?.slice(1) ?? 0) * 3) % waits.length] as number;
    return { asked, candidates, waitOf, options: forecast(asked, optionsOf(asked, candidates, NOW), waitOf) };
  };

  test('nothing is chosen that a site or a queue forbids', () => {
    fc.assert(
      fc.property(drawn, (one) => {
        const { asked, candidates, options } = planned(one);
        const { chosen } = choosePlan(asked, options, NOW, STALE);
        if (!chosen) return;
        const at = candidates.find(({ siteId }) => siteId === chosen.siteId);
        expect(at).toMatchObject({ state: 'ACTIVE' });
        expect(NOW - (at?.observedAt ?? 0)).toBeLessThanOrEqual(STALE);
        expect(chosen.processors).toBeLessThanOrEqual(at?.processors ?? 0);
        const into = at?.queues.find(({ name }) => name === chosen.queue);
        expect(into === undefined).toBe(at?.queues.length === 0);
        expect(into?.bar ?? null).toBeNull();
        expect(chosen.processors).toBeLessThanOrEqual(into?.maxProcessors ?? chosen.processors);
        expect(chosen.walltimeSeconds).toBeLessThanOrEqual(into?.maxWalltimeSeconds ?? chosen.walltimeSeconds);
        const offered = [8, ...(asked.sizes?.processors ?? []), ...(asked.sizes?.fromHistory ? [4, 8, 16] : [])];
        expect(offered).toContain(chosen.processors);
      }),
    );
  });

  test('one option is chosen or none can be, every option keeps its place and the losers a reason', () => {
    fc.assert(
      fc.property(drawn, (one) => {
        const { asked, options } = planned(one);
        const plan = choosePlan(asked, options, NOW, STALE);
        expect(options.length).toBeLessThanOrEqual(MOST_OPTIONS);
        expect(plan.candidates.map(({ siteId, processors }) => [siteId, processors])).toEqual(
          options.map(({ site: at, processors }) => [at.siteId, processors]),
        );
        expect(plan.candidates.filter(({ lostBecause }) => lostBecause === null)).toEqual(
          plan.chosen ? [plan.chosen] : [],
        );
        for (const { explanation } of plan.candidates) expect(explanation.length).toBeGreaterThan(5);
      }),
    );
  });

  test('the chosen one has the best gain, or response, of all that are known', () => {
    fc.assert(
      fc.property(drawn, (one) => {
        const { asked, options } = planned(one);
        const { chosen, candidates } = choosePlan(asked, options, NOW, STALE);
        if (chosen === null || chosen.responseSeconds === null) return;
        const lost = candidates.filter(({ lostBecause }) => lostBecause === 'SLOWER' || lostBecause === 'LOWER_GAIN');
        for (const { gainScore, responseSeconds } of lost) {
          if (asked.sizes) expect(chosen.gainScore).toBeGreaterThanOrEqual(gainScore ?? 0);
          else expect(chosen.responseSeconds).toBeLessThanOrEqual(responseSeconds ?? Number.POSITIVE_INFINITY);
        }
      }),
    );
  });

  test('the order of options, sites and sizes does not matter', () => {
    fc.assert(
      fc.property(drawn, (one) => {
        const { asked, candidates, options, waitOf } = planned(one);
        const keys = [...one.order.take(200)];
        const shuffled = <Item>(items: readonly Item[]) =>
          items
            .map((item, n) => ({ item, key: keys[n] ?? n }))
            .sort((a, b) => a.key - b.key)
            .map(({ item }) => item);
        const first = choosePlan(asked, options, NOW, STALE).chosen;
        const sites = shuffled(candidates).map((at) => ({ ...at, ownSizes: shuffled(at.ownSizes ?? []) }));
        const sizes = asked.sizes && { ...asked.sizes, processors: shuffled(asked.sizes.processors) };
        const again = { ...asked, sizes: sizes ?? null };
        const mixed = shuffled(forecast(again, optionsOf(again, sites, NOW), waitOf));
        const second = choosePlan(again, mixed, NOW, STALE).chosen;
        expect(second && [second.siteId, second.queue, second.processors, second.walltimeSeconds]).toEqual(
          first && [first.siteId, first.queue, first.processors, first.walltimeSeconds],
        );
      }),
    );
  });
});
