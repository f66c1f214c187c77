import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Fills a folder for the PATH of who uses a batch system of the lab: its client commands, and `sh`, so that files are
 * made and read by the user whose jobs they are.
 * @param become words that become a user of the lab where the system is
 * @param clients programs by their names
 */
export function writeStandIns(
  folder: string,
  become: readonly string[],
  clients: Readonly<Record<string, string>>,
): void {
  mkdirSync(folder, { recursive: true });
  const words = become.map((word) => `'${word}'`).join(' ');
  for (const [name, program] of Object.entries(clients)) write(join(folder, name), `exec ${words} ${program} "$@"`);
  // Who has become the user cannot become it again, so what it calls is found elsewhere.
  write(join(folder, 'sh'), `PATH=/usr/bin:/bin; export PATH; exec ${words} /bin/sh "$@"`);
}

function write(file: string, line: string): void {
  writeFileSync(file, `#!/bin/sh\n${line}\n`, { mode: 0o755 });
}
