import type { JobRecord } from '../../../../src/domain/job.ts';
import type { SiteFacts } from '../../../../src/domain/site.ts';
import type { NativeJob, SiteAdapter } from '../../../../src/domain/site-adapter.ts';
import type { Snapshot } from '../../../../src/domain/snapshot.ts';
import { describeAgreement } from '../agreement.ts';
import { describeAdapter } from '../describe-adapter.ts';
import { makeSimulatedSite } from '../simulated-site.ts';

const ZONE_SECONDS = -3 * 3600;
type Verbs = Partial<SiteAdapter>;

/** What is wrong with an adapter, each in one way that an author might overlook. */
const MISTAKES: Readonly<Record<string, (right: SiteAdapter) => Verbs>> = {
  'nothing at all': () => ({}),
  'history in milliseconds': (right) => ({ history: ofHistory(right, (at) => at * 1000) }),
  'history in another zone': (right) => ({ history: ofHistory(right, (at) => at + ZONE_SECONDS) }),
  'walltimes of history in minutes': (right) => ({
    history: ofHistory(
      right,
      (at) => at,
      (seconds) => seconds && seconds / 60,
    ),
  }),
  'starts of running jobs in another zone': (right) => ({
    snapshot: ofSnapshot(right, (snapshot) => ({
      ...snapshot,
      running: snapshot.running.map((job) => ({ ...job, startAt: job.startAt + ZONE_SECONDS })),
    })),
  }),
  'a job missing from one look in five': (right) => {
    let looks = 0;
    return {
      snapshot: ofSnapshot(right, (snapshot) =>
        ++looks % 5 === 0 ? { ...snapshot, running: snapshot.running.slice(1) } : snapshot,
      ),
    };
  },
  'free processors that are busy': (right) => ({
    snapshot: ofSnapshot(right, (snapshot) => ({ ...snapshot, freeProcessors: snapshot.processors })),
  }),
  'cancelled jobs that never started': (right) => ({
    inspect: async (refs) => {
      const jobs = [...(await right.inspect(refs)).values()];
      return new Map(jobs.map((job) => [job.nativeId, neverStarted(job)]));
    },
  }),
  'only the first of several jobs is inspected': (right) => ({ inspect: (refs) => right.inspect(refs.slice(0, 1)) }),
  'limits of queues in minutes': (right) => ({
    facts: ofFacts(right, (seconds) => seconds && seconds / 60),
  }),
  'limits of queues in milliseconds': (right) => ({ facts: ofFacts(right, (seconds) => seconds && seconds * 1000) }),
  'history that never goes on': (right) => ({
    history: async (since) => ({ records: (await right.history(since)).records, nextSince: since }),
  }),
  'a key that is found by its beginning': (right) => ({
    find: async (key, intendedAt) => (await right.find(key, intendedAt)) ?? (await right.find(`${key}0`, intendedAt)),
  }),
};

function ofHistory(
  right: SiteAdapter,
  moment: (at: number) => number,
  walltime = (seconds: number | null) => seconds,
): SiteAdapter['history'] {
  const known = (at: number | null) => at && moment(at);
  const altered = ({ submitAt, startAt, endAt, requestedWalltimeSeconds, ...record }: JobRecord): JobRecord => {
    const times = { submitAt: moment(submitAt), startAt: known(startAt), endAt: known(endAt) };
    return { ...record, ...times, requestedWalltimeSeconds: walltime(requestedWalltimeSeconds) };
  };
  return async (since) => {
    const { records, nextSince } = await right.history(since);
    return { records: records.map(altered), nextSince };
  };
}

function ofSnapshot(right: SiteAdapter, alter: (snapshot: Snapshot) => Snapshot): SiteAdapter['snapshot'] {
  return async () => alter(await right.snapshot());
}

function ofFacts(right: SiteAdapter, limit: (seconds: number | null) => number | null): SiteAdapter['facts'] {
  return async (): Promise<SiteFacts> => {
    const { queues, ...facts } = await right.facts();
    return {
      ...facts,
      queues: queues.map((queue) => ({ ...queue, maxWalltimeSeconds: limit(queue.maxWalltimeSeconds) })),
    };
  };
}

function neverStarted(job: NativeJob): NativeJob {
  return job.state === 'ENDED' && job.outcome === 'CANCELLED' ? { ...job, startAt: null } : job;
}

for (const [mistake, alter] of Object.entries(MISTAKES)) {
  const makeSite = async () => {
    const site = await makeSimulatedSite();
    const right = site.adapter;
    const verbs = alter(right);
    const adapter = new Proxy(right, {
      get: (_, name) => {
        const member: unknown = Reflect.get(verbs, name) ?? Reflect.get(right, name);
        return typeof member === 'function' ? member.bind(right) : member;
      },
    });
    return { ...site, adapter };
  };
  describeAdapter(mistake, makeSite, null, [describeAgreement]);
}
