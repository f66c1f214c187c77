import { relative } from 'node:path';
import type { Reporter, TestModule } from 'vitest/node';

/**
 * Prints which tests failed, why tests were skipped, and as the last line `N passed, N failed, N skipped` with the true
 * counts. What is kept of a long log is its end.
 */
export default class CountReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], errors: readonly Told[]): void {
    const count = { passed: 0, failed: errors.length, skipped: 0 };
    const failures = errors.map((error) => `outside of any test: ${firstLine([error])}`);
    const skippedFor = new Map<string, number>();
    for (const module of modules) {
      const file = relative(process.cwd(), module.moduleId);
      const tests = [...module.children.allTests()];
      if (module.state() === 'failed' && tests.length === 0) {
        count.failed++;
        failures.push(`${file}: ${firstLine(module.errors())}`);
      }
      for (const test of tests) {
        const result = test.result();
        count[result.state === 'pending' ? 'skipped' : result.state]++;
        if (result.state === 'failed') failures.push(`${file} > ${test.fullName}: ${firstLine(result.errors)}`);
        if (result.state === 'skipped' && result.note !== undefined)
          skippedFor.set(result.note, (skippedFor.get(result.note) ?? 0) + 1);
      }
    }
    process.on('exit', () => {
      for (const [reason, tests] of skippedFor) process.stdout.write(`skipped (${tests}): ${reason}\n`);
      for (const failure of failures) process.stdout.write(`failed: ${failure}\n`);
      process.stdout.write(`${count.passed} passed, ${count.failed} failed, ${count.skipped} skipped\n`);
    });
  }
}

interface Told {
  readonly message?: string;
}

function firstLine(errors: readonly Told[]): string {
  return (errors[0]?.message ?? 'without a word').split('\n', 1).join();
}
