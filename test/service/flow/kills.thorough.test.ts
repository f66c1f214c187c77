import { describeKills } from './kills.ts';

describeKills('PostgreSQL', {
  pace: { scale: 300, handoverSeconds: 900 },
  wishes: {
    ...{ jobs: 12, reservations: 8, everyMilliseconds: 200 },
    ...{ leadSeconds: 5400, spreadSeconds: 600, longestSeconds: 600 },
  },
  faults: { everyMilliseconds: 2000, most: 4 },
  crew: 2,
  patienceSeconds: 200,
  standingShare: 1 / 2,
});
