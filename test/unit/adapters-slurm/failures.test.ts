import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { submissionFailure } from '../../../adapters/slurm/failures.ts';

const rows = readFileSync(new URL('../../fixtures/slurm/sbatch-failures.tsv', import.meta.url), 'utf8')
  .trimEnd()
  .split('\n')
  .map((line) => line.split('\t') as [kind: string, sample: string, words: string]);

describe('what sbatch said when it failed, as it was recorded', () => {
  test.each(rows)('%s: %s', (kind, _sample, words) => {
    expect(submissionFailure(words.replaceAll(' | ', '\n'), words.startsWith('sbatch: '))).toMatchObject({ kind });
  });

  test.each([
    'sbatch: error: QOSMaxSubmitJobPerUserLimit',
    'sbatch: error: AssocMaxSubmitJobLimit\nsbatch: error: Batch job submission failed: Job violates accounting/QOS policy (job submit limit, user size and/or time limits)',
    'sbatch: error: Batch job submission failed: Resource temporarily unavailable',
  ])('a limit on jobs is a refusal, for other sites may take them: %s', (words) => {
    expect(submissionFailure(words, true)).toMatchObject({ kind: 'final', siteSays: words });
  });

  test.each([
    'sbatch: error: three is not a good number\nsbatch: error: Batch job submission failed: Unspecified error',
    'sbatch: error: Batch job submission failed: Unspecified error',
    'Unspecified error',
  ])('a rule of the site (job_submit/lua) refuses without a reason of its own: %s', (words) => {
    expect(submissionFailure(words, true)).toMatchObject({ kind: 'final', siteSays: words });
  });

  test.each([
    'sbatch: error: slurm_receive_msg: Zero Bytes were transmitted\nsbatch: error: Batch job submission failed: Unspecified error',
    'sbatch: error: Socket timed out\nsbatch: error: Batch job submission failed: Unspecified error',
  ])('where a connection was lost before it is none: %s', (words) => {
    expect(submissionFailure(words, true)).toMatchObject({ kind: 'unknown' });
  });

  test('from anybody else it may mean anything', () => {
    expect(submissionFailure('Unspecified error', false)).toMatchObject({ kind: 'unknown' });
  });

  test('nothing at all is no refusal', () => {
    expect(submissionFailure('', false)).toMatchObject({ kind: 'unknown' });
  });

  test("a refusal keeps the site's own words", () => {
    const words = 'sbatch: error: Batch job submission failed: Invalid partition name specified';
    expect(submissionFailure(words, true)).toMatchObject({ kind: 'final', siteSays: words });
  });
});
