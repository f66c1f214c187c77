import { main } from '../../../src/cli/main.ts';

/** `gridcast experiment-worker ...` as a process of its own. */
await main(['node', 'gridcast', 'experiment-worker', ...process.argv.slice(2)]);
