import { afterAll, beforeAll, expect, test } from 'vitest';
import type { FlowContext } from '../../../src/flow/context.ts';
import { Crash, submitWithCrashes, withCrashes } from './faults.ts';
import { createHeldBackWorld, type HeldBackWorld, jobId } from './held-back-world.ts';
import { isSettled } from './rows.ts';
import { CLEAN, judge } from './witness.ts';

const CANCEL = 'mutation($input: CancelInput!) { cancelJob(input: $input) { userErrors { code } } }';
const SUBMIT_NOW = 'mutation($input: SubmitNowInput!) { submitNow(input: $input) { userErrors { code } } }';

/** What becomes of the head 250 seconds after it came, and when each job is then submitted, counted from the first. */
const STORIES = [
  { name: 'in time', act: async () => undefined, expected: { head: 1800, second: 1900, third: 2050 } },
  { name: 'cancelled', act: (head: string) => send(CANCEL, head), expected: { second: 350, third: 500 } },
  { name: 'now', act: (head: string) => send(SUBMIT_NOW, head), expected: { head: 250, second: 350, third: 500 } },
] as const;
const ROUNDS = 6;

let here: HeldBackWorld;
let worker: FlowContext;
let deaths = 0;
beforeAll(async () => {
  here = await createHeldBackWorld(9);
  worker = mortal();
});
afterAll(() => here.close());

const send = async (document: string, id: string) => {
  await here.request(document, { input: { id: jobId(id) } });
};

/** A worker that dies now and then around a write or a submission. */
function mortal(): FlowContext {
  const reach = async (point: Parameters<Parameters<typeof withCrashes>[1]>[0]) => {
    if (here.world.random.uniform() >= 0.12) return;
    deaths++;
    throw new Crash(point);
  };
  return here.worker({
    database: (database) => withCrashes(database, reach),
    adapter: (adapter) => submitWithCrashes(adapter, reach),
  });
}

async function bury(error: unknown): Promise<void> {
  if (!(error instanceof Crash)) throw error;
  worker = mortal();
  await here.world.expireLeases();
}

async function stepUntil(what: string, condition: () => Promise<boolean>): Promise<void> {
  for (let steps = 0; !(await condition()); steps++) {
    if (steps > 2000) throw new Error(`not within 2000 steps: ${what}`);
    await here.world.step(() => worker, bury);
  }
}

async function submitted(name: string): Promise<string> {
  const id = await here.submit(name, {}, false);
  await stepUntil(`${name} is planned`, async () => (await here.row(id)).state !== 'REQUESTED');
  return id;
}

/** When a job was first handed to its site; one whose worker died at that is tried again later. */
async function firstTryAt(executionId: string): Promise<number | null> {
  const first = await here.world.database.db.submission.findFirst({ where: { executionId, attempt: 1 } });
  return first && first.intendedAt.getTime() / 1000;
}

test('workers that die at any write or call lose no job that is held back, make none twice and keep the order', {
  timeout: 240_000,
}, async () => {
  for (let round = 0; round < ROUNDS; round++) {
    const story = STORIES[round % STORIES.length] as (typeof STORIES)[number];
    const names = ['head', 'second', 'third'].map((name) => `${name} ${round}`);
    const ids: string[] = [];
    const startedAt = here.world.clock.now();
    for (const [index, at] of [0, 100, 250].entries()) {
      here.world.clock.advanceTo(startedAt + at);
      ids.push(await submitted(names[index] as string));
    }
    await story.act(ids[0] as string);
    for (const id of ids) await stepUntil('all are over', isSettled(here.world, id));
    const came = await Promise.all(ids.map(async (id, index) => [names[index]?.split(' ')[0], await firstTryAt(id)]));
    const after = came.flatMap(([name, at]) => (at === null ? [] : [[name, Math.round(Number(at) - startedAt)]]));
    expect(Object.fromEntries(after), `round ${round}, ${story.name}`).toEqual(story.expected);
  }
  expect(await judge(here.world)).toMatchObject(CLEAN);
  expect(deaths).toBeGreaterThan(15);
});
