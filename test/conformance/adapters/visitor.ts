import { randomUUID } from 'node:crypto';
import { expect, type TestContext } from 'vitest';
import { SiteFailure } from '../../../src/domain/failures.ts';
import type { JobSpec } from '../../../src/domain/job.ts';
import type { Acceptance, NativeJob, NativeRef } from '../../../src/domain/site-adapter.ts';
import { believed } from './believed.ts';
import { isLacking, type Lacking, type SiteUnderTest } from './site-under-test.ts';

const LONG_SECONDS = 3000;

/** Somebody who uses a site through its adapter, with what every case needs. */
export class Visitor {
  /** A job that began when the suite did and outlives its walltime, so that nobody has to wait for its whole life. */
  readonly doomed: Promise<Acceptance>;

  readonly site: SiteUnderTest;
  private readonly submitted: Acceptance[] = [];

  /** @param site whose adapter is heard as the service hears it */
  constructor(site: SiteUnderTest) {
    this.site = { ...site, adapter: believed(site) };
    const spec = { ...job(sleeping(LONG_SECONDS)), walltimeSeconds: site.shortestWalltimeSeconds };
    this.doomed = this.site.adapter.submit(spec, freshKey());
    // Whoever waits for it hears of a refusal; until then it is nobody's.
    this.doomed.catch(() => undefined);
  }

  /** Submits a small job under a fresh key. */
  async submit(overrides: Partial<JobSpec> = {}): Promise<{ key: string; ref: Acceptance }> {
    const key = freshKey();
    const ref = await this.site.adapter.submit({ ...job('#!/bin/sh\nexit 0\n'), ...overrides }, key);
    this.submitted.push(ref);
    return { key, ref };
  }

  /** Cancels whatever was submitted and may still be there, as far as the site lets it. */
  async leaveNothing(): Promise<void> {
    for (const ref of this.submitted.splice(0)) await this.site.adapter.cancel(ref).catch(() => undefined);
  }

  /** Submits a job that runs until it is cancelled, and waits until it does. */
  async run(overrides: Partial<JobSpec> = {}): Promise<{ key: string; ref: Acceptance }> {
    const submitted = await this.submit({
      script: sleeping(LONG_SECONDS),
      walltimeSeconds: LONG_SECONDS + 600,
      ...overrides,
    });
    await this.untilState(submitted.ref, 'RUNNING');
    return submitted;
  }

  /** Occupies all processors that are left, so that whoever comes next waits. */
  occupy(): Promise<{ key: string; ref: Acceptance }> {
    return this.run({ processors: this.site.processors - 1 });
  }

  /** What queue or accounting say of a job; undefined when neither mentions it. */
  async inspect(ref: NativeRef): Promise<NativeJob | undefined> {
    return (await this.site.adapter.inspect([ref])).get(ref.nativeId);
  }

  /** Waits until the job is in that state, and returns it. */
  async untilState<State extends NativeJob['state']>(
    ref: NativeRef,
    state: State,
    seconds = 60,
  ): Promise<Extract<NativeJob, { state: State }>> {
    let job: NativeJob | undefined;
    await this.site.until(
      `job ${ref.nativeId} is ${state}`,
      async () => {
        job = await this.inspect(ref);
        return job?.state === state;
      },
      seconds,
    );
    expect(job?.nativeId).toBe(ref.nativeId);
    return job as Extract<NativeJob, { state: State }>;
  }

  /** Cancels jobs and waits until they are known to have ended. */
  async cancelAll(...refs: readonly NativeRef[]): Promise<void> {
    for (const ref of refs) await this.site.adapter.cancel(ref);
    for (const ref of refs) await this.untilState(ref, 'ENDED');
  }

  /** Native ids of all jobs in the queue that bear the key. */
  async bearersOf(key: string): Promise<string[]> {
    const { waiting, running } = await this.site.adapter.snapshot();
    return [...waiting, ...running].filter((job) => job.key === key).map(({ nativeId }) => nativeId);
  }
}

/** A hand on the site; where it has none the test is skipped with the reason. */
export function need<Hand>(context: TestContext, hand: Hand | Lacking): Hand {
  return isLacking(hand) ? context.skip(hand.lacks) : hand;
}

/** A key as the service makes them, never used before. */
export function freshKey(): string {
  return `gc-${randomUUID().replaceAll('-', '')}-1`;
}

/** A script that does nothing for a while. */
export function sleeping(seconds: number): string {
  return `#!/bin/sh\nsleep ${seconds}\n`;
}

function job(script: string): JobSpec {
  return { name: 'conformance', script, arguments: [], processors: 1, walltimeSeconds: 600, queue: null };
}

/**
 * The failure that an adapter reports. Anything else that it throws is thrown on: a site's fault is always a
 * `SiteFailure`.
 */
export async function failureOf(promise: Promise<unknown>): Promise<SiteFailure> {
  let answer: unknown;
  try {
    answer = await promise;
  } catch (error) {
    if (error instanceof SiteFailure) return error;
    throw error;
  }
  throw new Error(`it did not fail but answered ${JSON.stringify(answer)}`);
}
