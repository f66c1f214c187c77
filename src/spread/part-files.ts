import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { ToldParts } from '../experiment/run/part-threads.ts';
import { WorkloadError } from '../sim/workload-error.ts';
import { PartFault, type PartFile } from './part-jobs.ts';

/**
 * The files that parts read, by name and checksum.
 * @param parameters names of those that list files
 * @throws WorkloadError for one that cannot be read, RangeError for two of one name
 */
export async function filesOf(
  { source, parameters: told }: ToldParts,
  parameters: readonly string[],
): Promise<PartFile[]> {
  const listed = parameters.flatMap((name) => String(told[name] ?? '').split(','));
  const named = [...('trace' in source ? [source.trace] : []), ...listed].filter((file) => file !== '');
  const files = await Promise.all([...new Set(named)].map(fileOf));
  for (const { told: path, name, sha256 } of files) {
    const other = files.find((file) => file.name === name && file.sha256 !== sha256);
    if (other) throw new RangeError(`${path} and ${other.told} have one name, by which workers would mix them up`);
  }
  return files;
}

async function fileOf(told: string): Promise<PartFile> {
  const name = basename(told);
  try {
    return { told, name, sha256: await sha256Of(told) };
  } catch (error) {
    throw new WorkloadError(name, null, `cannot be read: ${(error as Error).message}`);
  }
}

/** A worker's folder of logs. What it has read once it does not read again for its checksum until it changes. */
export class FileFolder {
  private readonly known = new Map<string, { modifiedAt: number; bytes: number; sha256: string }>();

  constructor(private readonly folder: string) {}

  /**
   * Where the files are here, by how they are told.
   * @throws PartFault for one that is missing, or of another content
   */
  async find(files: readonly PartFile[]): Promise<Record<string, string>> {
    const places = await Promise.all(files.map(async (file) => [file.told, await this.place(file)] as const));
    return Object.fromEntries(places);
  }

  private async place({ name, sha256 }: PartFile): Promise<string> {
    if (name !== basename(name) || name === '..' || name === '.')
      throw new PartFault('FILE', `"${name}" is no name of a file`);
    const path = join(this.folder, name);
    const found = await this.checksum(path);
    if (found === sha256) return path;
    const what = found === null ? `has no file ${name}` : `has another file ${name}, of checksum ${found}`;
    throw new PartFault('FILE', `${what}; put the one with the SHA-256 ${sha256} into its folder ${this.folder}`);
  }

  private async checksum(path: string): Promise<string | null> {
    const found = await stat(path).catch(() => null);
    if (!found?.isFile()) return null;
    const { mtimeMs: modifiedAt, size: bytes } = found;
    const before = this.known.get(path);
    if (before && before.modifiedAt === modifiedAt && before.bytes === bytes) return before.sha256;
    const sha256 = await sha256Of(path);
    this.known.set(path, { modifiedAt, bytes, sha256 });
    return sha256;
  }
}

async function sha256Of(path: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(path), hash);
  return hash.digest('hex');
}
