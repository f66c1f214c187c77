import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { startVitest } from 'vitest/node';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const VERBS = ['facts', 'snapshot', 'submit', 'find', 'inspect', 'cancel', 'history'];

test('the template fails the suite verb by verb, saying what to answer and which step explains it', async () => {
  const vitest = await startVitest(
    'test',
    [],
    {
      root: ROOT,
      config: false,
      watch: false,
      reporters: [{}],
      include: ['test/conformance/adapters/template/suite.ts'],
    },
    {},
    {},
  );
  const [suite] = vitest.state.getTestModules();
  const results = [...(suite?.children.allTests() ?? [])].map((each) => each.result());
  await vitest.close();
  expect(results.filter(({ state }) => state === 'passed')).toEqual([]);
  const messages = results.flatMap((result) => result.errors ?? []).map(({ message }) => message);
  for (const message of messages)
    expect(message).toMatch(/is not written yet: .+ \(docs\/add-an-adapter\.md, step \d\)/);
  const named = new Set(messages.map((message) => message.split(' ')[0]));
  expect([...named].sort()).toEqual([...VERBS].sort());
  const guide = readFileSync(`${ROOT}/docs/add-an-adapter.md`, 'utf8');
  for (const message of messages) expect(guide).toContain(`\n${/step (\d)/.exec(message)?.[1]}. **`);
});
