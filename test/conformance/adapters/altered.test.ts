import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { startVitest } from 'vitest/node';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));

test('an adapter that is wrong in one way fails the suite, and the right one does not', async () => {
  const include = ['test/conformance/adapters/altered/suite.ts'];
  const config = { root: ROOT, config: false as const, watch: false, reporters: [{}], include };
  const vitest = await startVitest('test', [], config, {}, {});
  const [suite] = vitest.state.getTestModules();
  const failed = [...(suite?.children.suites() ?? [])].map(({ name, children }) => {
    const results = [...children.allTests()].map((each) => each.result());
    return [
      name.replace(" keeps the adapter's contract", ''),
      results.some(({ state }) => state === 'failed'),
    ] as const;
  });
  await vitest.close();
  expect(failed.length).toBeGreaterThan(10);
  expect(failed.filter(([, isFailed]) => !isFailed).map(([name]) => name)).toEqual(['nothing at all']);
}, 240_000);
