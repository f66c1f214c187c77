import { pino } from 'pino';
import { expect, test } from 'vitest';
import { Rejected, SiteFailure, Unavailable, Unknown } from '../../../src/domain/failures.ts';
import type { SiteAdapter } from '../../../src/domain/site-adapter.ts';
import { CheckedAdapter } from '../../../src/flow/checked-adapter.ts';
import { SteppedClock } from '../../stepped-clock.ts';

const CANARY = 'Qw9ScriptCanary';
const SPEC = {
  ...{ name: 'job', script: `#!/bin/sh\necho ${CANARY} on $HOSTNAME\n`, arguments: [`--token=${CANARY}2`] },
  ...{ processors: 1, walltimeSeconds: 60, queue: null },
};

/** What a submission at which the adapter fails like that throws, and what is logged of it. */
async function fail(error: unknown) {
  const logged: string[] = [];
  const logger = pino({ level: 'trace' }, { write: (line: string) => void logged.push(line) });
  const adapter = { submit: () => Promise.reject(error), capabilities: {} } as unknown as SiteAdapter;
  const limits = { maxSkewSeconds: 60, callMilliseconds: 1000 };
  const checked = new CheckedAdapter(adapter, new SteppedClock(0), limits, logger, 'east');
  const failure = await checked.submit(SPEC, 'key').then(
    () => null,
    (thrown: unknown) => thrown,
  );
  if (!(failure instanceof SiteFailure)) throw new Error('it is a failure of the site');
  logger.warn({ err: failure }, 'submission');
  return { failure, told: `${logged.join('')}${failure.message}${failure.siteSays}` };
}

const QUOTED = `line 2: echo ${CANARY} on $HOSTNAME: not found; bad option --token=${CANARY}2`;

test.each([
  ['a refusal', new Rejected('refused', QUOTED), 'final'],
  ['a site that is away', new Unavailable(QUOTED, QUOTED), 'transient'],
  ['no answer', new Unknown('no answer', 'no answer', { cause: new Error(QUOTED, { cause: QUOTED }) }), 'unknown'],
  ['a mistake in the adapter', new TypeError(`cannot read ${CANARY.slice(0, 11)}`), 'unknown'],
] as const)('nothing of a job is in the log or the failure when its site quotes it: %s', async (_, error, kind) => {
  const { failure, told } = await fail(error);
  expect(failure.kind).toBe(kind);
  expect(told).not.toContain(CANARY.slice(0, 11));
  expect(told).not.toContain('HOSTNAME');
});

test('a failure that quotes nothing stays as it is', async () => {
  const error = new Rejected('job violates accounting policy of partition batch2', 'no such account climate7');
  expect((await fail(error)).failure).toBe(error);
});
