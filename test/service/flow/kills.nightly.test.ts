import { forHours } from '../../hours.ts';
import { describeKills, describeRestarts, type Storm } from './kills.ts';

/** Where there is time at a pace at which even a busy machine's workers come to something between two kills. */
const STORM: Storm = forHours
  ? {
      pace: { scale: 8, handoverSeconds: 600 },
      wishes: {
        ...{ jobs: 100, reservations: 200, everyMilliseconds: 0 },
        ...{ leadSeconds: 1500, spreadSeconds: 300, longestSeconds: 240 },
      },
      // Until the last reservation is settled, or for eight minutes where no worker comes up meanwhile.
      faults: { everyMilliseconds: 2000, most: 240 },
      crew: 8,
      patienceSeconds: 1200,
      standingShare: 1,
    }
  : {
      pace: { scale: 300, handoverSeconds: 900 },
      wishes: {
        ...{ jobs: 40, reservations: 30, everyMilliseconds: 400 },
        ...{ leadSeconds: 5400, spreadSeconds: 2400, longestSeconds: 1260 },
      },
      faults: { everyMilliseconds: 2000, most: 10 },
      crew: 2,
      patienceSeconds: 200,
      standingShare: 1 / 2,
    };

for (const backend of ['PostgreSQL', 'Redis'] as const) describeKills(backend, STORM);
describeRestarts(STORM);
