import { writeFileSync } from 'node:fs';
import { printApiSchema } from './schema.ts';

writeFileSync(new URL('./schema.graphql', import.meta.url), printApiSchema());
