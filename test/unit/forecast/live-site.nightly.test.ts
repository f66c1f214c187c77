import { describe, expect, test } from 'vitest';
import { LiveSite } from '../../../src/forecast/live-site.ts';
import { knownAt } from '../../simulated-records.ts';
import {
  createModel,
  forecasts,
  giveWay,
  imported,
  KNOWN,
  NOW,
  RECORDS,
  STEP,
  timeline,
  watching,
} from './site-with-past.ts';

describe('a live site', () => {
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
});
