import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { benchRows } from '../../../src/main/bench-rows.ts';

test('rows are made up to each count, and every question is asked of them', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'gridcast-rows-'));
  const seen: number[] = [];
  try {
    const figures = await benchRows({
      folder,
      sites: 3,
      counts: [1000, 2000],
      onProgress: (records) => seen.push(records),
    });
    expect(figures.map(({ records }) => records)).toEqual([1000, 2000]);
    expect(seen).toEqual([1000, 2000]);
    for (const row of figures) {
      for (const [name, figure] of Object.entries(row)) expect(figure, name).toBeGreaterThan(0);
      expect(row.bytesPerRecord).toBeLessThan(3000);
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}, 120_000);

test('what the disk does not hold is left out', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'gridcast-rows-'));
  try {
    const counts = [1000, 1e15];
    expect(await benchRows({ folder, sites: 3, counts, onProgress: () => undefined })).toHaveLength(1);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}, 120_000);
