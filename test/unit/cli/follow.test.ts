import { expect, test } from 'vitest';
import { followThing } from '../../../src/cli/client/follow.ts';
import type { GraphqlClient } from '../../../src/cli/client/graphql-client.ts';
import type { Thing } from '../../../src/cli/client/lookup.ts';

const ENDED = { id: 'j', state: 'ENDED', startedAt: '2026-01-01T00:00:00Z', endedAt: '2026-01-01T01:00:00Z' };
const CHARGES = [{ kind: 'NEEDED', processorSeconds: 3600 }];
const kept = (charges: object[]) => ({ id: 'r', state: 'KEPT', trajectory: [], charges, job: ENDED });
const waiting = { ...kept([]), state: 'PROMISED', job: { ...ENDED, state: 'HELD', startedAt: null, endedAt: null } };

/** An API that answers with one value after the other; an event comes after each. */
function clientOf(field: string, values: readonly object[]): GraphqlClient {
  let next = 0;
  return {
    request: async () => ({ [field]: values[Math.min(next++, values.length - 1)] }),
    subscribe: async function* () {
      for (const value of values) yield value;
    },
  } as unknown as GraphqlClient;
}

async function told(kind: Thing['kind'], values: readonly object[]): Promise<unknown[]> {
  const field = `${kind[0]?.toLowerCase()}${kind.slice(1)}`;
  const things = [];
  for await (const thing of followThing(clientOf(field, values), kind, 'x')) things.push(thing.value);
  return things;
}

test('the end of a job is told once, with its charge', async () => {
  const [before, after] = [[], CHARGES].map((charges) => ({ ...ENDED, charges }));
  expect(await told('Job', [{ ...ENDED, state: 'RUNNING', charges: [] }, before ?? {}, after ?? {}])).toEqual([
    { ...ENDED, state: 'RUNNING', charges: [] },
    after,
  ]);
});

test('the end of a job with outputs comes when these are where they belong, or never will be', async () => {
  const withOutput = (state: string, charges: object[]) => {
    return { ...ENDED, charges, stagedFiles: [{ path: 'result', direction: 'OUT', state, movedBytes: 0 }] };
  };
  const running = { ...withOutput('WAITING', []), state: 'RUNNING' };
  const values = [
    running,
    withOutput('WAITING', CHARGES),
    withOutput('MOVING', CHARGES),
    withOutput('FAILED', CHARGES),
  ];
  expect(await told('Job', values)).toEqual(values);
});

test('the end of a promise is told once, with its charge', async () => {
  expect(await told('Reservation', [waiting, kept([]), kept(CHARGES)])).toEqual([waiting, kept(CHARGES)]);
});

test('the end of a co-allocation is told once, with the charge of every leg that ran', async () => {
  const group = (...legs: object[]) => ({ id: 'g', state: 'SUCCEEDED', legs });
  const values = [
    group(kept([]), waiting),
    group(kept(CHARGES), waiting),
    group(kept(CHARGES), kept([])),
    group(kept(CHARGES), kept(CHARGES)),
  ];
  expect(await told('CoAllocation', values)).toEqual([values[0], values[1], values[3]]);
});
