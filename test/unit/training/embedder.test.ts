import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import type { Program } from '../../../src/domain/program.ts';
import { AskedProcess } from '../../../src/training/asked-process.ts';
import { Embedder } from '../../../src/training/embedder.ts';
import type { EmbedderAnswer, EmbeddingRequest } from '../../../src/training/embedder-protocol.ts';
import { EMBEDDING_DIMENSIONS, type EmbeddingModel } from '../../../src/training/embedding-model.ts';
import { needsTrainer } from '../../needs-trainer.ts';
import { writeSmallModel } from './small-embedding-model.ts';

needsTrainer();

const PATIENCE = 60_000;
let folder: string;
let model: EmbeddingModel;
const opened: Embedder[] = [];
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'gridcast-embedding-'));
  model = writeSmallModel(folder);
});
afterEach(() => {
  for (const embedder of opened.splice(0)) embedder.close();
});
afterAll(() => rmSync(folder, { recursive: true }));

function open(of = model, process?: AskedProcess<EmbeddingRequest, EmbedderAnswer>) {
  const warned: string[] = [];
  const embedder = new Embedder(of, (message) => void warned.push(message), process);
  opened.push(embedder);
  const embeddingsOf = async (scripts: readonly string[], patience = PATIENCE) => {
    const told = await embedder.tell(scripts.map(jobOf), patience);
    return told.map(({ program }) => program?.embedding);
  };
  return { embedder, warned, embeddingsOf };
}

function jobOf(script: string): { readonly program: Program } {
  return { program: { name: 'job', script, arguments: [], workFolder: null } };
}

function cosine(a: Float32Array | undefined, b: Float32Array | undefined): number {
  return Array.from(a ?? []).reduce((sum, value, i) => sum + value * (b?.[i] ?? Number.NaN), 0);
}

describe('texts', () => {
  test('have places of length 1 by what they mean, the same whoever asks and when', async () => {
    const { embeddingsOf } = open();
    const [quick, brief, vast, again] = await embeddingsOf(['quick run', 'brief runs', 'vast run', 'quick run']);
    expect(quick).toHaveLength(EMBEDDING_DIMENSIONS);
    expect(cosine(quick, quick)).toBeCloseTo(1, 5);
    expect(cosine(quick, brief)).toBeGreaterThan(cosine(quick, vast) + 0.3);
    expect(again).toEqual(quick);
    expect(await open().embeddingsOf(['vast run', 'quick run'])).toEqual([vast, quick]);
  });

  test('have them of a model that gives one vector for a text, too', async () => {
    const pooled = writeSmallModel(join(folder, 'pooled'), true);
    const texts = ['quick run', 'vast runs'];
    const [ofTokens, ofTexts] = [await open().embeddingsOf(texts), await open(pooled).embeddingsOf(texts)];
    for (const [i, one] of ofTexts.entries()) expect(cosine(one, ofTokens[i])).toBeCloseTo(1, 5);
  });

  test('of jobs of which only the name is known are their names; who has none stays as it is', async () => {
    const { embedder, embeddingsOf } = open();
    const [quick] = await embeddingsOf(['quick']);
    const named: { readonly program: Program } = {
      program: { name: 'quick', script: null, arguments: [], workFolder: null },
    };
    const unknown = { program: undefined, user: 'ann' };
    const [byName, without] = await embedder.tell<{ readonly program?: Program | undefined }>(
      [named, unknown],
      PATIENCE,
    );
    expect(byName?.program?.embedding).toEqual(quick);
    expect(without).toBe(unknown);
  });

  test('that are hostile have one, or none, and those after them have theirs', async () => {
    const { embeddingsOf, warned } = open();
    const hostile = [
      ...['', '\0'.repeat(5000), '9'.repeat(1_000_000), 'a 1 '.repeat(250_000), '\n'.repeat(1_000_000)],
      ...['\u202e\u05d0 = 12\u0663\n'.repeat(3000), '\ud800 = 1\n\udfff'.repeat(2000), '[CLS][SEP]'.repeat(500)],
      Array.from({ length: 100_000 }, (_, i) => String.fromCharCode((i * 7919) % 65_536)).join(''),
    ];
    for (const one of await embeddingsOf(hostile)) {
      if (one !== undefined) expect(Array.from(one, Number.isFinite)).not.toContain(false);
    }
    expect((await embeddingsOf(['quick run']))[0]).toHaveLength(EMBEDDING_DIMENSIONS);
    expect(warned).toEqual([]);
  });
});

test('who does not wait goes on without, and finds them later', async () => {
  const { embeddingsOf } = open();
  expect(await embeddingsOf(['vast run'], 0)).toEqual([undefined]);
  expect(await embeddingsOf(['vast run'], 1)).toEqual([undefined]);
  await vi.waitFor(async () => expect((await embeddingsOf(['vast run'], 0))[0]).toBeDefined(), 30_000);
});

describe('a model that cannot be used', () => {
  const broken: Record<string, (at: string) => EmbeddingModel> = {
    'is not there': (at) => ({ ...writeSmallModel(at), modelFile: join(at, 'nowhere.onnx') }),
    'is no network': (at) => {
      const made = writeSmallModel(at);
      writeFileSync(made.modelFile, 'canary'.repeat(100));
      return made;
    },
    'has another vocabulary': (at) => {
      const made = writeSmallModel(at);
      writeFileSync(
        made.tokenizerFile,
        Array.from({ length: 500 }, (_, i) => ['[UNK]', '[CLS]'][i] ?? `w${i}`).join('\n'),
      );
      return made;
    },
  };

  test.each(Object.keys(broken))('because it %s, is told of at once and once, and texts have none', async (kind) => {
    const { embedder, embeddingsOf, warned } = open(broken[kind]?.(join(folder, kind)));
    await embedder.begin();
    expect(warned).toEqual([expect.stringMatching(/^texts have no embeddings: .*gridcast-embedding-/)]);
    expect(await embeddingsOf(['quick run', 'vast run'])).toEqual([undefined, undefined]);
    expect(warned).toHaveLength(1);
  });
});

test('a process that is killed costs the texts that it had, not those after them; one that always dies is left', async () => {
  const process = new AskedProcess<EmbeddingRequest, EmbedderAnswer>('embedder-child', PATIENCE);
  const { embeddingsOf, warned } = open(model, process);
  await embeddingsOf(['quick run']);
  globalThis.process.kill(process.pid as number, 'SIGKILL');
  await embeddingsOf(['tiny run']);
  expect((await embeddingsOf(['vast run']))[0]).toBeDefined();
  const dying = open(model, new AskedProcess<EmbeddingRequest, EmbedderAnswer>('embedder-child', 1));
  for (const text of ['a', 'b', 'c', 'd']) expect(await dying.embeddingsOf([text])).toEqual([undefined]);
  expect(dying.warned).toEqual([expect.stringMatching(/ended 3 times in a row/)]);
  expect(warned).toEqual([]);
});

test('no text is told of by what goes wrong', async () => {
  const at = join(folder, 'small-table');
  const small = writeSmallModel(at);
  // Ids that the table of the network does not have.
  const words = ['[UNK]', '[CLS]', '[SEP]', '#', '!', '/', 'bin', 'sh', 'hostname', ...Array(20).keys()].map(String);
  writeFileSync(small.tokenizerFile, [...words, 'canary'].join('\n'));
  const { embeddingsOf, warned } = open(small);
  expect(await embeddingsOf(['canary'])).toEqual([undefined]);
  expect(JSON.stringify(warned)).not.toContain('canary');
});
