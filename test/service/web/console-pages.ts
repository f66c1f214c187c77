import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const ROUTER = join(import.meta.dirname, '../../../src/web/app/router.tsx');

/** The addresses of the console's views, by its router. */
export function consolePaths(): string[] {
  return [...readFileSync(ROUTER, 'utf8').matchAll(/ path: '([^']+)'/g)].map(([, path]) => path as string);
}
