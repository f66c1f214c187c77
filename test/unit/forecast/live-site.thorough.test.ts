import { setImmediate } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import type { WaitForecast } from '../../../src/domain/forecast.ts';
import { finish } from '../../../src/domain/steps.ts';
import { LiveSite } from '../../../src/forecast/live-site.ts';
import { SiteModel } from '../../../src/forecast/site-model.ts';
import { packCheckpoint, unpackCheckpoint } from '../../../src/predict/checkpoint/pack.ts';
import { Timeline } from '../../../src/predict/past/timeline.ts';
import { watchPast } from '../../../src/predict/past/watched-past.ts';
import { knownAt, simulatedRecords } from '../../simulated-records.ts';

const PREDICTOR = 'wait/gridcast';
const PROCESSORS = 64;
const STEP = 300;
const RECORDS = simulatedRecords(1000, PROCESSORS);
const FIRST = RECORDS[0]?.submitAt ?? 0;
const NOW = FIRST + STEP * Math.floor(((RECORDS.at(-1)?.submitAt ?? 0) - FIRST) / STEP);
const KNOWN = knownAt(RECORDS, NOW);
const giveWay = () => setImmediate();

const timeline = new Timeline(PROCESSORS);
for (const record of RECORDS) timeline.observe(record);

const createModel = () => new SiteModel({ wait: [PREDICTOR] });

/** Forecasts of submissions now and later, of a few shapes. */
function forecasts(model: SiteModel, now: number): WaitForecast[] {
  return [1, 8, 48].flatMap((processors) =>
    [0, 1800, 7200, 20_000].map((lead) => {
      const query = { queue: null, user: '1', processors, requestedWalltimeSeconds: 3600, submitAt: now + lead };
      return model.view().predict(PREDICTOR, { ...query, isOneOfMany: true }, now);
    }),
  );
}

/** A model that has watched the site from its first job until `until`, as one that has run all the time. */
function watching(until: number): SiteModel {
  const model = createModel();
  const options = { processors: PROCESSORS, snapshotSeconds: STEP, untilAt: NOW };
  for (const sight of watchPast(knownAt(RECORDS, until), options)) {
    if (sight.kind === 'snapshot') model.observe(sight.state);
    else if (sight.kind !== 'submit') model.learn(sight.record);
  }
  model.observe(timeline.snapshotAt(NOW));
  return model;
}

/** A site that was told all records at once, as after an import or a restart, and then what it looks like now. */
function imported(): LiveSite {
  const site = new LiveSite(createModel);
  for (const record of KNOWN) site.learn(record);
  site.observe(timeline.snapshotAt(NOW));
  return site;
}

describe('a live site', () => {
  test('forecasts after living through its past as one that was watched all the time, and otherwise before', async () => {
    const site = imported();
    const atOnce = forecasts(site.model, NOW);
    expect(site.isToLiveThroughPast).toBe(true);
    await site.liveThroughPast(KNOWN, giveWay);
    expect(site.isToLiveThroughPast).toBe(false);
    const watched = forecasts(watching(NOW), NOW);
    expect(forecasts(site.model, NOW)).toEqual(watched);
    expect(atOnce).not.toEqual(watched);
    expect(site.model.learnedWaits).toBe(KNOWN.filter(({ startAt }) => startAt !== null).length);
  });

  test('answers meanwhile, and misses nothing that happens meanwhile', async () => {
    const site = imported();
    const living = site.liveThroughPast(KNOWN, giveWay);
    const before = site.model;
    const later = NOW + STEP;
    const news = knownAt(RECORDS, later).filter(
      (record, i) => record.startAt !== KNOWN[i]?.startAt || record.endAt !== KNOWN[i]?.endAt,
    );
    expect(news.length).toBeGreaterThan(0);
    for (const record of news) site.learn(record);
    site.observe(timeline.snapshotAt(later));
    expect(forecasts(site.model, later)).toHaveLength(12);
    expect(site.model).toBe(before);
    await living;
    expect(site.model).not.toBe(before);
    const watched = watching(NOW);
    for (const record of news) watched.learn(record);
    watched.observe(timeline.snapshotAt(later));
    expect(forecasts(site.model, later)).toEqual(forecasts(watched, later));
  });

  test('lives through its past again when much of it becomes known later, and not for what accounting is late with', async () => {
    const [older, newer] = [KNOWN.slice(0, 300), KNOWN.slice(300)];
    const site = new LiveSite(createModel);
    for (const record of newer) site.learn(record);
    site.observe(timeline.snapshotAt(NOW));
    await site.liveThroughPast(newer, giveWay);
    for (const record of KNOWN.slice(-50)) site.learn({ ...record, nativeId: `late ${record.nativeId}` });
    expect(site.isToLiveThroughPast).toBe(false);
    for (const record of older) site.learn(record);
    expect(site.isToLiveThroughPast).toBe(true);
  });

  test('begins anew when much of its past becomes known while it is lived through, and learns none of it at one go', async () => {
    const [older, newer] = [KNOWN.slice(0, 300), KNOWN.slice(300)];
    const site = new LiveSite(createModel);
    for (const record of newer) site.learn(record);
    site.observe(timeline.snapshotAt(NOW));
    const before = site.model;
    const living = site.liveThroughPast(newer, giveWay);
    for (const record of older) site.learn(record);
    await living;
    expect(site.model).toBe(before);
    expect(site.isToLiveThroughPast).toBe(true);
    await site.liveThroughPast(KNOWN, giveWay);
    expect(forecasts(site.model, NOW)).toEqual(forecasts(watching(NOW), NOW));
  });

  test('is not held up by an import after it has lived through its past: that is lived through anew, too', async () => {
    const [older, newer] = [KNOWN.slice(0, 300), KNOWN.slice(300)];
    const site = new LiveSite(createModel);
    for (const record of newer) site.learn(record);
    site.observe(timeline.snapshotAt(NOW));
    await site.liveThroughPast(newer, giveWay);
    const { learnedWaits } = site.model;
    for (const record of older) site.learn(record);
    expect(site.model.learnedWaits).toBe(learnedWaits + 100);
    expect(site.isToLiveThroughPast).toBe(true);
    await site.liveThroughPast(KNOWN, giveWay);
    expect(forecasts(site.model, NOW)).toEqual(forecasts(watching(NOW), NOW));
  });

  test('has nothing to live through where no predictor looks at states, or before it was seen', () => {
    const blind = new LiveSite(() => new SiteModel({ wait: ['wait/qbets'], load: [] }));
    for (const record of KNOWN) blind.learn(record);
    blind.observe(timeline.snapshotAt(NOW));
    expect(blind.isToLiveThroughPast).toBe(false);
    const unseen = new LiveSite(createModel);
    for (const record of KNOWN) unseen.learn(record);
    expect(unseen.isToLiveThroughPast).toBe(false);
  });
});

describe('a checkpoint of a site', () => {
  test('is asked about the very state that was observed, as the written one knew it', async () => {
    const watched = watching(NOW);
    const restored = createModel();
    finish(restored.restore(unpackCheckpoint(packCheckpoint(await watched.checkpoint({})))));
    expect(forecasts(restored, NOW + 60)).toEqual(forecasts(watched, NOW + 60));
    expect(restored.learnedWaits).toBe(watched.learnedWaits);
  });

  test('is restored in many pieces, so that others are let through', async () => {
    const checkpoint = unpackCheckpoint<{ models: [] }>(packCheckpoint(await watching(NOW).checkpoint({})));
    const restored = createModel();
    let pieces = 0;
    for (const _ of restored.restore(checkpoint)) pieces++;
    expect(pieces).toBeGreaterThan(100);
    expect(restored.newest?.observedAt).toBe(NOW);
  });

  test('of other predictors is refused, and says why', async () => {
    const kept = await new SiteModel({ wait: ['wait/qbets'] }).checkpoint({});
    expect(() => finish(createModel().restore(kept))).toThrow('it does not keep wait by wait/gridcast');
  });
});
