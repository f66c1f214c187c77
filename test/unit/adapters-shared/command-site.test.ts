import { describe, expect, test } from 'vitest';
import type { CommandRunner } from '../../../adapters/shared/command.ts';
import { CommandSite } from '../../../adapters/shared/command-site.ts';
import { createLocalRunner } from '../../../adapters/shared/local-runner.ts';
import { SiteGuard } from '../../../adapters/shared/site-guard.ts';

const guard = {
  maxConcurrent: 8,
  maxWaiting: 100,
  failuresInARow: 50,
  coolDownMilliseconds: 100,
  maxWaitMilliseconds: 60_000,
};
const limits = { timeoutMilliseconds: 300, outputLimitCharacters: 10_000, environment: {} };
const site = new CommandSite(createLocalRunner(limits), new SiteGuard('here', guard));
const statusOf = ({ exitCode }: { exitCode: number }) => exitCode;

describe('a command that gives no result', () => {
  test('changed nothing when it only reads', async () => {
    await expect(site.ask('scheduler', { argv: ['sleep', '9'] }, statusOf)).rejects.toMatchObject({
      kind: 'transient',
    });
  });

  test('may have changed something when it can', async () => {
    await expect(site.change('scheduler', { argv: ['sleep', '9'] }, statusOf)).rejects.toMatchObject({
      kind: 'unknown',
    });
    const killed = site.change('scheduler', { argv: ['sh', '-c', 'kill -9 $$'] }, statusOf);
    await expect(killed).rejects.toMatchObject({ kind: 'unknown' });
  });

  test('changed nothing when it never ran', async () => {
    for (const argv of [['no-such-program'], ['env', 'no-such-program']] as const) {
      await expect(site.change('scheduler', { argv }, statusOf)).rejects.toMatchObject({
        kind: 'transient',
        message: expect.stringContaining('local commands: '),
      });
    }
  });
});

test('the clock of the place is as far from ours as it last told', async () => {
  const told = [undefined, -600, undefined, 7];
  const runner: CommandRunner = {
    place: 'there',
    run: async () => {
      const clockSkewSeconds = told.shift();
      const result = { exitCode: 0, stdout: '', stderr: '' };
      return clockSkewSeconds === undefined ? result : { ...result, clockSkewSeconds };
    },
    close: async () => undefined,
  };
  const there = new CommandSite(runner, new SiteGuard('there', guard));
  const known: number[] = [];
  while (told.length > 0) {
    await there.ask('scheduler', { argv: ['true'] }, statusOf);
    known.push(there.clockSkewSeconds);
  }
  expect(known).toEqual([0, -600, -600, 7]);
});

test('a status other than 0 is for the adapter to understand', async () => {
  await expect(site.ask('scheduler', { argv: ['false'] }, statusOf)).resolves.toBe(1);
});

test('warnings about languages are none of the words of a site', async () => {
  const said = [
    'perl: warning: Setting locale failed.',
    'perl: warning: Please check that your locale settings:',
    '\tLANGUAGE = (unset),',
    '\tLC_ALL = (unset),',
    '\tLANG = "xx_XX.UTF-8"',
    '    are supported and installed on your system.',
    'perl: warning: Falling back to the standard locale ("C").',
    'bash: warning: setlocale: LC_ALL: cannot change locale (xx_XX.UTF-8): No such file or directory',
    '[ADMISSION RULE] too many jobs',
    'in this locale',
  ].join('\n');
  const words = await site.ask(
    'scheduler',
    { argv: ['sh', '-c', 'echo "$1" >&2', 'sh', said] },
    ({ stderr }) => stderr,
  );
  expect(words.trim()).toBe('[ADMISSION RULE] too many jobs\nin this locale');
});
