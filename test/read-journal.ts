import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { JournalEntry } from '../adapters/simulator/journal.ts';

/** Every whole entry of a simulated site's journal, to count native jobs per key. */
export function readJournal(folder: string, site: string): JournalEntry[] {
  const lines = readFileSync(join(folder, `${site}.ndjson`), 'utf8')
    .split('\n')
    .slice(1, -1);
  return lines.map((line) => JSON.parse(line) as JournalEntry);
}
