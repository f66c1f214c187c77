import type { EndedRecord } from '../../../src/domain/job.ts';

/** Applications by their scripts: seconds that they run, bytes that they read and write. */
const APPLICATIONS = [
  ['#!/bin/sh\nsrun ./alpha --deck aaaa\naaaaaaaaaaaaaa\naaaaaaaa', 600, 2e6, 5e9],
  ['#!/bin/bash\n#BB\nmodule load beta\nbbbbbbbbbbbbbbbb\nbb', 7200, 8e9, 3e4],
] as const;

/** Jobs of two applications in turn, that end before the next one is submitted. */
export function scriptedJobs(count: number): EndedRecord[] {
  return Array.from({ length: count }, (_, i) => {
    const [script, ran, readBytes, writtenBytes] = APPLICATIONS[i % 2] as (typeof APPLICATIONS)[number];
    const at = 10_000 * i;
    return {
      ...{ nativeId: `${i}`, user: 'ann', queue: null, processors: 4, requestedWalltimeSeconds: 36_000 },
      ...{ submitAt: at, startAt: at, endAt: at + ran, outcome: 'COMPLETED' },
      program: { name: 'job', script, arguments: [], workFolder: null },
      use: { cpuSeconds: null, memoryBytes: null, readBytes, writtenBytes },
    };
  });
}
