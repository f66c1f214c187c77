import { describe, expect, test } from 'vitest';
import { QueueOrder } from '../../../../src/predict/wait/gridcast/queue-order.ts';
import { Cluster } from '../../../../src/sim/cluster.ts';
import { clusterSnapshot } from '../../../../src/sim/cluster-snapshot.ts';
import { generateJobs } from '../../../../src/sim/generator.ts';
import { POLICIES, POLICY_NAMES, type PolicyName } from '../../../../src/sim/policy.ts';

const PROCESSORS = 64;
const SNAPSHOT_SECONDS = 300;
const JOBS = 400;
/** FCFS gets through less. */
const LOADS: Partial<Record<PolicyName, number>> = { fcfs: 0.4 };

/** What is seen of a site that is looked at every five minutes for some days. */
function watched(policy: PolicyName, seed: number): QueueOrder {
  const order = new QueueOrder();
  const cluster = new Cluster({ processors: PROCESSORS, policy: POLICIES[policy] });
  const jobs = generateJobs({ seed, load: LOADS[policy] ?? 0.8, processors: PROCESSORS, fromAt: 0, steady: true });
  let lookAt = 0;
  for (let i = 0; i < JOBS; i++) {
    const job = jobs.next().value;
    for (; lookAt < job.submitAt; lookAt += SNAPSHOT_SECONDS) {
      cluster.advanceTo(lookAt);
      order.observe(clusterSnapshot(cluster));
    }
    cluster.advanceTo(job.submitAt);
    cluster.submit(job);
  }
  return order;
}

describe('whether a site lets jobs past one that does not fit', () => {
  test('is taken for granted while little was seen', () => {
    expect(new QueueOrder().letsPast).toBe(true);
  });

  test.each([1, 2, 3, 4, 5])('is seen of every policy, seed %i', (seed) => {
    const inOrder = POLICY_NAMES.filter((policy) => !watched(policy, seed).letsPast);
    expect(inOrder).toEqual(['fcfs']);
  });
});
