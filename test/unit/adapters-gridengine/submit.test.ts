import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { GridEngineCommands, type Submission } from '../../../adapters/gridengine/commands.ts';
import { gridEngineConfig } from '../../../adapters/gridengine/config.ts';
import { createCommandSite } from '../../../adapters/shared/command-config.ts';
import type { CommandSite } from '../../../adapters/shared/command-site.ts';

const SUBMISSION: Submission = {
  jobName: 'gridcast.gc-1-1',
  title: 'a b',
  script: '#!/bin/sh\nprintf %s "$GRIDCAST_PROCESSORS"\n',
  walltimeSeconds: 62,
  processors: 12,
  parallelEnvironment: 'smp',
  queue: 'all.q',
  workFolder: '/scratch',
};

let folder: string;
let site: CommandSite;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'gridcast-cell-'));
  // Keeps what it is told, and starts the script at once as the cell would: with what `-v` says, and nothing else.
  const qsub = `#!/bin/sh
printf '%s\\0' "$@" > "$0.argv"
cat > "$0.script"; chmod +x "$0.script"
while [ "$1" != -v ]; do shift; done
env -i "$2" "$0.script" > "$0.output"
echo 7`;
  writeFileSync(join(folder, 'qsub'), qsub);
  chmodSync(join(folder, 'qsub'), 0o755);
  const settings = gridEngineConfig.parse({ environment: { PATH: `${folder}:/usr/bin:/bin` } });
  site = createCommandSite(settings.transport, settings);
});
afterEach(async () => {
  await site.close();
  rmSync(folder, { recursive: true });
});

const kept = (what: string) => readFileSync(join(folder, `qsub.${what}`), 'utf8');

test('a job is told its processors by the cell, and the rest of it by options alone', async () => {
  expect(await new GridEngineCommands(site).submit(SUBMISSION)).toBe('7');
  expect(kept('output')).toBe('12');
  expect(kept('argv').split('\0').slice(0, -1)).toEqual([
    ...['-terse', '-C', '', '-S', '/usr/bin/env', '-w', 'e', '-N', 'gridcast.gc-1-1', '-ac', 'gridcast_name=a%20b'],
    ...['-l', 'h_rt=62', '-v', 'GRIDCAST_PROCESSORS=12', '-pe', 'smp', '12', '-q', 'all.q', '-wd', '/scratch'],
  ]);
});

test('one of a single processor, in any queue, is told so, too', async () => {
  await new GridEngineCommands(site).submit({ ...SUBMISSION, processors: 1, parallelEnvironment: null, queue: null });
  expect(kept('output')).toBe('1');
  expect(kept('argv')).not.toMatch(/\0-pe\0|\0-q\0/);
});
