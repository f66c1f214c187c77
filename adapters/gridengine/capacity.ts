import type { Hosts, QueueInstance } from './parse.ts';

/** Slots of a cell: all of them, and of the queues that take jobs those in service and those free. */
export interface Capacity {
  readonly all: number;
  readonly inService: number;
  readonly free: number;
}

/** Counts slots host by host, since queues may share a host whose own limit is smaller than what they have together. */
export function capacityOf({ instances, slotsLeft }: Hosts): Capacity {
  const batch = instances.filter(runsBatchJobs);
  const hosts = [...new Set(batch.map(({ host }) => host))].map((host) => {
    const queues = batch.filter((instance) => instance.host === host);
    return capacityOfHost(queues, slotsLeft.get(host) ?? Number.POSITIVE_INFINITY);
  });
  return {
    all: sum(hosts.map(({ all }) => all)),
    inService: sum(hosts.map(({ inService }) => inService)),
    free: sum(hosts.map(({ free }) => free)),
  };
}

function capacityOfHost(queues: readonly QueueInstance[], slotsLeft: number): Capacity {
  const limit = slotsLeft + sum(queues.map(({ usedSlots }) => usedSlots));
  const open = queues.filter(takesJobs);
  const held = sum(queues.filter((queue) => !takesJobs(queue)).map(({ usedSlots }) => usedSlots));
  const openSlots = sum(open.map(({ slots }) => slots));
  const openFree = sum(open.map(({ slots, usedSlots, reservedSlots }) => slots - usedSlots - reservedSlots));
  return {
    all: Math.min(limit, sum(queues.map(({ slots }) => slots))),
    inService: Math.min(limit, openSlots + held),
    free: Math.max(0, Math.min(slotsLeft, openFree)),
  };
}

/**
 * Whether scheduling reaches the queue on that host, by the letters of its state, qstat(1): not when its host is not
 * heard of (`u`), it is disabled (`d`, `D` by a calendar), suspended (`s`, `S`, `C`), in error (`E`), orphaned (`o`) or
 * its configuration ambiguous (`c`). One that is above its load threshold (`a`) takes jobs again in a moment.
 */
export function takesJobs({ state }: QueueInstance): boolean {
  return !/[udDsSCEoc]/.test(state);
}

/** Whether a queue is for more than interactive use. */
export function runsBatchJobs({ types }: QueueInstance): boolean {
  return /[BP]/.test(types);
}

export function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
