import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import { createGridEngineAdapter } from '../../adapters/gridengine/gridengine.ts';
import type { JobSpec } from '../../src/domain/job.ts';
import type { SiteAdapter } from '../../src/domain/site-adapter.ts';
import type { GridEngineCell } from '../lab/gridengine/cell.ts';
import { type LabSpec, startLab } from '../lab/lab.ts';
import { openFolder, realTime } from './conformance/real-site.ts';
import { hostileStrings } from './hostile-strings.ts';
import { type LossyClient, lossyClient } from './lossy-client.ts';
import { submitEverything } from './submit-everything.ts';

export const GRID_ENGINE_LAB: LabSpec = { cells: [{ name: 'gelive', slots: 16 }] };

/** A small job that lasts. */
export const SLEEP: JobSpec = {
  name: 'live',
  script: '#!/bin/sh\nsleep 3000\n',
  arguments: [],
  processors: 1,
  walltimeSeconds: 3600,
  queue: null,
};

export const freshKey = () => `gc-${randomUUID().replaceAll('-', '')}-1`;

/** A Grid Engine of its own, alice's adapter to it, and her qsub, whose replies may be lost. */
export interface LiveGridEngine {
  readonly cell: GridEngineCell;
  readonly qsub: LossyClient;
  readonly adapter: SiteAdapter;
  /** A folder that everybody may write to. */
  readonly folder: string;
  close(): Promise<void>;
}

export async function startGridEngine(): Promise<LiveGridEngine> {
  const shared = openFolder();
  const lab = await startLab(GRID_ENGINE_LAB);
  const cell = lab.cells[0] as GridEngineCell;
  const clients = cell.clientEnvironment('alice');
  const qsub = lossyClient(join(lab.folder, 'lossy'), 'qsub', join(cell.files.clients, 'alice/qsub'));
  const adapter = createGridEngineAdapter({
    environment: { ...clients, PATH: `${qsub.folder}:${clients.PATH}` },
    workFolder: shared.path,
    accountingLagSeconds: 5,
    coolDownMilliseconds: 300,
  });
  return {
    ...{ cell, qsub, adapter, folder: shared.path },
    async close() {
      await adapter.close();
      await lab.stop();
      shared.remove();
    },
  };
}

/** So many hostile texts arrive byte for byte as name, argument and script, and nothing else runs. */
export async function expectTextsToArrive({ adapter, cell, folder }: LiveGridEngine, count: number): Promise<void> {
  const canary = join(folder, 'canary');
  const texts = hostileStrings(count, canary);
  expect(texts.length).toBe(count);
  const results = new Map<string, string>();
  const submitOne = async (text: string, index: number) => {
    const result = join(folder, `hostile-${index}`);
    results.set(result, text);
    const script = [
      '#!/bin/bash',
      ...text.split('\n').map((line) => `# ${line}`),
      `{ cat <<'THE_END_OF_IT'`,
      text,
      'THE_END_OF_IT',
      `printf '%s' "$1"; } > '${result}.part'`,
      `mv '${result}.part' '${result}'`,
      '',
    ].join('\n');
    const spec = { ...SLEEP, name: text, script, arguments: [text], walltimeSeconds: 60 };
    await adapter.submit(spec, freshKey());
  };
  const left = texts.entries();
  const worker = async () => {
    for (const [index, text] of left) await submitOne(text, index);
  };
  await Promise.all(Array.from({ length: 6 }, worker));
  const isThere = async () => [...results.keys()].every((result) => existsSync(result));
  await realTime.until('all jobs have run', isThere, 110);
  for (const [result, text] of results) expect(readFileSync(result, 'utf8')).toBe(`${text}\n${text}`);
  expect(existsSync(canary)).toBe(false);
  const names = execFileSync('cut', ['-d:', '-f5', cell.files.accounting], { encoding: 'utf8' }).split('\n');
  expect(names.filter((name) => name !== '' && !/^(gridcast\.gc-|# )/.test(name))).toEqual([]);
}

/** Of so many submissions none is there twice or lost, though replies are lost and the master is killed. */
export async function submitAmidLosses({ adapter, cell, qsub }: LiveGridEngine, count: number): Promise<void> {
  const blocker = await adapter.submit({ ...SLEEP, processors: 16 }, freshKey());
  const executionIds = Array.from({ length: count }, () => randomUUID());
  qsub.dropPercent(20);
  const restart = sleep(3000).then(async () => {
    await cell.killMaster();
    await sleep(1000);
    await cell.startMaster();
  });
  const startedAt = performance.now();
  const spec = { ...SLEEP, processors: 2 };
  const outcome = await submitEverything(adapter, executionIds, spec, (seconds) => sleep(seconds * 1000));
  await restart;
  qsub.dropPercent(0);
  const seconds = (performance.now() - startedAt) / 1000;

  const { waiting, running } = await adapter.snapshot();
  const bearers = new Map<string, number>();
  for (const { key } of [...waiting, ...running]) {
    const execution = key?.split('-')[1] ?? '';
    bearers.set(execution, (bearers.get(execution) ?? 0) + 1);
  }
  const counts = executionIds.map((id) => bearers.get(id.replaceAll('-', '')) ?? 0);
  const twice = counts.filter((count) => count > 1).length;
  const lost = counts.filter((count) => count === 0).length;
  console.log(
    `Grid Engine: ${count} submissions in ${seconds.toFixed(0)} s, ${outcome.unknown} replies lost, ` +
      `${outcome.unavailable} times unavailable: ${twice} twice, ${lost} lost`,
  );
  expect(outcome.unknown).toBeGreaterThan(count / 10);
  expect({ twice, lost }).toEqual({ twice: 0, lost: 0 });
  await adapter.cancel(blocker);
}
