import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readConfig } from '../../../src/main/config.ts';
import { readEmbedding } from '../../../src/main/read-embedding.ts';
import { needsTrainer } from '../../needs-trainer.ts';
import { writeSmallModel } from '../training/small-embedding-model.ts';

needsTrainer();

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'gridcast-model-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

const read = (environment: Record<string, string>) =>
  readEmbedding(readConfig(environment), { 'runtime/gridcast': { trees: 50 } });

test('without a model forecasters are told what they were told before', () => {
  expect(read({})).toEqual({ settings: { 'runtime/gridcast': { trees: 50 } } });
});

test('of a model they are told its files, and the predictors its number, beside their other settings', () => {
  const { modelFile, tokenizerFile } = writeSmallModel(folder);
  const environment = { GRIDCAST_EMBEDDING_MODEL: modelFile, GRIDCAST_EMBEDDING_TOKENIZER: tokenizerFile };
  const given = read(environment);
  const number = given.settings['io/gridcast']?.embedding as number;
  expect(Number.isInteger(number) && number >= 1).toBe(true);
  expect(given).toEqual({
    embedding: { modelFile, tokenizerFile },
    settings: { 'runtime/gridcast': { trees: 50, embedding: number }, 'io/gridcast': { embedding: number } },
  });
  expect(read(environment)).toEqual(given);
  writeSmallModel(folder, true);
  expect(read(environment).settings['io/gridcast']?.embedding).not.toBe(number);
});

test('the setting whose file cannot be used is named, with the file', () => {
  const { modelFile, tokenizerFile } = writeSmallModel(folder);
  const [model, tokenizer] = ['GRIDCAST_EMBEDDING_MODEL', 'GRIDCAST_EMBEDDING_TOKENIZER'];
  expect(() => read({ [tokenizer]: tokenizerFile })).toThrow(/GRIDCAST_EMBEDDING_TOKENIZER=.* without/);
  expect(() => read({ [model]: join(folder, 'nowhere'), [tokenizer]: tokenizerFile })).toThrow(
    /GRIDCAST_EMBEDDING_MODEL: .*nowhere cannot be used: ENOENT/,
  );
  expect(() => read({ [model]: join(folder, 'nowhere') })).toThrow(
    /GRIDCAST_EMBEDDING_TOKENIZER: .*tokenizer.json cannot be used.*\n.*GRIDCAST_EMBEDDING_MODEL: .*nowhere cannot/,
  );
  expect(() => read({ [model]: modelFile })).toThrow(/GRIDCAST_EMBEDDING_TOKENIZER: .*tokenizer.json cannot be used/);
  for (const [name, text] of [
    ['tokenizer.json', '{"model": '],
    ['tokenizer.json', '{"model": {"type": "Riddle"}}'],
    ['words.txt', 'run\nsleep\n'],
  ] as const) {
    const file = join(folder, name);
    writeFileSync(file, text);
    expect(() => read({ [model]: modelFile, [tokenizer]: file })).toThrow(
      new RegExp(`GRIDCAST_EMBEDDING_TOKENIZER: .*${name} is no`),
    );
  }
});
