import { spawn } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import type { CannotStart } from '../../../src/main/cannot-start.ts';
import { readCheckpoint, resumeClock } from '../../../src/main/checkpoint.ts';
import { usableDataFolder } from '../../../src/main/data-folder.ts';
import { readJsonFile, writeJsonFile } from '../../../src/main/files.ts';
import { launcherOf } from '../../../src/main/launcher-claim.ts';
import { entryOf, isOurs, readProcessList, writeProcessList } from '../../../src/main/process-list.ts';
import { clockFileOf } from '../../../src/main/stack.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'gridcast-stack-'));
  chmodSync(folder, 0o755);
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe('a clock that was stopped', () => {
  const checkpoint = { at: 1000, scale: 300 };

  test('goes on after everything it may have shown since its last checkpoint', () => {
    expect(resumeClock(checkpoint, null, 300, 5)).toEqual({ at: 1300, scale: 300, wallMilliseconds: 5 });
  });

  test('goes on after everything that was written down', () => {
    expect(resumeClock(checkpoint, 2000, 300, 5).at).toBe(2001);
    expect(resumeClock(checkpoint, 900, 300, 5).at).toBe(1300);
  });

  test('has no checkpoint before it ran', () => {
    expect(readCheckpoint(join(folder, 'clock.json'))).toBeNull();
  });
});

describe('files', () => {
  test('are replaced whole', () => {
    const file = join(folder, 'deep', 'file.json');
    writeJsonFile(file, { a: 1 });
    writeJsonFile(file, { b: 2 });
    expect(readJsonFile(file, z.object({ b: z.number() }))).toEqual({ b: 2 });
    expect(readFileSync(file, 'utf8').endsWith('\n')).toBe(true);
  });

  test('leave nothing behind that could not be written', () => {
    const place = join(folder, 'place');
    mkdirSync(join(place, 'file.json'), { recursive: true });
    expect(() => writeJsonFile(join(place, 'file.json'), {})).toThrow();
    expect(readdirSync(place)).toEqual(['file.json']);
  });

  test.each(['', '{"half":', 'null', '[]', '{}', '7'])('say when they are damaged: %j', (text) => {
    for (const [name, read] of [
      ['launcher.json', () => launcherOf(folder)],
      ['clock.json', () => readCheckpoint(clockFileOf(folder))],
      ['processes.json', () => readProcessList(join(folder, 'processes.json'))],
    ] as const) {
      expect(read(), 'there is none').toEqual(name === 'processes.json' ? [] : null);
      writeFileSync(join(folder, name), name === 'processes.json' && text === '[]' ? '[7]' : text);
      expect(read).toThrow(`${join(folder, name)} is damaged; remove it to start anew`);
      rmSync(join(folder, name));
    }
  });

  test('say when they cannot be read', () => {
    mkdirSync(join(folder, 'clock.json'));
    expect(() => readCheckpoint(clockFileOf(folder))).toThrow(`${join(folder, 'clock.json')} cannot be read: EISDIR`);
    rmSync(join(folder, 'clock.json'), { recursive: true });
  });
});

describe('processes', () => {
  test('are recognised as long as they live', () => {
    const entry = entryOf('me', process.pid);
    expect(isOurs(entry)).toBe(true);
    writeProcessList(join(folder, 'processes.json'), [entry]);
    expect(readProcessList(join(folder, 'processes.json'))).toEqual([entry]);
  });

  test('are not taken for another one that has got their pid', () => {
    expect(isOurs({ ...entryOf('me', process.pid), identity: '1 another command' })).toBe(false);
    expect(isOurs({ name: 'gone', pid: 2 ** 22 - 1, identity: '1 node' })).toBe(false);
  });
});

describe('the data folder', () => {
  test('is the wanted one where others may pass', () => {
    const wanted = join(folder, 'data');
    expect(usableDataFolder(wanted, undefined, true)).toEqual({ path: wanted, insteadOf: null });
    expect(existsSync(wanted)).toBe(true);
  });

  test('is a temporary one for root below a folder that is closed to others, always the same', () => {
    const closed = join(folder, 'closed');
    mkdirSync(closed);
    chmodSync(closed, 0o700);
    const wanted = join(closed, 'project', '.gridcast');
    const temporary = join(folder, 'tmp');
    const used = usableDataFolder(wanted, undefined, true, temporary);
    expect(used.insteadOf).toBe(wanted);
    expect(used.path.startsWith(temporary)).toBe(true);
    expect(usableDataFolder(wanted, undefined, true, temporary)).toEqual(used);
    expect(usableDataFolder(join(closed, 'other', '.gridcast'), undefined, true, temporary).path).not.toBe(used.path);
  });

  test('is named where it is a file, or would be in one', () => {
    const file = join(folder, 'file');
    writeFileSync(file, '');
    for (const isRoot of [true, false]) {
      expect(() => usableDataFolder(file, undefined, isRoot)).toThrow(`GRIDCAST_DATA: ${file} is a file and no folder`);
      const below = join(file, 'data');
      expect(() => usableDataFolder(below, '--data', isRoot)).toThrow(
        `--data: ${below} cannot be a folder, for ${file} is a file`,
      );
    }
  });

  test('is named where nobody can make it', () => {
    expect(() => usableDataFolder('/proc/nope/x')).toThrow(
      /^GRIDCAST_DATA: \/proc\/nope\/x cannot be made: ENOENT.*'\/proc\/nope'/,
    );
  });

  test('is named where it is another user’s, with both', () => {
    const other = spawn('sleep', ['600'], { stdio: 'ignore', ...(process.getuid?.() === 0 && { uid: 65_534 }) });
    onTestFinished(() => void other.kill('SIGKILL'));
    // Not even root changes who may enter these.
    const theirs = process.getuid?.() === 0 ? `/proc/${other.pid}/task` : '/proc/1';
    const owner = statSync(theirs).uid;
    expect(owner).not.toBe(process.getuid?.());
    const words = `${theirs} cannot be closed to others: it belongs to user ${owner}, and user ${process.getuid?.()} runs`;
    const fault = (() => {
      try {
        usableDataFolder(theirs);
      } catch (error) {
        return error as CannotStart;
      }
    })();
    expect(fault?.message).toContain(`GRIDCAST_DATA: ${words}`);
    expect(fault?.remedy).toContain(`give it to user ${process.getuid?.()} with chown`);
  });

  test('may be anywhere for who is not root', () => {
    const closed = join(folder, 'closed');
    mkdirSync(closed);
    chmodSync(closed, 0o700);
    expect(usableDataFolder(join(closed, 'data'), undefined, false).insteadOf).toBeNull();
  });
});
