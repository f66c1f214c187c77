import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { adapters } from '../../../adapters/index.ts';

const rest = { kind: 'rest', url: 'http://127.0.0.1:6820', user: 'alice', tokenFile: '/run/gridcast/token' };

describe('the configuration of a Slurm site', () => {
  test.each([
    ['by commands', { transport: { kind: 'local' }, workFolder: '/scratch' }],
    ['by ssh, with hardly anything said', { transport: { kind: 'ssh', host: 'login.example.org' } }],
    ['by slurmrestd', { transport: rest, workFolder: '/scratch' }],
    [
      'by slurmrestd on a socket',
      { transport: { ...rest, url: undefined, socketPath: '/run/rest' }, workFolder: '/s' },
    ],
    [
      'with its history in a file',
      {
        transport: { kind: 'ssh', host: 'l' },
        accounting: { kind: 'jobcomp', file: '/var/log/jobcomp', timeZone: 'Europe/Berlin' },
      },
    ],
  ])('%s', (_, configuration) => {
    expect(adapters.check('slurm', configuration)).toEqual([]);
  });

  test.each([
    ['no folder for jobs that are handed over here', { transport: { kind: 'local' } }, 'workFolder'],
    ['no folder for jobs that are handed over by REST', { transport: rest }, 'workFolder'],
    ['an option for a host', { transport: { kind: 'ssh', host: '-oProxyCommand=touch /tmp/x' } }, 'transport.host'],
    ['a token in place of its file', { transport: { ...rest, token: 'eyJ' }, workFolder: '/s' }, 'token'],
    ['a misspelt field', { transport: { kind: 'local' }, workFolder: '/s', timeoutMs: 5 }, 'timeoutMs'],
    [
      'a completion file behind REST',
      { transport: rest, workFolder: '/s', accounting: { kind: 'jobcomp', file: '/f' } },
      'accounting',
    ],
    [
      'a zone that does not exist',
      {
        transport: { kind: 'local' },
        workFolder: '/s',
        accounting: { kind: 'jobcomp', file: '/f', timeZone: 'Mars/Base' },
      },
      'accounting.timeZone',
    ],
  ])('is refused by the name of its fault: %s', (_, configuration, field) => {
    expect(adapters.check('slurm', configuration).join('\n')).toContain(field);
  });
});

describe('the examples of docs/connect-a-slurm-site.md', () => {
  const guide = readFileSync(new URL('../../../docs/connect-a-slurm-site.md', import.meta.url), 'utf8');
  const examples = [...guide.matchAll(/```json\n(.*?)```/gs)].map(([, text = '']) => text);

  test.each(examples)('can be registered: %s', (text) => {
    expect(adapters.check('slurm', JSON.parse(text))).toEqual([]);
  });

  test('say how ended jobs are remembered', () => {
    const kinds = [...guide.matchAll(/`("accounting": \{.*?\})`/g)].map(([, text]) => JSON.parse(`{${text}}`));
    expect(examples.length).toBe(4);
    expect(kinds.length).toBe(2);
    for (const accounting of kinds) {
      expect(adapters.check('slurm', { ...accounting, transport: { kind: 'ssh', host: 'login' } })).toEqual([]);
    }
  });
});
