import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** What computes experiments, of all folders of the source: no other can change a row. */
const FOLDERS = ['domain', 'stats', 'predict', 'plan', 'sim', 'training', 'experiment'];

/**
 * A checksum of the code that computes parts and of what runs it. Machines with the same one give the same rows for the
 * same part.
 */
export function buildChecksum(): string {
  const hash = createHash('sha256').update(`${process.versions.v8} ${process.arch}`);
  const root = fileURLToPath(new URL('..', import.meta.url));
  for (const folder of FOLDERS) {
    const files = readdirSync(join(root, folder), { withFileTypes: true, recursive: true })
      .filter((entry) => entry.isFile() && /\.[jt]s$/.test(entry.name) && !entry.name.endsWith('.d.ts'))
      .map((entry) => join(entry.parentPath, entry.name))
      .sort();
    for (const file of files) hash.update(file.slice(root.length)).update(readFileSync(file));
  }
  return hash.digest('hex').slice(0, 16);
}
