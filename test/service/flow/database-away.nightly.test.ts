import { test } from 'vitest';
import { forHours } from '../../hours.ts';
import { surviveRestarts } from './postgres-restarts.ts';

const RESTARTS = forHours ? 30 : 4;

test('no worker dies of a PostgreSQL that crashes or shuts down again and again', { timeout: 60_000 * RESTARTS }, () =>
  surviveRestarts(RESTARTS),
);
