import { readFileSync } from 'node:fs';
import { type DefinitionNode, Kind, type OperationDefinitionNode, parse } from 'graphql';
import { createClient } from 'graphql-ws';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { startApi } from '../../../src/graphql/server.ts';
import { createWorld, type World } from '../flow/world.ts';
import { issueToken } from '../issue-token.ts';

const README = readFileSync(new URL('../../../README.md', import.meta.url), 'utf8');
const CALLS = [...README.matchAll(/```graphql\n([\s\S]*?)```/g)].map(([, document = '']) => ({
  document,
  name: operationOf(document).name?.value ?? 'unnamed',
  type: operationOf(document).operation,
}));

let world: World;
let api: Awaited<ReturnType<typeof startApi>>;
let token: string;
const variables: Record<string, unknown> = {};

beforeAll(async () => {
  world = await createWorld({
    scale: 300,
    settings: { staleAfterSeconds: 3600 },
    sites: ['siteA', 'siteB'].map((name, index) => ({
      name,
      processors: 256,
      policy: 'easy' as const,
      workload: { generated: { seed: 21 + index, load: 0.3 } },
      warmDays: 20,
    })),
  });
  await world.startWorker();
  for (const name of ['siteA', 'siteB']) {
    await world.until(`${name} was observed`, async () => (await world.site(name)).historySince !== null);
  }
  const { database, clock, forecaster, adapters, limits } = world.commands;
  const logger = pino({ level: 'silent' });
  api = await startApi({ host: '127.0.0.1', port: 0, database, clock, forecaster, adapters, limits, logger });
  token = await issueToken(database.db, world.principal.id, clock.now(), null);
  const { sites } = await ask<{ sites: { id: string; name: string }[] }>('query { sites { id name } }');
  for (const { id, name } of sites) variables[name] = id;
});
afterAll(async () => {
  await api.close();
  await world.close();
});

test('the README shows calls of all three kinds of caller', () => {
  expect(CALLS.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['Submit', 'Why', 'Follow', 'Reserve', 'EitherOr', 'HowAreWeForecast', 'Drain']),
  );
});

test.each(CALLS.filter(({ type }) => type !== 'subscription'))('$name is carried out as written', async ({
  document,
}) => {
  variables.startAt = new Date((world.clock.now() + 6 * 3600) * 1000).toISOString();
  const data = await ask<Record<string, Record<string, unknown>>>(document);
  const [answer] = Object.values(data);
  expect(answer?.userErrors ?? []).toEqual([]);
  const job = answer?.job as { id: string } | undefined;
  if (job) variables.jobId = job.id;
});

test.each(CALLS.filter(({ type }) => type === 'subscription'))('$name tells what happens', async ({ document }) => {
  const client = createClient({
    url: `${api.url.replace('http', 'ws')}`,
    webSocketImpl: WebSocket,
    connectionParams: { authorization: `Bearer ${token}` },
  });
  const { submitJob } = await ask<{ submitJob: { job: { id: string } } }>(
    `mutation { submitJob(input: { script: "#!/bin/sh\\nsleep 60\\n", processors: 1, walltimeSeconds: 600, name: "followed" }) { job { id } } }`,
  );
  const states: string[] = [];
  const events = client.iterate({ query: document, variables: { jobId: submitJob.job.id } });
  for await (const event of events) {
    expect(event.errors).toBeUndefined();
    const changed = Object.values(event.data ?? {})[0] as { state: string };
    states.push(changed.state);
    if (changed.state === 'ENDED') break;
  }
  await client.dispose();
  expect(states.at(-1)).toBe('ENDED');
});

async function ask<Data>(query: string): Promise<Data> {
  const used = operationOf(query).variableDefinitions?.map(({ variable }) => variable.name.value) ?? [];
  const response = await fetch(api.url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    body: JSON.stringify({ query, variables: Object.fromEntries(used.map((name) => [name, variables[name]])) }),
  });
  const { data, errors } = (await response.json()) as { data: Data; errors?: unknown };
  expect(errors).toBeUndefined();
  return data;
}

function operationOf(document: string): OperationDefinitionNode {
  const isOperation = (node: DefinitionNode): node is OperationDefinitionNode =>
    node.kind === Kind.OPERATION_DEFINITION;
  const [operation] = parse(document).definitions.filter(isOperation);
  if (!operation) throw new Error(`no operation in ${document}`);
  return operation;
}
