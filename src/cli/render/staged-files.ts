import { formatBytes } from '../../domain/bytes.ts';
import type { JobAnswer, StagedFileAnswer } from '../client/answers.ts';

/** How far the files of a job are, and what is wrong with those that do not go on; null where none is moved. */
export function describeFiles({ stagedFiles = [] }: Pick<JobAnswer, 'stagedFiles'>): string | null {
  if (stagedFiles.length === 0) return null;
  const ways = (['IN', 'OUT'] as const).flatMap((direction) => {
    const files = stagedFiles.filter((file) => file.direction === direction);
    const moved = files.filter(({ state }) => state === 'MOVED').length;
    return files.length === 0 ? [] : [`${moved} of ${files.length} ${direction.toLowerCase()}`];
  });
  return [...ways, ...stagedFiles.flatMap((file) => describeFile(file) ?? [])].join('; ');
}

function describeFile({ path, state, bytes, movedBytes, reason }: StagedFileAnswer): string | null {
  if (state === 'MOVED' || (state === 'WAITING' && reason === null)) return null;
  const size = bytes === null ? '' : ` of ${formatBytes(bytes)}`;
  const how = state === 'MOVING' ? `${formatBytes(movedBytes)}${size} moved` : state.toLowerCase();
  return `${path} ${how}${reason === null ? '' : `: ${reason}`}`;
}
