import type { Reporter, TestModule } from 'vitest/node';

/** Prints the line `N passed, N failed, N skipped` with the true counts when the process ends. */
export default class CountReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], errors: readonly unknown[]): void {
    const count = { passed: 0, failed: errors.length, skipped: 0 };
    for (const module of modules) {
      const tests = [...module.children.allTests()];
      if (module.state() === 'failed' && tests.length === 0) count.failed++;
      for (const test of tests) {
        const state = test.result().state;
        count[state === 'pending' ? 'skipped' : state]++;
      }
    }
    process.on('exit', () => {
      process.stdout.write(`${count.passed} passed, ${count.failed} failed, ${count.skipped} skipped\n`);
    });
  }
}
