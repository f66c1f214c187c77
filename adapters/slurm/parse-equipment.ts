import { parseBytes } from '../shared/amounts.ts';
import type { SlurmGpus } from './slurm-job.ts';

/** Reads a node's features, `fast,ib`; none of `(null)`. */
export function parseFeatures(text: string): string[] {
  return text === '' || text === '(null)' ? [] : text.split(',');
}

/**
 * Reads the GPUs among generic resources as sinfo, scontrol and slurmrestd write them, `gpu:a100:2(S:0-1),nic:1` or
 * `gpu:2`, counts perhaps with a `K` or `M`. The same form tells those that are in use, `gpu:a100:1(IDX:0)`.
 */
export function parseGpus(text: string): SlurmGpus[] {
  const words = text.replaceAll(/\([^)]*\)/g, '').split(',');
  return words.flatMap((word) => {
    const [name, ...others] = word.split(':').filter((part) => part !== 'no_consume');
    if (name !== 'gpu') return [];
    const [, digits = '1', suffix = ''] = /^(\d+)([KM]?)$/i.exec(others.at(-1) ?? '') ?? [];
    const kind = others.length > 1 ? (others[0] ?? null) : null;
    return [{ kind, count: Number(digits) * (FACTORS[suffix.toUpperCase()] ?? 1) }];
  });
}

const FACTORS: Readonly<Record<string, number>> = { K: 1024, M: 1024 ** 2 };

/** How much of one thing a job was given or asks for, in `cpu=4,mem=1200M,billing=9,gres/gpu=2`; null of none. */
export function countOfTres(text: string, name: string): number | null {
  const word = text.split(',').find((one) => one.startsWith(`${name}=`));
  const count = Number(word?.slice(name.length + 1));
  return word === undefined || !Number.isFinite(count) ? null : count;
}

/** Memory that a list of TRES tells, in mebibytes; null where it tells none. */
export function memoryOfTres(text: string): number | null {
  const bytes = parseBytes(/(?:^|,)mem=([^,]+)/.exec(text)?.[1]);
  return bytes === null ? null : Math.round(bytes / BYTES_PER_MEBIBYTE);
}

const BYTES_PER_MEBIBYTE = 1024 * 1024;

/** How many there are, of whatever kind. */
export function countGpus(gpus: readonly SlurmGpus[]): number {
  return gpus.reduce((sum, { count }) => sum + count, 0);
}
