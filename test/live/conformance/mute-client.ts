import { chmodSync, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Trouble } from '../../conformance/adapters/site-under-test.ts';

/**
 * A stand-in for a submission command, for the head of a PATH: the real one runs, but what it says is swallowed and the
 * caller waits for nothing.
 * @param command the real one with its folder
 */
export function muteClient(folder: string, name: string, command: string): Trouble & { readonly folder: string } {
  const file = join(folder, name);
  mkdirSync(folder, { recursive: true });
  chmodSync(folder, 0o755);
  return {
    folder,
    begin: () => writeFileSync(file, `#!/bin/sh\n${command} "$@" >/dev/null 2>&1\nexec sleep 60\n`, { mode: 0o755 }),
    end: () => {
      if (existsSync(file)) rmSync(file);
    },
  };
}
