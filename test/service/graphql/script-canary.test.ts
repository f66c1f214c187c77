import { afterAll, beforeAll, expect, test } from 'vitest';
import { fromGlobalId } from '../../../src/graphql/shared/global-id.ts';
import { type Steps, stepsOver, type ToldSite, tellSite } from '../flow/told-site.ts';
import { type ApiWorld, createApiWorld, HOUR, moment, NOW, work } from './api-world.ts';
import { RESERVE, SUBMIT } from './documents.ts';

const CANARY = 'Qw9ScriptCanary';
const run = (text: string) => ({ script: `#!/bin/sh\n${text}${CANARY}\n`, arguments: [`--token=${CANARY}`] });
const PLAN = 'query ($input: PlanInput!) { plan(input: $input) { chosen { site { name } } } }';
const FORECASTS =
  'query ($input: ForecastInput!) { forecasts(input: $input) { site { name } forecast { pointSeconds } } }';

let world: ApiWorld;
let steps: Steps;
let site: ToldSite;
beforeAll(async () => {
  world = await createApiWorld();
  steps = stepsOver(world);
  // What it says is no answer, and quotes the job.
  site = await tellSite({ 'POST jobs': `sbatch: ${CANARY}: not found` });
  await world.stores.database.db.site.updateMany({ data: { configuration: { url: site.url, site: 'told' } } });
});
afterAll(async () => {
  site.close();
  await world.close();
});

const { processors, walltimeSeconds } = work;
const HOSTILE: [string, string][] = [
  ['binary', String.fromCharCode(...Array.from({ length: 255 }, (_, n) => n + 1))],
  ['right to left', '\u202e\u2067\u05d0\ufeff\u{1F468}\u200d\u{1F469}'],
  ['one long line', 'x'.repeat(900_000)],
];

test.each(HOSTILE)('a script that is %s is planned, forecast, submitted and told to nobody', async (_, text) => {
  const size = { processors, walltimeSeconds };
  const told = run(text);
  const ask = (query: string, input: object) => world.ask(world.tokens.admin, query, { input });
  const startAt = moment(NOW + 6 * HOUR);
  const answers = [
    await ask(PLAN, { ...size, ...told }),
    await ask(FORECASTS, { ...size, ...told }),
    await ask(SUBMIT, { ...work, ...told }),
    await ask(RESERVE, { ...work, ...told, startAt, probability: 0.5 }),
  ];
  const [plan, forecasts, submitted, reserved] = answers;
  expect(plan?.data.plan.chosen.site.name).toBe('quick');
  expect(forecasts?.data.forecasts).toHaveLength(3);
  expect(reserved?.data.reserve.userErrors).toEqual([]);
  const id = fromGlobalId(submitted?.data.submitJob.job.id)?.id ?? '';
  for (let turn = 0; turn < 3; turn++) await steps.execute(id);
  expect(site.asked).toContain('jobs');
  const { reason } = await world.stores.database.db.execution.findUniqueOrThrow({ where: { id } });
  expect(reason).not.toBeNull();
  const metrics = await (await fetch(new URL('/metrics', world.api.url))).text();
  const all = JSON.stringify([answers, reason, metrics, world.logged, steps.logged]);
  expect(steps.logged.length + world.logged.length).toBeGreaterThan(0);
  expect(all).not.toContain(CANARY);
});

test('a NUL, a script that is too long, and a name that is none are refused without their text', async () => {
  const said = [run('\0'), { script: `#!/bin/sh\n${CANARY}${'x'.repeat(2 << 20)}` }];
  for (const told of said) {
    const answer = await world.ask(world.tokens.admin, PLAN, { input: { processors, walltimeSeconds, ...told } });
    expect(JSON.stringify(answer.errors ?? answer.data)).toMatch(/script|too large/i);
    expect(JSON.stringify([answer, world.logged])).not.toContain(CANARY);
  }
});
