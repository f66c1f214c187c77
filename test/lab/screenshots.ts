import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { chromium, type Page } from 'playwright-core';
import { askAs } from './compare/told-execution.ts';

const FOLDER = join(import.meta.dirname, '../../docs/console');
const CHROMIUM = '/usr/bin/chromium';
const PATIENCE_MILLISECONDS = 60_000;

/** One picture: where it is taken, what must be there first, and in which theme. */
interface Picture {
  readonly name: string;
  readonly path: string;
  readonly awaited: string;
  readonly theme?: 'light' | 'dark';
}

/** Takes the pictures of the console's views. @throws Error where there is no browser, or no job to show */
export async function takeScreenshots(base: string, token: string, tell: (file: string) => void): Promise<void> {
  const jobId = await shownJob(`${base}/graphql`, token);
  const pictures: readonly Picture[] = [
    { name: 'jobs', path: '/jobs?reserved=true', awaited: 'table.data a' },
    { name: 'job', path: `/jobs/${jobId}`, awaited: 'text=Why there' },
    { name: 'reserve', path: '/reserve', awaited: 'text=bars reach from' },
    { name: 'reservations', path: '/reservations', awaited: 'table.data a' },
    { name: 'sites', path: '/sites', awaited: 'table.data .bar-of' },
    { name: 'job-dark', path: `/jobs/${jobId}`, awaited: 'text=Why there', theme: 'dark' },
  ];
  mkdirSync(FOLDER, { recursive: true });
  const browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox', '--disable-gpu'] });
  try {
    for (const picture of pictures) {
      const { theme: colorScheme = 'light' } = picture;
      const viewport = { width: 1200, height: 720 };
      const page = await browser.newPage({ colorScheme, viewport, timezoneId: 'Europe/Amsterdam' });
      page.setDefaultTimeout(PATIENCE_MILLISECONDS);
      await takeOne(page, base, token, picture);
      tell(`docs/console/${picture.name}.png`);
      await page.close();
    }
  } finally {
    await browser.close();
  }
}

async function takeOne(page: Page, base: string, token: string, { name, path, awaited }: Picture): Promise<void> {
  await page.goto(base);
  await page.getByLabel('Token').fill(token);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('heading', { level: 1, name: 'Jobs' }).waitFor();
  await page.goto(`${base}${path}`);
  await page.locator(awaited).first().waitFor();
  await page.screenshot({ path: join(FOLDER, `${name}.png`) });
}

/** A job that waits and was planned, or else the newest one that was. */
async function shownJob(url: string, token: string): Promise<string> {
  const ask = askAs(url, token);
  const planned = async (states: readonly string[] | null) => {
    const { jobs: page } = (await ask(NEWEST_JOBS, { states })) as { jobs: { edges: { node: NewestJob }[] } };
    return page.edges.find(({ node }) => node.plan !== null)?.node.id;
  };
  const id = (await planned(['QUEUED'])) ?? (await planned(null));
  if (id === undefined) throw new Error('there is no job to show; submit one first');
  return id;
}

interface NewestJob {
  readonly id: string;
  readonly plan: object | null;
}

const NEWEST_JOBS = `query($states: [JobState!]) {
  jobs(first: 20, includeReserved: true, states: $states) { edges { node { id plan { madeAt } } } }
}`;
