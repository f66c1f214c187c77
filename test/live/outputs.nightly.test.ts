import { expect, test } from 'vitest';
import { type LabSpec, labMissing, startLab } from '../lab/lab.ts';
import { lagAt, runOutputs } from '../lab/outputs/outputs.ts';
import { labSites } from '../lab/sites.ts';
import { startLiveService } from './live-service.ts';

const SSH: LabSpec = {
  clusters: [{ name: 'far', nodes: 2, processorsPerNode: 8, accounting: false, rest: false, throughLogin: true }],
  login: true,
};
const sshMissing = labMissing(SSH);

test('outputs of 40 jobs over ssh are fetched exactly while connections break, and tails are three seconds behind', {
  timeout: 240_000,
}, async ({ skip }) => {
  if (sshMissing) skip(sshMissing);
  const lab = await startLab(SSH);
  const service = await startLiveService(labSites(lab));
  try {
    const { exact, streams, wrong, lagsSeconds } = await runOutputs({
      ...{ url: service.url, token: service.token, siteId: service.sites.far ?? '', jobs: 40 },
      ...{ followed: 2, followedSeconds: 8, cuts: 2, patienceSeconds: 150 },
      cut: () => lab.login?.endSessions(),
    });
    expect({ exact, streams, wrong }).toEqual({ exact: 80, streams: 80, wrong: [] });
    expect(lagsSeconds.length).toBe(32);
    expect(lagAt(lagsSeconds, 50)).toBeLessThan(3);
  } finally {
    await service.close();
    await lab.stop();
  }
});
