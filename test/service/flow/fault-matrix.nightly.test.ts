import { test } from 'vitest';
import { readConfig } from '../../../src/main/config.ts';
import { forHours, seeds } from '../../hours.ts';
import { surviveCrashes } from './fault-matrix.ts';

test('a worker may die at any point of a submission, whatever the seed', { timeout: 3_600_000 }, () =>
  surviveCrashes(seeds(2, forHours ? 60 : 3)),
);

test('by the forecasts of the predictor that decides where nothing is configured, too', { timeout: 600_000 }, () =>
  surviveCrashes(seeds(1, 1), readConfig({}).GRIDCAST_PREDICTOR),
);
