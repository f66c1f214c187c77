import { expect, test } from 'vitest';
import { type LabSpec, labMissing, startLab } from '../lab/lab.ts';
import { labSites } from '../lab/sites.ts';
import { describeStaging, isExact, runStaging } from '../lab/staging/staging.ts';
import { startLiveService } from './live-service.ts';

const SSH: LabSpec = {
  clusters: [{ name: 'far', nodes: 1, processorsPerNode: 4, accounting: false, rest: false, throughLogin: true }],
  login: true,
};
const missing = labMissing(SSH);

test('60 MB are moved to a job over ssh and out again, exactly, while connections break', {
  timeout: 240_000,
}, async ({ skip }) => {
  if (missing) skip(missing);
  const lab = await startLab(SSH);
  const service = await startLiveService(labSites(lab), { GRIDCAST_STAGING_PRIVATE_HOSTS: '127.0.0.1' });
  try {
    const report = await runStaging({
      ...{ url: service.url, token: service.token, siteId: service.sites.far ?? '' },
      ...{ bytes: 60_000_000, breaks: 2, cut: () => lab.login?.endSessions(), patienceSeconds: 120 },
    });
    expect(isExact(report), describeStaging(report)).toBe(true);
  } finally {
    await service.close();
    await lab.stop();
  }
});
