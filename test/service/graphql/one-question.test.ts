import { afterAll, beforeAll, expect, test } from 'vitest';
import { dryRunPlan } from '../../../src/commands/dry-run-plan.ts';
import { forecastWait } from '../../../src/commands/forecast-wait.ts';
import type { WaitQuery } from '../../../src/domain/forecast.ts';
import { decodeId } from '../../../src/graphql/shared/global-id.ts';
import { type ApiWorld, createApiWorld, NOW, work } from './api-world.ts';

let world: ApiWorld;
beforeAll(async () => {
  world = await createApiWorld();
});
afterAll(() => world.close());

/** The commands over a forecaster that takes down what it is asked. */
function listening() {
  const asked: { siteId: string; query: WaitQuery }[] = [];
  const forecaster: ApiWorld['forecaster'] = {
    ...world.forecaster,
    forecastWaits(siteId, queries, predictor) {
      asked.push(...queries.map((query) => ({ siteId, query })));
      return world.forecaster.forecastWaits(siteId, queries, predictor);
    },
  };
  return { asked, context: { ...world.commands, forecaster } };
}

test.each([
  ['no queue named', null, 'batch'],
  ['a queue named', 'debug', 'debug'],
])('with %s, forecast and plan ask one question of a site', async (_, queue, asks) => {
  const siteId = decodeId(world.sites.quick, 'Site', 'siteId');
  const size = { processors: work.processors, walltimeSeconds: work.walltimeSeconds, queue };
  const forecasting = listening();
  const forecast = await forecastWait(forecasting.context, siteId, { ...size, user: null, predictor: null });
  const planning = listening();
  const { plan } = await dryRunPlan(planning.context, world.principal, {
    ...size,
    deadlineAt: null,
    siteIds: [siteId],
  });
  expect(planning.asked).toEqual(forecasting.asked);
  expect(forecasting.asked).toEqual([
    { siteId, query: { queue: asks, processors: 4, walltimeSeconds: 1800, user: null, submitAt: NOW } },
  ]);
  expect(plan.chosen?.forecast).toEqual(forecast);
});
