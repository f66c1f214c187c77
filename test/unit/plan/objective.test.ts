import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { RuntimeForecast } from '../../../src/domain/forecast.ts';
import { OBJECTIVES, type PlanTerms } from '../../../src/domain/objective.ts';
import type { CandidateSite, Plan, PlanRequest } from '../../../src/domain/plan.ts';
import { choosePlan } from '../../../src/plan/choose.ts';
import type { ForecastOption } from '../../../src/plan/job/options.ts';
import { evenForecast, forecastOf } from './forecast-fixture.ts';

const NOW = 5000;
const request: PlanRequest = { processors: 8, walltimeSeconds: 3600, queue: null, deadlineAt: null };

function site(siteId: string, tags: readonly string[] = []): CandidateSite {
  return { siteId, name: siteId, state: 'ACTIVE', processors: 128, queues: [], observedAt: NOW, tags };
}

function option(siteId: string, waitSeconds: number, changes: Partial<ForecastOption> = {}): ForecastOption {
  const size = { queue: null, processors: 8, walltimeSeconds: 3600, submitAt: NOW };
  return { site: site(siteId), ...size, forecast: forecastOf(() => waitSeconds), ...changes };
}

function plan(terms: PlanTerms, options: readonly ForecastOption[], asked = request): Plan {
  return choosePlan({ ...asked, ...terms }, options, NOW, 300);
}

/** Runtimes spread evenly up to so many seconds. */
function runtime(longestSeconds: number) {
  const { quantileSeconds, pointSeconds } = evenForecast(longestSeconds);
  const known: RuntimeForecast = {
    predictor: 'test',
    version: '1',
    madeAt: NOW,
    sampleSize: 99,
    pointSeconds,
    quantileSeconds,
  };
  return { ...known, observedAt: NOW };
}

describe('an objective', () => {
  const wide = option('alpha', 900, { processors: 32, walltimeSeconds: 900 });
  const narrow = option('beta', 100, { processors: 2, walltimeSeconds: 9000 });
  const usual = option('gamma', 300);

  test.each([
    ['EARLIEST_FINISH', 'alpha', 1800, ['SLOWER', 'SLOWER']],
    ['EARLIEST_START', 'beta', 100, ['STARTS_LATER', 'STARTS_LATER']],
    ['LEAST_CHARGE', 'beta', 18_000, ['COSTLIER', 'COSTLIER']],
  ] as const)('%s', (objective, chosen, score, losses) => {
    const made = plan({ objective }, [wide, narrow, usual]);
    expect(made).toMatchObject({ objective, chosen: { siteId: chosen, score } });
    expect(made.candidates.flatMap(({ lostBecause }) => lostBecause ?? [])).toEqual(losses);
  });

  test('says what it compared by', () => {
    const explanations = (objective: PlanTerms['objective']) =>
      plan(objective ? { objective } : {}, [wide, usual]).candidates.map(({ explanation }) => explanation);
    expect(explanations('EARLIEST_START')).toEqual([
      'predicted start 15 m from now, against 5 m from now at gamma; the chosen one ends first with probability 0',
      'gamma has the earliest predicted start, 5 m from now',
    ]);
    expect(explanations('LEAST_CHARGE')).toEqual([
      'alpha has the smallest charge, 28800 processor-seconds',
      'charge as at alpha, 28800 processor-seconds; predicted response 1 h 5 m, against 30 m at alpha; the chosen one ends first with probability 1',
    ]);
    expect(explanations(undefined)[0]).toBe('alpha has the smallest predicted response, 30 m');
  });

  test('of equal charges the one that ends first wins, and the other is slower, not costlier', () => {
    const made = plan({ objective: 'LEAST_CHARGE' }, [option('a', 900), option('b', 100)]);
    expect(made.chosen?.siteId).toBe('b');
    expect(made.candidates[0]?.lostBecause).toBe('SLOWER');
  });

  test('of equal medians the wait that is shorter on the whole wins, one that history supports before one it does not', () => {
    const waits = (longest: number) => forecastOf((percent) => (percent <= 60 ? 0 : longest));
    const [months, hours, minutes] = ['a', 'b', 'c'].map((siteId, i) => {
      return option(siteId, 0, { forecast: waits([Number.POSITIVE_INFINITY, 9000, 90][i] as number) });
    }) as [ForecastOption, ForecastOption, ForecastOption];
    for (const options of [
      [months, hours, minutes],
      [minutes, months, hours],
    ]) {
      const { chosen, candidates } = plan({}, options);
      expect(chosen?.siteId).toBe('c');
      expect(candidates.find(({ siteId }) => siteId === 'b')?.beforeChosenProbability).toBeLessThan(0.5);
    }
    expect(plan({}, [months, hours]).chosen?.siteId).toBe('b');
  });

  test('one whose wait cannot be predicted is taken only when no other can be, however little it is charged', () => {
    const unknown = option('a', Number.POSITIVE_INFINITY, { processors: 1 });
    expect(plan({ objective: 'LEAST_CHARGE' }, [unknown, option('b', 1e6)]).chosen?.siteId).toBe('b');
    expect(plan({ objective: 'LEAST_CHARGE' }, [unknown]).chosen?.siteId).toBe('a');
  });
});

test('spreads are compared, not only points: a loser says how probable it is that it would have ended first', () => {
  const sure = option('sure', 500, { forecast: { ...evenForecast(1000), pointSeconds: 400 } });
  const unsure = option('unsure', 500, { forecast: { ...evenForecast(2000), pointSeconds: 500 } });
  const lost = plan({}, [sure, unsure]).candidates[1];
  // Of two even waits up to 1000 and 2000, the second is over first in a quarter of all cases.
  expect(lost?.beforeChosenProbability).toBeCloseTo(0.25, 2);
  expect(lost?.explanation).toMatch(/; the chosen one ends first with probability 0\.75$/);
});

test('every option shows between which times it waits, runs and ends', () => {
  const [shown] = plan({}, [option('a', 0, { forecast: evenForecast(1000), runtime: runtime(2000) })]).candidates;
  expect(shown?.spread).toMatchObject({
    wait: [
      { probability: 0.5, lowSeconds: 250, highSeconds: 750 },
      { probability: 0.9, lowSeconds: 50, highSeconds: 950 },
    ],
    runtime: [{ lowSeconds: 500 }, { lowSeconds: 100, highSeconds: 1900 }],
    finish: [{ probability: 0.5 }, { probability: 0.9 }],
    medianFinishSeconds: expect.closeTo(1500, -1),
  });
});

describe('a limit', () => {
  test('on the charge keeps out what may cost more, and says how much', () => {
    const made = plan({ maxChargeProcessorSeconds: 20_000 }, [option('dear', 0), option('a', 900, { processors: 4 })]);
    expect(made.chosen?.siteId).toBe('a');
    expect(made.candidates[0]).toMatchObject({
      lostBecause: 'CHARGE_BEYOND_LIMIT',
      explanation: '28800 processor-seconds may be charged at dear, maxChargeProcessorSeconds allows 20000',
    });
  });

  test('on the risk counts being killed by the walltime', () => {
    const made = plan({ maxRisk: 0.2 }, [
      option('short', 0, { runtime: runtime(7200) }),
      option('unknown', 10),
      option('long', 900, { runtime: runtime(4000) }),
    ]);
    expect(made.chosen).toMatchObject({ siteId: 'long', risk: expect.closeTo(0.11, 9) });
    expect(made.candidates[0]).toMatchObject({ lostBecause: 'RISK_BEYOND_LIMIT', risk: expect.closeTo(0.51, 9) });
    expect(made.candidates[0]?.explanation).toMatch(/with a risk of 51 %, maxRisk allows 20 %$/);
    expect(made.candidates[1]).toMatchObject({ lostBecause: 'RISK_BEYOND_LIMIT', risk: null });
    expect(made.candidates[1]?.explanation).toMatch(/too little is known of such jobs at unknown/);
  });

  test('on the risk counts what was forecast to come to the walltime as killed, unless that is yet to be chosen', () => {
    // As forecast of a walltime of an hour: nothing runs longer, a fifth would.
    const cut = runtime(4500).quantileSeconds.map((seconds) => Math.min(seconds, 3600));
    const killed = option('a', 0, { runtime: { ...runtime(4500), quantileSeconds: cut } });
    expect(plan({}, [killed]).chosen?.risk).toBeCloseTo(0.21, 9);
    const auto = { risk: 0.05, atMostSeconds: null };
    expect(plan({}, [killed], { ...request, auto }).chosen?.risk).toBeCloseTo(0.01, 9);
  });

  test('on the risk counts the deadline, too', () => {
    const even = { forecast: { ...evenForecast(4000), pointSeconds: 100 }, runtime: runtime(1000) };
    const late = plan({ maxRisk: 0.1 }, [option('a', 0, even)], { ...request, deadlineAt: NOW + 4000 });
    // A wait up to 4000 and a run up to 1000 are over within 4000 in seven of eight cases.
    expect(late.candidates[0]).toMatchObject({ lostBecause: 'RISK_BEYOND_LIMIT', risk: expect.closeTo(0.13, 2) });
    expect(plan({ maxRisk: 0.1 }, [option('a', 0, even)]).chosen?.risk).toBeCloseTo(0.01, 9);
  });

  test('a tag that a site does not bear is named', () => {
    const tagged = { ...option('b', 900), site: site('b', ['gaussian', 'scratch-nvme']) };
    const made = plan({ requiredTags: ['scratch-nvme', 'gaussian'] }, [option('a', 0), tagged]);
    expect(made.chosen?.siteId).toBe('b');
    expect(made.candidates[0]).toMatchObject({
      lostBecause: 'MISSING_TAG',
      explanation: 'a lacks the tag scratch-nvme, gaussian; it has none',
    });
    const other = plan({ requiredTags: ['gaussian', 'orca'] }, [tagged]).candidates[0];
    expect(other?.explanation).toBe('b lacks the tag orca; it has gaussian, scratch-nvme');
  });
});

const drawnOptions = fc.uniqueArray(
  fc.record({
    siteId: fc.constantFrom('a', 'b', 'c', 'd'),
    processors: fc.constantFrom(2, 4, 8),
    walltimeSeconds: fc.constantFrom(600, 3600),
    leadSeconds: fc.constantFrom(0, 600),
    wait: fc.oneof(fc.integer({ min: 0, max: 4000 }), fc.constant(Number.POSITIVE_INFINITY)),
    runs: fc.option(fc.constantFrom(500, 4000), { nil: null }),
  }),
  {
    maxLength: 8,
    selector: ({ siteId, processors, walltimeSeconds, leadSeconds }) =>
      [siteId, processors, walltimeSeconds, leadSeconds].join(),
  },
);
const drawnTerms = fc.record({
  objective: fc.constantFrom(...OBJECTIVES),
  maxChargeProcessorSeconds: fc.option(fc.integer({ min: 1000, max: 30_000 }), { nil: null }),
  maxRisk: fc.option(fc.constantFrom(0.01, 0.2, 0.5), { nil: null }),
  requiredTags: fc.constantFrom<string[]>([], ['gaussian']),
});

test('no limit is exceeded, the best score is chosen, one is chosen or each has its reason, in whatever order', () => {
  fc.assert(
    fc.property(drawnOptions, drawnTerms, fc.boolean(), (drawn, terms, hasDeadline) => {
      const options = drawn.map(({ siteId, wait, runs, leadSeconds, ...size }) => ({
        ...option(siteId, wait, {
          ...size,
          submitAt: NOW + leadSeconds,
          runtime: runs === null ? null : runtime(runs),
        }),
        site: site(siteId, siteId < 'c' ? ['gaussian'] : []),
      }));
      const asked = { ...request, deadlineAt: hasDeadline ? NOW + 4000 : null };
      const made = plan(terms, options, asked);
      const { chosen } = made;
      expect(made.candidates.filter(({ lostBecause }) => lostBecause === null)).toEqual(chosen ? [chosen] : []);
      expect(plan(terms, options.toReversed(), asked).chosen).toEqual(chosen);
      if (!chosen) return;
      const worst = chosen.charge.neededProcessorSeconds + chosen.charge.worstPaddingProcessorSeconds;
      expect(worst).toBeLessThanOrEqual(terms.maxChargeProcessorSeconds ?? Number.POSITIVE_INFINITY);
      if (terms.maxRisk !== null) expect(chosen.risk).toBeLessThanOrEqual(terms.maxRisk + 1e-9);
      const tags = options.find(({ site: { siteId } }) => siteId === chosen.siteId)?.site.tags;
      expect(tags).toEqual(expect.arrayContaining(terms.requiredTags));
      const beaten = made.candidates.filter(({ lostBecause }) =>
        ['SLOWER', 'STARTS_LATER', 'COSTLIER', null].includes(lostBecause),
      );
      const scores = beaten.flatMap(({ score }) => score ?? []);
      expect(chosen.score ?? Number.POSITIVE_INFINITY).toBe(Math.min(...scores));
    }),
  );
});
