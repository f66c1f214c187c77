import { describe, expect, test } from 'vitest';
import { Rejected } from '../../../src/domain/failures.ts';
import type { JobSpec } from '../../../src/domain/job.ts';
import { REQUEST_NAMES } from '../../../src/domain/resources.ts';
import { freshKey, sleeping, type Visitor } from './visitor.ts';

/** A request of each name, as small as it can be. */
const SMALLEST: Readonly<Record<(typeof REQUEST_NAMES)[number], Partial<JobSpec>>> = {
  nodes: { resources: { nodes: 1 } },
  tasks: { resources: { tasks: 1 } },
  tasksPerNode: { resources: { tasksPerNode: 1 } },
  processorsPerTask: { resources: { processorsPerTask: 1 } },
  memoryPerNodeMebibytes: { resources: { memoryPerNodeMebibytes: 16 } },
  memoryPerProcessorMebibytes: { resources: { memoryPerProcessorMebibytes: 16 } },
  gpus: { resources: { gpus: 1 } },
  gpuKind: { resources: { gpus: 1, gpuKind: 'nosuchkind' } },
  constraints: { resources: { constraints: ['nosuchfeature'] } },
  exclusive: { resources: { exclusive: true } },
  licences: { resources: { licences: [{ name: 'nosuchlicence', count: 1 }] } },
  tmpPerNodeMebibytes: { resources: { tmpPerNodeMebibytes: 1 } },
  account: { terms: { account: 'nosuchaccount' } },
  qos: { terms: { qos: 'nosuchqos' } },
  siteReservation: { terms: { siteReservation: 'nosuchreservation' } },
  environment: { environment: { GRIDCAST_CONFORMANCE: '1' } },
  workFolder: { workFolder: '/tmp' },
  mail: { mail: { address: 'nobody@example.org', events: ['END'] } },
};

/** What a job asks for by name is honoured, or the job is not taken; never silently dropped. */
export function describeRequests(visitor: () => Visitor): void {
  describe('what a job asks for by name', () => {
    test.for(REQUEST_NAMES)('%s is honoured, or refused by its name', async (name) => {
      const { adapter, now } = visitor().site;
      const key = freshKey();
      const spec = {
        name: 'asks',
        script: sleeping(60),
        arguments: [],
        processors: 1,
        walltimeSeconds: 120,
        queue: null,
      };
      const askedAt = now();
      const answer = await adapter.submit({ ...spec, ...SMALLEST[name] }, key).catch((error: unknown) => error);
      if (answer instanceof Error) {
        if (!(answer instanceof Rejected)) throw answer;
        expect(answer.siteSays).not.toBe('');
        // Some sites keep a job that they refuse in their accounting: as one that ended and never ran.
        const kept = await adapter.find(key, askedAt - 60);
        if (kept !== null) expect(kept).toMatchObject({ state: 'ENDED', startAt: null });
      } else await visitor().cancelAll(answer as Awaited<ReturnType<typeof adapter.submit>>);
      if (adapter.capabilities.honours?.includes(name)) return;
      const asked = name === 'gpuKind' ? /gpuKind|gpus/ : new RegExp(name);
      expect(answer).toMatchObject({ message: expect.stringMatching(asked) });
    });
  });
}
