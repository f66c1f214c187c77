// Writes what gql.tada types the console's documents by: the API's schema, as TypeScript reads it.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { minifyIntrospection, outputIntrospectionFile } from '@gql.tada/internal';
import { buildSchema, introspectionFromSchema } from 'graphql';

const root = join(import.meta.dirname, '..');
const schema = buildSchema(readFileSync(join(root, 'src/graphql/schema.graphql'), 'utf8'));
const introspection = minifyIntrospection(introspectionFromSchema(schema, { descriptions: false }));
const text = outputIntrospectionFile(introspection, { fileType: '.d.ts', shouldPreprocess: true });
mkdirSync(join(root, 'src/web/generated'), { recursive: true });
writeFileSync(join(root, 'src/web/generated/graphql-env.d.ts'), text);
