import { describe, expect, test } from 'vitest';
import { finish } from '../../../src/domain/steps.ts';
import { LiveSite } from '../../../src/forecast/live-site.ts';
import { SiteModel } from '../../../src/forecast/site-model.ts';
import { packCheckpoint, unpackCheckpoint } from '../../../src/predict/checkpoint/pack.ts';
import { createModel, forecasts, giveWay, imported, KNOWN, NOW, timeline, watching } from './site-with-past.ts';

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
