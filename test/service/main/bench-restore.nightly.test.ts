import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { benchRestore } from '../../../src/main/bench-restore.ts';
import { simulatedRecords } from '../../simulated-records.ts';

test('a process that starts beside one that has learned forecasts the same, for a part of the cost', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'gridcast-bench-'));
  try {
    const records = simulatedRecords(400, 64);
    const figures = await benchRestore({ folder, sites: 3, records, processors: 64, onProgress: () => undefined });
    expect(figures.isAlike).toBe(true);
    expect(figures.firstAnswerMilliseconds).toHaveLength(3);
    expect(figures.cpuSecondsPerSite).toBeLessThan(figures.livedCpuSeconds);
    expect(figures.checkpointMegabytes).toBeGreaterThan(0.01);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
