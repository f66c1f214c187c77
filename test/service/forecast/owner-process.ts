import { createForecaster } from '../../../src/forecast/create-forecaster.ts';
import { askOf } from './learned-site.ts';

/** A process that forecasts, and nothing else. Told a site and a moment it tells what it would say there. */
const [databaseUrl = ''] = process.argv.slice(2);
const options = { databaseUrl, predictor: 'wait/gridcast', alsoScored: [], freshMilliseconds: 0 };
const forecaster = createForecaster(options, (error) => {
  throw error;
});
process.on('message', async ({ siteId, now }: { siteId: string; now: number }) => {
  try {
    process.send?.({ said: await askOf(forecaster, siteId, now) });
  } catch (error) {
    process.send?.({ fault: String(error) });
  }
});
