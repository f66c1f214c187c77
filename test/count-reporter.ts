import type { Reporter, TestModule } from 'vitest/node';

/** Prints why tests were skipped, and as the last line `N passed, N failed, N skipped` with the true counts. */
export default class CountReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], errors: readonly unknown[]): void {
    const count = { passed: 0, failed: errors.length, skipped: 0 };
    const skippedFor = new Map<string, number>();
    for (const module of modules) {
      const tests = [...module.children.allTests()];
      if (module.state() === 'failed' && tests.length === 0) count.failed++;
      for (const test of tests) {
        const result = test.result();
        count[result.state === 'pending' ? 'skipped' : result.state]++;
        if (result.state === 'skipped' && result.note !== undefined)
          skippedFor.set(result.note, (skippedFor.get(result.note) ?? 0) + 1);
      }
    }
    process.on('exit', () => {
      for (const [reason, tests] of skippedFor) process.stdout.write(`skipped (${tests}): ${reason}\n`);
      process.stdout.write(`${count.passed} passed, ${count.failed} failed, ${count.skipped} skipped\n`);
    });
  }
}
