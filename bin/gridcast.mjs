#!/usr/bin/env node
import { prepare } from './prepare.mjs';

prepare();
const { main } = await import('../dist/src/cli/main.js');
await main(process.argv);
