import { expect, test } from 'vitest';
import { readScript } from '../../../adapters/simulator/script.ts';
import { withHoldPreamble } from '../../../src/plan/hold-preamble.ts';

test('a script without a sleep ends in a second, well', () => {
  expect(readScript('#!/bin/sh\ntrue\n', 1)).toEqual({ holdUntilAt: null, runSeconds: 1, exitCode: 0 });
});

test('what it echoes is its output, at the moment at which it is said', () => {
  const script =
    "#!/bin/sh\necho begins\nsleep 5\necho 'no more' >&2\nwhile x; do\necho lost\ndone\necho\nexit 3\necho never\n";
  expect(readScript(script, 1).says).toEqual([
    { afterSeconds: 0, stream: 'STDOUT', text: 'begins\n' },
    { afterSeconds: 5, stream: 'STDERR', text: 'no more\n' },
    { afterSeconds: 5, stream: 'STDOUT', text: '\n' },
  ]);
  const said = readScript(`echo ${'x'.repeat(60_000)}\n`.repeat(3), 1).says ?? [];
  expect(said).toHaveLength(1);
});

test('sleeps add up, loops do not count, and nothing follows an exit', () => {
  const script =
    '#!/bin/sh\nsleep 10\nwhile wait_for_it; do\n  sleep 5\ndone\n  sleep 2.5\nexit 4\nsleep 100\nexit 5\n';
  expect(readScript(script, 1)).toEqual({ holdUntilAt: null, runSeconds: 12.5, exitCode: 4 });
});

test('a one-line loop ends where it stands', () => {
  expect(readScript('for i in 1 2; do sleep 9; done\nsleep 3\n', 1).runSeconds).toBe(3);
});

test.each([
  ['sleep 100\n', { runSeconds: 100, exitCode: 0 }],
  ['#!/bin/bash\nsleep 7\nexit 2\n', { runSeconds: 7, exitCode: 2 }],
])('the preamble of a reservation is understood, around %j', (script, behaviour) => {
  expect(readScript(withHoldPreamble(script, 1_700_000_300.5), 1)).toEqual({
    holdUntilAt: 1_700_000_301,
    ...behaviour,
  });
});

test('a run may be shared out among the processors of the job', () => {
  const script = '#!/bin/sh\nsleep $((3600 / GRIDCAST_PROCESSORS))\nsleep 5\n';
  expect(readScript(script, 1).runSeconds).toBe(3605);
  expect(readScript(script, 16).runSeconds).toBe(230);
});
