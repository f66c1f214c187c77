import type { Dialect } from './config.ts';

/**
 * The value of `-l` that asks for processors: on one node when they fit there, on whole nodes when they fill some,
 * anywhere otherwise.
 * @param perNode processors of the largest node
 */
export function processorRequest(dialect: Dialect, processors: number, perNode: number): string {
  const nodes = processors <= perNode ? 1 : processors / perNode;
  if (!Number.isInteger(nodes)) {
    return dialect === 'openpbs' ? `select=${processors}:ncpus=1` : `procs=${processors}`;
  }
  const each = processors / nodes;
  return dialect === 'openpbs' ? `select=${nodes}:ncpus=${each}` : `nodes=${nodes}:ppn=${each}`;
}
