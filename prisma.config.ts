import { fileURLToPath } from 'node:url';
import { defineConfig } from 'prisma/config';

// Sites behind a firewall cannot download Prisma's native engine, so its WASM build stands in for it.
process.env['PRISMA_SCHEMA_ENGINE_BINARY'] ??= fileURLToPath(new URL('./prisma/schema-engine.mjs', import.meta.url));

export default defineConfig({
  schema: 'prisma/schema.prisma',
  migrations: { path: 'prisma/migrations' },
  datasource: { url: process.env['DATABASE_URL'] ?? 'postgresql://nobody@127.0.0.1:1/none' },
});
