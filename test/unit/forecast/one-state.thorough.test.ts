import { describe, expect, test } from 'vitest';
import type { Snapshot } from '../../../src/domain/snapshot.ts';
import { finish, type Steps } from '../../../src/domain/steps.ts';
import { answerCoAllocation } from '../../../src/forecast/answer-co-allocation.ts';
import type { CoAllocationAnswer, CoAllocationQuestion } from '../../../src/forecast/forecaster.ts';
import { NewsGate } from '../../../src/forecast/news-gate.ts';
import { onOneState, together } from '../../../src/forecast/one-state.ts';
import { SiteModel } from '../../../src/forecast/site-model.ts';
import { watchPast } from '../../../src/predict/past/watched-past.ts';
import { simulatedRecords } from '../../simulated-records.ts';

const PREDICTOR = 'wait/ibl';
const PROCESSORS = 64;
const PAST = simulatedRecords(1000, PROCESSORS);
const LEGS = ['a', 'b', 'c', 'd'];

/** A site that was watched for a thousand jobs, with its last state and the moment after it. */
function busySite(): { model: SiteModel; state: Snapshot; now: number } {
  const model = new SiteModel({ wait: [PREDICTOR] });
  const untilAt = PAST.at(-1)?.submitAt ?? 0;
  let state: Snapshot | null = null;
  for (const sight of watchPast(PAST, { processors: PROCESSORS, snapshotSeconds: 300, untilAt })) {
    if (sight.kind === 'snapshot') {
      state = sight.state;
      model.observe(state);
    } else if (sight.kind !== 'submit') model.learn(sight.record);
  }
  if (!state) throw new Error('nothing was seen');
  return { model, state, now: state.observedAt + 1 };
}

/** Four legs at one site, in as many pieces as there are submission times. */
function coAllocation(model: SiteModel, now: number): Steps<CoAllocationAnswer> {
  const work = { queue: null, processors: 8, walltimeSeconds: 600, user: null, maxWalltimeSeconds: null };
  const terms = { startAt: now + 7200, windowOpensAt: null, mode: 'HOLD', probability: 0.5, margin: 0 } as const;
  const leg = { ...work, ...terms, maxChargeProcessorSeconds: null, now };
  const promisable = Array.from({ length: 100 }, (_, percent) => percent / 100);
  const question: CoAllocationQuestion = {
    candidates: LEGS.map((partId) => ({ partId, siteId: 'one', leg, promisable })),
    rule: { rule: 'ALL', atLeast: null, members: LEGS.map((legId) => ({ legId })) },
    probability: 0.5,
    minimumPessimisticProbability: null,
    mostSitesPerPart: 1,
    now,
  };
  const noDependence = () => {
    throw new RangeError('there is one site');
  };
  const options = { predictor: PREDICTOR, handoverSeconds: 15 };
  const sites = together(new Map([['one', model]]));
  return onOneState(sites, (views) => answerCoAllocation(views, noDependence, options, question));
}

/** The site as it will be: idle, with starts at once. */
function news({ model, state, now }: ReturnType<typeof busySite>, name = 'new'): void {
  model.observe({ ...state, observedAt: now, freeProcessors: PROCESSORS, waiting: [], running: [] });
  for (const record of PAST.slice(0, 50)) {
    const submitAt = now + 1;
    model.learn({
      ...record,
      nativeId: `${name} ${record.nativeId}`,
      submitAt,
      startAt: submitAt,
      endAt: null,
      outcome: null,
    });
  }
}

describe('a question in pieces', () => {
  test('sees one state of its site, whatever is observed and learned between any two of them', () => {
    const undisturbed = finish(coAllocation(busySite().model, busySite().now));
    for (const pieces of [1, 5, 40]) {
      const site = busySite();
      const steps = coAllocation(site.model, site.now);
      for (let piece = 0; piece < pieces; piece++) steps.next();
      news(site);
      expect(finish(steps)).toEqual(undisturbed);
      expect(finish(coAllocation(site.model, site.now))).not.toEqual(undisturbed);
    }
  });

  test('begins again when it began while something waited, and sees all of that', () => {
    const calm = busySite();
    news(calm);
    const afterwards = finish(coAllocation(calm.model, calm.now));
    const site = busySite();
    const [older, younger] = [coAllocation(site.model, site.now), coAllocation(site.model, site.now)];
    older.next();
    news(site);
    for (let piece = 0; piece < 5; piece++) younger.next();
    finish(older);
    expect(finish(younger)).toEqual(afterwards);
  });

  test('keeps nothing waiting when it is dropped, or has failed', () => {
    const site = busySite();
    const dropped = coAllocation(site.model, site.now);
    dropped.next();
    const learned = site.model.learnedWaits;
    news(site);
    expect(site.model.learnedWaits).toBe(learned);
    expect(() => dropped.throw(new Error('left'))).toThrow('left');
    expect(site.model.learnedWaits).toBe(learned + 50);

    const failing = onOneState(site.model, () => {
      news(site, 'newer');
      expect(site.model.learnedWaits).toBe(learned + 50);
      throw new RangeError('no such predictor');
    });
    expect(() => failing.next()).toThrow('no such predictor');
    expect(site.model.learnedWaits).toBe(learned + 100);
  });
});

describe('news', () => {
  test('waits for the questions that were there before it alone, in its order', () => {
    const gate = new NewsGate();
    const diary: string[] = [];
    const [first, second] = [gate.begin(), gate.begin()];
    gate.tell(() => diary.push('one'));
    const younger = gate.begin();
    gate.tell(() => diary.push('two'));
    gate.end(second);
    expect(diary).toEqual([]);
    expect(younger.isOutdated).toBe(false);
    gate.end(first);
    expect(diary).toEqual(['one', 'two']);
    expect(younger.isOutdated).toBe(true);
    // A question that is to begin again keeps nothing waiting.
    gate.tell(() => diary.push('three'));
    expect(diary).toEqual(['one', 'two', 'three']);
    gate.end(younger);
  });

  test('reaches a site that is asked without a pause, and no question begins again more than once', () => {
    const gate = new NewsGate();
    let takenIn = 0;
    let begunAgain = 0;
    let current = gate.begin();
    for (let turn = 0; turn < 100; turn++) {
      gate.tell(() => takenIn++);
      let next = gate.begin();
      gate.end(current);
      if (next.isOutdated) {
        gate.end(next);
        next = gate.begin();
        begunAgain++;
      }
      expect(next.isOutdated).toBe(false);
      current = next;
    }
    expect(takenIn).toBe(100);
    expect(begunAgain).toBe(100);
  });
});
