import type { JobUse } from '../../src/domain/job-use.ts';
import { largestTold, parseBytes, parseCpuSeconds, sumTold } from '../shared/amounts.ts';
import type { SlurmJob } from './slurm-job.ts';

/** What one step of a job used, and for how long it ran. */
export interface StepUse extends JobUse {
  readonly ranSeconds: number;
  /** Memory that it might have; null or absent where that is not told. */
  readonly allocatedBytes?: number | null;
}

/**
 * A run with what its steps tell of it: what they used, and whether it was ended for its memory. Where Slurm looks at
 * memory now and then (JobAcctGatherParams=OverMemoryKill) it kills such a run and says no more than that it failed:
 * a step that was seen with more than it might have tells why.
 */
export function withSteps(job: SlurmJob, steps: readonly (StepUse | null)[], sampleSeconds: number): SlurmJob {
  const hadTooMuch = steps.some((step) => {
    return step?.allocatedBytes && step.memoryBytes !== null && step.memoryBytes > step.allocatedBytes;
  });
  const use = useOfSteps(steps, sampleSeconds);
  return { ...job, use, ...(wasKilled(job) && hadTooMuch && { state: 'OUT_OF_MEMORY' }) };
}

/** Whether a run was killed and no more is said of it. */
export function wasKilled({ state, signal }: SlurmJob): boolean {
  return state === 'FAILED' && signal === SIGKILL;
}

const SIGKILL = 9;

/**
 * The use of a step in sacct's words; null where its cluster gathers none (JobAcctGatherType): sacct then shows no
 * memory, no TRES, and a CPU time of nought that nobody has measured.
 * @param totalCpu `[DD-[HH:]]MM:SS.mmm`
 * @param maxRss of its largest task
 * @param usageIn all tasks together, `cpu=00:00:03,fs/disk=1234,mem=5678K`
 * @param usageOut likewise, `fs/disk=1234`
 */
export function useOfTres(
  totalCpu: string,
  maxRss: string,
  usageIn: string,
  usageOut: string,
  ranSeconds: number,
): StepUse | null {
  const into = readTres(usageIn);
  const memoryBytes = parseBytes(into.get('mem')) ?? parseBytes(maxRss);
  if (into.size === 0 && memoryBytes === null) return null;
  return {
    ranSeconds,
    cpuSeconds: largestTold([parseCpuSeconds(totalCpu), parseCpuSeconds(into.get('cpu'))]),
    memoryBytes,
    readBytes: parseBytes(into.get('fs/disk')),
    writtenBytes: parseBytes(readTres(usageOut).get('fs/disk')),
  };
}

function readTres(text: string): ReadonlyMap<string, string> {
  const words = text.split(',').filter((word) => word.includes('='));
  return new Map(words.map((word) => [word.slice(0, word.indexOf('=')), word.slice(word.indexOf('=') + 1)]));
}

/**
 * What all steps of a job used; null where nothing of it is gathered. Which of them ran at once is not told: the
 * largest is the most in memory. CPU time is measured at a step's end, but what it read and wrote only now and then,
 * so that what came after the last sample is missing: it is believed where that can be a small part alone.
 * @param sampleSeconds between two samples
 */
export function useOfSteps(steps: readonly (StepUse | null)[], sampleSeconds: number): JobUse | null {
  const known = steps.filter((step) => step !== null);
  if (known.length === 0) return null;
  const isSeen = isMostlySampled(known, sampleSeconds);
  return {
    cpuSeconds: sumTold(known.map(({ cpuSeconds }) => cpuSeconds)),
    memoryBytes: largestTold(known.map(({ memoryBytes }) => memoryBytes)),
    readBytes: isSeen ? sumTold(known.map(({ readBytes }) => readBytes)) : null,
    writtenBytes: isSeen ? sumTold(known.map(({ writtenBytes }) => writtenBytes)) : null,
  };
}

/** A step runs for up to the time between two samples after its last one. */
function isMostlySampled(steps: readonly StepUse[], sampleSeconds: number): boolean {
  const ran = steps.reduce((sum, { ranSeconds }) => sum + ranSeconds, 0);
  const unseen = steps.reduce((sum, { ranSeconds }) => sum + Math.min(ranSeconds, sampleSeconds), 0);
  return unseen <= MOST_UNSEEN * ran && ran > 0;
}

const MOST_UNSEEN = 0.1;
