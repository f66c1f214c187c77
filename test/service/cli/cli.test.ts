import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type CliWorld, createCliWorld } from './cli-world.ts';
import { type CommandRun, runCli } from './run-cli.ts';

let cli: CliWorld;
let world: CliWorld['world'];
let folder: string;
let script: string;

/** Runs a command against the API as an admin. */
function gridcast(...args: string[]): Promise<CommandRun> {
  return cli.gridcast(...args);
}

beforeAll(async () => {
  cli = await createCliWorld();
  ({ world, folder } = cli);
  script = cli.write('fold.sh', '#!/bin/sh\nsleep 300\n');
});
afterAll(() => cli.close());

describe('looking around', () => {
  test('sites, for people and for programs', async () => {
    const forPeople = await gridcast('sites');
    expect(forPeople.exitCode).toBe(0);
    expect(forPeople.stdout).toMatch(/east\s+active\s+256/);
    const forPrograms = (await gridcast('sites', '--json')).json();
    expect(forPrograms.map(({ name }: { name: string }) => name)).toEqual(['east', 'west']);
    expect(forPrograms[0]).toMatchObject({ usableProcessors: 256, maintenance: [] });
    const one = await gridcast('sites', 'show', 'east');
    expect(one.stdout).toMatch(/^processors +256, 256 in service, \d+ free$/m);
    expect(one.stdout).toMatch(/ may start$/m);
    const { queues } = (await gridcast('sites', 'show', 'east', '--json')).json();
    expect(queues[0]).toMatchObject({ bar: null, unusableBecause: null });
    expect(await gridcast('sites', 'show', 'nowhere')).toMatchObject({ exitCode: 1 });
  });

  test('forecasts side by side, or of one site', async () => {
    const all = (await gridcast('forecast', '-n', '8', '-t', '30m', '--json')).json();
    expect(all).toHaveLength(2);
    expect(all[0].forecast.sampleSize).toBeGreaterThan(0);
    expect(all[0].forecast.runtime).toMatchObject({
      predictor: expect.stringMatching(/^runtime\//),
      boundSeconds: expect.any(Number),
    });
    const one = await gridcast('forecast', '-n', '8', '-t', '30m', '--site', 'west', '--within', '2h');
    expect(one.stdout).toMatch(/within 2 h/);
    expect(one.stdout).not.toContain('east');
  });

  test('which walltime to ask for, by site and risk', async () => {
    const advised = (await gridcast('walltime', '-n', '8', '-t', '6h', '--risk', '5%,20%', '--json')).json();
    expect(advised).toHaveLength(2);
    for (const { advice } of advised) {
      expect(advice.map(({ risk }: { risk: number }) => risk)).toEqual([0.05, 0.2]);
      expect(advice[0].walltimeSeconds).toBeGreaterThanOrEqual(advice[1].walltimeSeconds);
    }
    const shown = await gridcast('walltime', '-n', '8', '--site', 'west');
    expect(shown.stdout).toMatch(/risk +ask for +median wait +90 % bound/);
    expect(shown.stdout).toMatch(/west +1 % /);
    expect(shown.stdout).not.toContain('east');
    expect((await gridcast('walltime', '-n', '8', '--risk', 'rarely')).exitCode).toBe(2);
    const sure = await gridcast('walltime', '-n', '8', '--risk', '0');
    expect([sure.exitCode, sure.stderr]).toEqual([1, expect.stringContaining('input.risks[0]')]);
  });

  test('a plan with the reason of every candidate', async () => {
    const plan = (await gridcast('plan', '-n', '8', '-t', '30m', '--deadline', '+12h', '--json')).json();
    expect(plan.chosen.site.name).toMatch(/east|west/);
    expect(plan.candidates.map(({ explanation }: { explanation: string }) => explanation.length > 10)).toEqual([
      true,
      true,
    ]);
  });

  test('of what a script would find, and of none that cannot be read', async () => {
    for (const question of ['forecast', 'plan', 'walltime']) {
      const size = ['-n', '8', '-t', '30m', '--name', 'fold'];
      expect((await gridcast(question, ...size, '--script', script)).exitCode).toBe(0);
      const missing = await gridcast(question, ...size, '--script', `${script}.missing`);
      expect(missing.stderr).toContain(`${script}.missing`);
      expect(missing.exitCode).not.toBe(0);
    }
    const long = await gridcast('plan', '-n', '8', '-t', '30m', '--name', 'x'.repeat(5000));
    expect([long.exitCode, long.stderr]).toEqual([1, expect.stringContaining('input.name')]);
  });

  test('a reservation on offer, which promises nothing', async () => {
    const before = (await gridcast('status', '--json')).json().reservations.edges.length;
    const offer = await gridcast('reserve', script, '-n', '4', '-t', '30m', '--at', '+6h', '-p', '0.6', '--dry-run');
    expect(offer.exitCode).toBe(0);
    expect(offer.stdout).toMatch(/would promise|no promise/);
    expect((await gridcast('status', '--json')).json().reservations.edges).toHaveLength(before);
  });

  test('what the predictors are worth', async () => {
    expect((await gridcast('sites', 'scores', 'east')).exitCode).toBe(0);
  });
});

describe('asking for work', () => {
  test('a job is handed in once however often it is sent, watched to its end, and shown', async () => {
    const command = ['submit', script, '-n', '4', '-t', '10m', '--key', 'once', '--name', 'fold', '--json'];
    const job = (await gridcast(...command)).json();
    expect((await gridcast(...command)).json().id).toBe(job.id);
    const changes = (await gridcast('watch', job.id, '--json')).lines();
    expect(changes.filter(({ state }) => state === 'ENDED')).toHaveLength(1);
    expect(changes.at(-1)).toMatchObject({ state: 'ENDED', outcome: 'COMPLETED', name: 'fold' });
    const short = (await gridcast('status', job.id, '--json')).json();
    expect(short.plan.chosen.site.name).toMatch(/east|west/);
    expect(short.plan.candidates).toBeUndefined();
    const full = (await gridcast('status', job.id, '--json', '--full')).json();
    expect(full.plan.candidates).toHaveLength(2);
    const status = await gridcast('status', job.id);
    expect(status.stdout).toMatch(/ended: completed/);
    expect(status.stdout).toMatch(/wait \+ walltime/);
    const native = ['east', 'west'].flatMap((site) => world.nativeJobs(site)).filter(({ name }) => name === 'fold');
    expect(native).toHaveLength(1);
  });

  test('a walltime may be chosen by a risk, for what is not promised', async () => {
    const auto = ['-n', '4', '-t', 'auto', '--risk', '5%'];
    const made = await gridcast('submit', script, ...auto, '--json');
    expect(made.exitCode).toBe(0);
    expect(made.json()).toMatchObject({ walltimeRisk: 0.05, walltimeSeconds: expect.any(Number) });
    const shown = await gridcast('status', made.json().id);
    expect(shown.stdout).toMatch(/chosen at 5 % risk of being killed/);
    const plan = await gridcast('plan', ...auto, '--walltime-at-most', '10m', '--json');
    for (const { walltimeSeconds, charge } of plan.json().candidates) {
      expect(walltimeSeconds).toBeLessThanOrEqual(600);
      expect(charge.expectedNeededProcessorSeconds).toBeLessThanOrEqual(charge.neededProcessorSeconds);
    }
    expect((await gridcast('plan', ...auto)).stdout).toMatch(/charge expected +charge at most/);
    const riskless = await gridcast('submit', script, '-n', '4', '-t', 'auto');
    expect([riskless.exitCode, riskless.stderr]).toEqual([1, expect.stringMatching(/input.walltimeRisk.*0.05/s)]);
    const stated = await gridcast('submit', script, '-n', '4', '-t', '1h', '--risk', '5%');
    expect([stated.exitCode, stated.stderr]).toEqual([2, expect.stringContaining('--walltime auto')]);
    const promised = await gridcast('reserve', script, ...auto, '--at', '+6h', '-p', '0.5');
    expect([promised.exitCode, promised.stderr]).toEqual([1, expect.stringContaining('input.walltime')]);
  });

  test('a reservation is promised with its trajectory, and cancelled', async () => {
    const made = await gridcast('reserve', script, '-n', '2', '-t', '10m', '--at', '+6h', '-p', '0.5', '--json');
    expect(made.exitCode).toBe(0);
    const reservation = made.json();
    expect(reservation.state).toBe('PROMISED');
    expect(reservation.ifMissed).toBe('CANCEL');
    expect(reservation.trajectory).toBeUndefined();
    const full = (await gridcast('status', reservation.id, '--json', '--full')).json();
    expect(full.trajectory.length).toBeGreaterThan(100);
    const site = reservation.site.name;
    const atSite = await gridcast('status', '--site', site);
    expect(atSite.stdout).toContain(reservation.id.slice(-10));
    const jobs = (await gridcast('status', '--site', site, '--json')).json();
    expect(jobs.edges.map(({ node }: { node: { id: string } }) => node.id)).toContain(reservation.job.id);
    expect((await gridcast('status', reservation.id, '--site', site)).exitCode).toBe(2);
    expect(await gridcast('status', '')).toMatchObject({ exitCode: 1, stdout: '' });
    expect(await gridcast('status', '--site', '')).toMatchObject({ exitCode: 1, stdout: '' });
    const cancelled = await gridcast('cancel', reservation.id);
    expect(cancelled.exitCode).toBe(0);
    const watched = await gridcast('watch', reservation.id, '--json');
    expect(watched.lines().at(-1)).toMatchObject({ state: 'CANCELLED' });
    expect(watched.exitCode).toBe(5);
  });

  test('a refusal names the best offer', async () => {
    const refused = await gridcast('reserve', script, '-n', '256', '-t', '10m', '--at', '+1h', '-p', '0.999');
    expect(refused.exitCode).toBe(1);
    expect(refused.stderr).toContain('input.probability');
    expect(refused.stderr).toContain('a lower probability');
  });

  test('a co-allocation over two sites', async () => {
    const legs = ['--leg', 'site=east,processors=2,walltime=10m', '--leg', 'site=west,processors=2,walltime=10m'];
    const made = await gridcast('co-allocate', script, '--rule', 'all', ...legs, '--at', '+6h', '-p', '0.3', '--json');
    expect(made.exitCode).toBe(0);
    expect(made.json().legs).toHaveLength(2);
    expect(made.json().pessimisticProbability).toBeLessThanOrEqual(made.json().promisedProbability);
    expect((await gridcast('status', made.json().id)).stdout).toMatch(
      /at worst +.* % if its sites depend on each other, by/,
    );
    const overview = await gridcast('status');
    expect(overview.stdout).toContain(made.json().id.slice(-10));
    expect((await gridcast('cancel', made.json().id)).exitCode).toBe(0);
  });

  test('a co-allocation may try a leg at several sites; demanding too much names what there is', async () => {
    const legs = ['a', 'b'].flatMap((name) => ['--leg', `name=${name},processors=2,walltime=10m`]);
    const asked = ['co-allocate', script, '--rule', 'any', ...legs, '--at', '+6h', '-p', '0.5'];
    const made = await gridcast(...asked, '--most-sites-per-leg', '2', '--json');
    expect(made.exitCode).toBe(0);
    expect((await gridcast('cancel', made.json().id)).exitCode).toBe(0);
    const many = await gridcast(...asked, '--most-sites-per-leg', '9');
    expect(many.exitCode).toBe(1);
    expect(many.stderr).toContain('mostSitesPerLeg must be a whole number from 1 to 4, got 9');
    const dear = await gridcast(...asked, '--max-padding', '1');
    expect(dear.exitCode).toBe(1);
    expect(dear.stderr).toMatch(/input\.legs\[\d\]\.maxPaddingProcessorSeconds: .* would do/);
    const refused = await gridcast(...asked, '--minimum-pessimistic', '0.9999');
    expect(refused.exitCode).toBe(1);
    expect(refused.stderr).toContain('input.minimumPessimisticProbability');
    expect(refused.stderr).toMatch(/the best on offer is .* %, .* % if its sites depend on each other, by \d+ paired/);
  });
});

describe('running the sites', () => {
  test('one is registered, loaded with a history, and drained', async () => {
    // By another name of this machine: one that is reached the same way is refused.
    const configuration = JSON.stringify((await world.site('east')).configuration).replace('127.0.0.1', 'localhost');
    const registered = await gridcast(
      'sites',
      'register',
      'north',
      '--adapter',
      'simulator',
      '--configuration',
      configuration,
    );
    expect(registered.exitCode).toBe(0);
    const log = join(folder, 'north.swf.gz');
    const lines = [
      '; UnixStartTime: 1779000000',
      ...[1, 2, 3].map((id) => `${id} ${id * 60} 30 100 4 -1 -1 4 600 -1 1 7 1 1 1 -1 -1 -1`),
    ];
    writeFileSync(log, gzipSync(lines.join('\n')));
    expect((await gridcast('import', 'north', log, '--json')).json()).toMatchObject({ imported: 3, changed: 0 });
    const again = await gridcast('import', 'north', log);
    expect(again.stdout).toMatch(/^0 records imported/);
    expect((await gridcast('sites', 'drain', 'north')).stdout).toContain('draining');
    expect((await gridcast('sites', 'drain', 'north', '--undo')).stdout).toContain('active');
  });

  test('a truncated history is refused whole', async () => {
    const log = join(folder, 'torn.swf.gz');
    writeFileSync(log, gzipSync('x'.repeat(5000)).subarray(0, 20));
    const refused = await gridcast('import', 'east', log);
    expect(refused.exitCode).toBe(1);
    expect(refused.stderr).toMatch(/truncated|too early/);
  });
});

describe('mistakes', () => {
  test.each([
    ['an unknown site', ['forecast', '-n', '1', '-t', '1h', '--site', 'nowhere'], 1, 'the sites are: east'],
    ['no processors', ['submit', 'SCRIPT', '-n', '0', '-t', '1h'], 2, 'whole number'],
    ['too many processors', ['submit', 'SCRIPT', '-n', '100000', '-t', '1h'], 1, 'input'],
    ['a missing option', ['submit', 'SCRIPT', '-n', '4'], 2, '--walltime'],
    ['a missing script', ['submit', '/no/such/file', '-n', '4', '-t', '1h'], 2, 'cannot be read'],
    [
      'a start in the past',
      ['reserve', 'SCRIPT', '-n', '1', '-t', '1h', '--at', '2001-01-01T00:00:00Z', '-p', '0.5'],
      1,
      'input.startAt',
    ],
    [
      'a probability of 1',
      ['reserve', 'SCRIPT', '-n', '1', '-t', '1h', '--at', '+6h', '-p', '1'],
      1,
      'input.probability',
    ],
    ['an unknown id', ['status', 'Sm9iOm5vbmU='], 1, ''],
    ['an unknown command', ['fly'], 2, 'unknown command'],
  ])('%s', async (_what, args, exitCode, words) => {
    const run = await gridcast(...args.map((word) => (word === 'SCRIPT' ? script : word)));
    expect(run.stderr).toContain(words);
    expect(run.exitCode).toBe(exitCode);
    expect(run.stdout).toBe('');
  });

  test('a wrong token', async () => {
    const run = await runCli('sites', '--url', cli.url, '--token', 'gct_wrong', '--json');
    expect(run.exitCode).toBe(1);
    expect(run.json().error.remedy).toContain('gridcast token create');
  });

  test('nobody there', async () => {
    const run = await runCli('sites', '--url', 'http://127.0.0.1:1');
    expect(run.exitCode).toBe(3);
    expect(run.stderr).toContain('gridcast serve');
  });
});
