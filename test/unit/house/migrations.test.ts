import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const FOLDER = fileURLToPath(new URL('../../../prisma/migrations', import.meta.url));

/** What would end the transaction that a script runs in, or cannot be in one; decision 184. */
const NOT_IN_A_TRANSACTION = /^\s*(?:BEGIN|START TRANSACTION|COMMIT|ROLLBACK|VACUUM)\s*;|\bCONCURRENTLY\b/im;

test('every migration can be one transaction', () => {
  const names = readdirSync(FOLDER, { withFileTypes: true }).flatMap((entry) =>
    entry.isDirectory() ? [entry.name] : [],
  );
  expect(names.length).toBeGreaterThan(40);
  const scripts = names.map((name) => ({ name, script: readFileSync(join(FOLDER, name, 'migration.sql'), 'utf8') }));
  expect(scripts.filter(({ script }) => NOT_IN_A_TRANSACTION.test(script)).map(({ name }) => name)).toEqual([]);
  for (const script of ['BEGIN;\nSELECT 1;', 'SELECT 1;\n  commit;', 'CREATE INDEX CONCURRENTLY "i" ON "t"("c");']) {
    expect(script).toMatch(NOT_IN_A_TRANSACTION);
  }
});
