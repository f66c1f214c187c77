import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Lab, labMissing, startLab } from '../lab/lab.ts';
import { labSites } from '../lab/sites.ts';
import { CANCEL_RESERVATION, IMPORT_HISTORY, RESERVE } from '../service/graphql/documents.ts';
import { type LiveService, startLiveService } from './live-service.ts';
import { PAST_JOBS, pastMonth } from './past-month.ts';

/** One cluster that is asked by slurmrestd, one by commands. */
const SPEC = {
  clusters: [
    { name: 'alpha', nodes: 2, processorsPerNode: 4, accounting: false, rest: true },
    { name: 'beta', nodes: 2, processorsPerNode: 4, accounting: false, rest: false },
  ],
} as const;
const LEAD_SECONDS = 1800;

const missing = labMissing(SPEC);

describe.skipIf(missing !== null)(`a maintenance that is announced after a promise was made ${missing ?? ''}`, () => {
  let lab: Lab;
  let service: LiveService;

  beforeAll(async () => {
    lab = await startLab(SPEC);
    service = await startLiveService(labSites(lab));
    for (const siteId of Object.values(service.sites)) {
      const { importHistory } = await service.ask(IMPORT_HISTORY, { input: { siteId, content: pastMonth(() => 3) } });
      expect(importHistory).toMatchObject({ userErrors: [], imported: PAST_JOBS });
      const FORECAST = `query Forecast($id: ID!) {
        forecast(siteId: $id, input: { processors: 2, walltimeSeconds: 60 }) { probabilityToStartWithin(seconds: 30) }
      }`;
      const isKnown = (data: { forecast: { probabilityToStartWithin: number } }) =>
        data.forecast.probabilityToStartWithin > 0.9;
      await service.askUntil('forecasts rest on it', FORECAST, { id: siteId }, isKnown);
    }
  }, 240_000);
  afterAll(async () => {
    await service?.close();
    await lab?.stop();
  });

  const RESERVATION = `query Reservation($id: ID!) {
    reservation(id: $id) { state currentProbability site { name } job { reason } }
  }`;
  type Data = { reservation: { currentProbability: number; site: { name: string }; job: { reason: string | null } } };

  function announce(site: string): void {
    const when = [`starttime=now+${LEAD_SECONDS - 60}`, 'duration=60', 'flags=maint,ignore_jobs'];
    const words = ['reservationname=service', ...when, 'nodes=ALL', 'users=root'];
    lab.cluster(site).mustRun(['scontrol', 'create', 'reservation', ...words]);
  }

  test('moves it to another site; where there is none it is told and worth nothing', { timeout: 240_000 }, async () => {
    const startAt = new Date(Date.now() + LEAD_SECONDS * 1000).toISOString();
    const work = { name: 'p', script: '#!/bin/sh\ntrue\n', processors: 2, walltimeSeconds: 60 };
    const { reserve } = await service.ask(RESERVE, { input: { ...work, startAt, probability: 0.6 } });
    expect(reserve.userErrors).toEqual([]);
    const { id, site } = reserve.reservation;
    const first: string = site.name;
    const second = first === 'alpha' ? 'beta' : 'alpha';

    announce(first);
    const isMoved = ({ reservation }: Data) => reservation.site.name === second;
    const { reservation: moved } = await service.askUntil('it has moved', RESERVATION, { id }, isMoved, 120);
    expect(moved).toMatchObject({ state: 'PROMISED' });
    expect(moved.job.reason).toMatch(new RegExp(`^moved to ${second}: ${first} has set .*\\(maintenance service\\)`));

    announce(second);
    const isTold = ({ reservation: { currentProbability, job } }: Data) =>
      currentProbability === 0 && /^no other site promises it, and .*\(maintenance service\)/.test(job.reason ?? '');
    await service.askUntil('it is worth nothing, and why', RESERVATION, { id }, isTold, 120);
    const { cancelReservation } = await service.ask(CANCEL_RESERVATION, { input: { id } });
    expect(cancelReservation.userErrors).toEqual([]);
  });
});
