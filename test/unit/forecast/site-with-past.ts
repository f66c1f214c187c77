import { setImmediate } from 'node:timers/promises';
import type { WaitForecast } from '../../../src/domain/forecast.ts';
import { LiveSite } from '../../../src/forecast/live-site.ts';
import { SiteModel } from '../../../src/forecast/site-model.ts';
import { Timeline } from '../../../src/predict/past/timeline.ts';
import { watchPast } from '../../../src/predict/past/watched-past.ts';
import { knownAt, simulatedRecords } from '../../simulated-records.ts';

const PREDICTOR = 'wait/gridcast';
const PROCESSORS = 64;
export const STEP = 300;
export const RECORDS = simulatedRecords(1000, PROCESSORS);
const FIRST = RECORDS[0]?.submitAt ?? 0;
export const NOW = FIRST + STEP * Math.floor(((RECORDS.at(-1)?.submitAt ?? 0) - FIRST) / STEP);
export const KNOWN = knownAt(RECORDS, NOW);
export const giveWay = () => setImmediate();

export const timeline = new Timeline(PROCESSORS);
for (const record of RECORDS) timeline.observe(record);

export const createModel = () => new SiteModel({ wait: [PREDICTOR] });

/** Forecasts of submissions now and later, of a few shapes. */
export function forecasts(model: SiteModel, now: number): WaitForecast[] {
  return [1, 8, 48].flatMap((processors) =>
    [0, 1800, 7200, 20_000].map((lead) => {
      const query = { queue: null, user: '1', processors, requestedWalltimeSeconds: 3600, submitAt: now + lead };
      return model.view().predict(PREDICTOR, { ...query, isOneOfMany: true }, now);
    }),
  );
}

/** A model that has watched the site from its first job until `until`, as one that has run all the time. */
export function watching(until: number): SiteModel {
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
export function imported(): LiveSite {
  const site = new LiveSite(createModel);
  for (const record of KNOWN) site.learn(record);
  site.observe(timeline.snapshotAt(NOW));
  return site;
}
