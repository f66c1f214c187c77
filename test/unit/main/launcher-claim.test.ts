import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdtempSync, readdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { claimFolder, giveUpFolder, launcherOf } from '../../../src/main/launcher-claim.ts';
import { entryOf, readProcessList, writeProcessList } from '../../../src/main/process-list.ts';

let folder: string;
const running: ReturnType<typeof spawn>[] = [];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'gridcast-claim-'));
});
afterEach(() => {
  for (const one of running.splice(0)) one.kill('SIGKILL');
  rmSync(folder, { recursive: true });
});

/** A living process that could be a launcher. */
function livingProcess() {
  const living = spawn('sleep', ['600'], { stdio: 'ignore' });
  running.push(living);
  return { entry: entryOf('launcher', living.pid as number), living };
}

test('a folder is one living launcher’s, and that of the next one when it has ended or gives it up', async () => {
  const [first, second, third] = [livingProcess(), livingProcess(), livingProcess()];
  claimFolder(folder, first.entry);
  claimFolder(folder, first.entry);
  expect(() => claimFolder(folder, second.entry)).toThrow(`process ${first.entry.pid} runs in ${folder} already`);
  expect(launcherOf(folder)).toMatchObject(first.entry);

  first.living.kill('SIGKILL');
  await once(first.living, 'exit');
  claimFolder(folder, second.entry);
  expect(() => claimFolder(folder, third.entry)).toThrow(`process ${second.entry.pid} runs`);

  giveUpFolder(folder);
  expect(launcherOf(folder)).toBeNull();
  claimFolder(folder, third.entry);
  expect(readdirSync(folder), 'nothing else is left').toEqual(['launcher.json']);
});

test('a copy of a folder is free while the launcher of the folder lives, and tells of none of its processes', () => {
  const [first, second] = [livingProcess(), livingProcess()];
  claimFolder(folder, first.entry);
  writeProcessList(join(folder, 'processes.json'), [first.entry]);
  const [copy, moved] = [`${folder}-copy`, `${folder}-moved`];
  try {
    cpSync(folder, copy, { recursive: true });
    expect(readProcessList(join(copy, 'processes.json'))).toEqual([]);
    expect(launcherOf(copy)).toBeNull();
    claimFolder(copy, second.entry);
    expect(launcherOf(copy)).toMatchObject(second.entry);

    renameSync(folder, moved);
    expect(() => claimFolder(moved, second.entry), 'the folder stays its own under another name').toThrow('runs in');
    expect(readProcessList(join(moved, 'processes.json'))).toEqual([first.entry]);
    renameSync(moved, folder);
  } finally {
    for (const one of [copy, moved]) rmSync(one, { recursive: true, force: true });
  }
});

test('what an earlier version wrote down counts', () => {
  const { entry } = livingProcess();
  for (const [name, content] of [
    ['launcher.json', entry],
    ['processes.json', [entry]],
  ] as const) {
    writeFileSync(join(folder, name), JSON.stringify(content));
  }
  expect(() => claimFolder(folder, livingProcess().entry)).toThrow(`process ${entry.pid} runs`);
  expect(readProcessList(join(folder, 'processes.json'))).toEqual([entry]);
});

test.each(['null', '{}', '[]', ''])('a claim that is damaged is told at once: %j', (text) => {
  const file = join(folder, 'launcher.json');
  writeFileSync(file, text);
  expect(() => claimFolder(folder, livingProcess().entry)).toThrow(`${file} is damaged; remove it to start anew`);
  expect(readdirSync(folder)).toEqual(['launcher.json']);
});

test('a claim that leads nowhere is told, not waited for', () => {
  const file = join(folder, 'launcher.json');
  symlinkSync(join(folder, 'nowhere'), file);
  expect(() => claimFolder(folder, livingProcess().entry)).toThrow(`${file} cannot be replaced; remove it`);
});
