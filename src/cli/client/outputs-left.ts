import type { JobAnswer, StagedFileAnswer } from './answers.ts';

type Files = Pick<JobAnswer, 'stagedFiles'>;

/** The outputs of a job that are not where they belong. */
export function outputsLeft({ stagedFiles = [] }: Files): StagedFileAnswer[] {
  return stagedFiles.filter(({ direction, state }) => direction === 'OUT' && state !== 'MOVED');
}

/** Whether outputs of a job are still being moved. */
export function isMovingOut(job: Files): boolean {
  return outputsLeft(job).some(({ state }) => state === 'WAITING' || state === 'MOVING');
}
