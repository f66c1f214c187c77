import { describe, expect, test } from 'vitest';
import { SiteFailure, Unavailable, Unknown } from '../../../src/domain/failures.ts';
import type { NativeJob } from '../../../src/domain/site-adapter.ts';
import { during } from './site-under-test.ts';
import { failureOf, freshKey, need, sleeping, type Visitor } from './visitor.ts';

const SPEC = { name: 'fault', script: sleeping(600), arguments: [], processors: 1, walltimeSeconds: 900, queue: null };

/** What an adapter says when the site cannot be asked, and that nothing is lost by it. */
export function describeFaults(visitor: () => Visitor): void {
  describe('a controller that does not run', () => {
    test('is unavailable, nothing happens there, and jobs are what they were afterwards', async (context) => {
      const { site } = visitor();
      const trouble = need(context, site.controllerDown);
      const running = await visitor().run();
      const key = freshKey();
      await during(trouble, async () => {
        await expectUnavailable(visitor(), running.ref);
        expect(await failureOf(site.adapter.submit(SPEC, key))).toBeInstanceOf(Unavailable);
      });
      await untilItAnswers(visitor());
      expect(await visitor().inspect(running.ref)).toMatchObject({ state: 'RUNNING' });
      expect(await site.adapter.find(key, site.now() - 60)).toBeNull();
      await visitor().cancelAll(running.ref);
    });
  });

  describe('a controller that hangs', () => {
    test('leaves a submission unknown, and find decides when it answers again', async (context) => {
      const { site } = visitor();
      const trouble = need(context, site.controllerHung);
      const running = await visitor().run();
      const key = freshKey();
      await during(trouble, async () => {
        expect(await failureOf(site.adapter.submit(SPEC, key))).toBeInstanceOf(Unknown);
        await expectUnavailable(visitor(), running.ref);
      });
      await untilItAnswers(visitor());
      expect(await visitor().inspect(running.ref)).toMatchObject({ state: 'RUNNING' });
      let found = null as NativeJob | null;
      // What hung may be carried out between two questions.
      await site.until('find and queue agree', async () => {
        found = await site.adapter.find(key, site.now() - 60);
        return (await visitor().bearersOf(key)).length === (found ? 1 : 0);
      });
      await visitor().cancelAll(running.ref, ...(found ? [found] : []));
    });
  });

  describe('lost authentication', () => {
    test('is said clearly, is no refusal of the job, and passes', async (context) => {
      const { site } = visitor();
      const trouble = need(context, site.authenticationLost);
      const key = freshKey();
      await during(trouble, async () => {
        await site.until('the site is unavailable for that reason', async () => {
          const failure = await failureOf(site.adapter.snapshot());
          expect(failure).toBeInstanceOf(Unavailable);
          return trouble.words.test(failure.message);
        });
        const refused = await failureOf(site.adapter.submit(SPEC, key));
        expect(refused).toBeInstanceOf(Unavailable);
        expect(refused.message).toMatch(trouble.words);
      });
      await untilItAnswers(visitor());
      expect(await site.adapter.find(key, site.now() - 60)).toBeNull();
    });
  });
}

/** No verb that reads takes silence for an answer. */
async function expectUnavailable({ site: { adapter, now } }: Visitor, ref: { nativeId: string; submittedAt: number }) {
  const failures = await Promise.all([
    failureOf(adapter.snapshot()),
    failureOf(adapter.find(freshKey(), now())),
    failureOf(adapter.inspect([ref])),
  ]);
  for (const failure of failures) expect(failure).toBeInstanceOf(Unavailable);
  const cancelling = await failureOf(adapter.cancel({ ...ref, nativeId: '99999999' }));
  expect(cancelling.kind).not.toBe('final');
}

async function untilItAnswers({ site }: Visitor): Promise<void> {
  await site.until('the site answers again', () =>
    site.adapter.snapshot().then(
      () => true,
      (error: unknown) => {
        if (error instanceof SiteFailure) return false;
        throw error;
      },
    ),
  );
}
