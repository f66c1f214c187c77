import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** A folder for the head of a PATH, with a stand-in for one command. */
export interface LossyClient {
  readonly folder: string;
  /** From now on so many answers in a hundred never come: the real command has run, and its caller's process dies. */
  dropPercent(percent: number): void;
}

/** @param command the real one with its folder */
export function lossyClient(folder: string, name: string, command: string): LossyClient {
  mkdirSync(folder, { recursive: true, mode: 0o755 });
  const share = join(folder, 'percent');
  const program = `#!/bin/sh
read -r percent < '${share}'
if [ $(($(od -An -N2 -tu2 /dev/urandom) % 100)) -lt "$percent" ]; then
  '${command}' "$@" > /dev/null 2>&1
  kill -KILL $$
fi
exec '${command}' "$@"
`;
  writeFileSync(join(folder, name), program, { mode: 0o755 });
  const dropPercent = (percent: number) => writeFileSync(share, `${percent}\n`);
  dropPercent(0);
  return { folder, dropPercent };
}
