import { createClient } from 'graphql-ws';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import WebSocket from 'ws';
import { type Lab, type LabSpec, labMissing, startLab } from '../lab/lab.ts';
import { launchChromium, PATIENCE_MILLISECONDS, signInByToken, violationsOf, visit } from '../service/web/browser.ts';
import { openFolder, realTime } from './conformance/real-site.ts';
import { type LiveService, startLiveService } from './live-service.ts';
import { slurmConfig } from './slurm-ways.ts';

const LAB: LabSpec = {
  clusters: [{ name: 'alpha', nodes: 1, processorsPerNode: 2, accounting: false, rest: false }],
};
const missing = labMissing(LAB);
const TOLD = '{ observedAt faultCode openBreakers { service openedAt faultCode } }';

describe.skipIf(missing !== null)(`a real site that does not answer ${missing ?? ''}`, () => {
  let lab: Lab;
  let service: LiveService;
  let browser: Browser | null;
  let leave = () => undefined;
  // biome-ignore lint/suspicious/noExplicitAny: answers of every shape
  const told: any[] = [];
  const folder = openFolder();
  beforeAll(async () => {
    lab = await startLab(LAB);
    browser = await launchChromium();
    const configuration = {
      ...slurmConfig(lab, 'commands', folder.path),
      ...{ accounting: { kind: 'none' }, failuresInARow: 2, coolDownMilliseconds: 1000 },
    };
    service = await startLiveService([{ name: 'alpha', adapter: 'slurm', configuration }]);
    const url = service.url.replace('http', 'ws');
    const connectionParams = { authorization: `Bearer ${service.token}` };
    const client = createClient({ url, webSocketImpl: WebSocket, connectionParams });
    const sink = { next: (value: unknown) => told.push(value), error: () => undefined, complete: () => undefined };
    client.subscribe({ query: `subscription { siteChanged ${TOLD} }` }, sink);
    leave = () => void client.dispose();
  });
  afterAll(async () => {
    leave();
    await browser?.close();
    await service?.close();
    await lab?.stop();
    folder.remove();
  });

  const lastTold = () => told.at(-1)?.data.siteChanged;

  test('every look at it is told, and so is that it is left alone, until it answers', async () => {
    await realTime.until('three looks are told', async () => told.length >= 3);
    expect(new Set(told.map(({ data }) => data.siteChanged.observedAt)).size).toBeGreaterThanOrEqual(2);
    expect(lastTold().openBreakers).toEqual([]);
    await lab.cluster('alpha').stopController();
    await realTime.until('it is left alone', async () => lastTold().openBreakers.length > 0, 60);
    const [{ service: name, openedAt }] = lastTold().openBreakers;
    expect(name).toBe('scheduler');
    expect(lastTold().faultCode).not.toBeNull();
    // A try that fails is the same silence.
    const before = told.length;
    await realTime.until('it was looked at again', async () => told.length >= before + 2, 60);
    expect(lastTold().openBreakers[0].openedAt).toBe(openedAt);
    if (browser) await seeItLeftAlone(browser);
    await lab.cluster('alpha').startController();
    await realTime.until('it answers', async () => lastTold().openBreakers.length === 0, 60);
    const { site } = await service.ask(`query($id: ID!) { site(id: $id) ${TOLD} }`, { id: service.sites.alpha });
    expect(site).toMatchObject({ faultCode: null, openBreakers: [] });
  });

  /** In the grid and on its own page, while it is; there no more once it answers. */
  async function seeItLeftAlone(shown: Browser): Promise<void> {
    const base = service.url.replace(/\/graphql$/, '');
    const { page, complaints } = await visit(shown, { width: 1440 });
    await signInByToken(page, base, service.token);
    await page.goto(`${base}/sites`);
    await page.getByRole('cell', { name: /scheduler left alone/ }).waitFor({ timeout: PATIENCE_MILLISECONDS });
    expect(await violationsOf(page)).toEqual([]);
    await page.getByRole('link', { name: 'alpha' }).click();
    await page.getByText(/Its scheduler is left alone/).waitFor({ timeout: PATIENCE_MILLISECONDS });
    expect(await violationsOf(page)).toEqual([]);
    expect(complaints).toEqual([]);
    await page.context().close();
  }
});
