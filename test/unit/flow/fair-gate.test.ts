import { expect, test } from 'vitest';
import { type Claimant, FairGate } from '../../../src/flow/fair-gate.ts';

const claim = (tenantId: string, siteId: string | null = null, isUrgent = false): Claimant => {
  return { tenantId, siteId, isUrgent };
};

/** A gate, what has been let in in that order, and a way to end the oldest of it. */
function gateOf(slots: number, slotsPerSite: number) {
  const gate = new FairGate(slots, slotsPerSite);
  const entered: string[] = [];
  const inside: (() => void)[] = [];
  const results: Promise<unknown>[] = [];
  return {
    gate,
    entered,
    results,
    ask(name: string, claimant: Claimant): void {
      const work = () => {
        entered.push(name);
        return new Promise<string>((done) => inside.push(() => done(name)));
      };
      results.push(gate.pass(claimant, work));
    },
    async endOldest(): Promise<void> {
      inside.shift()?.();
      await settled();
    },
  };
}

const settled = () => new Promise((done) => setImmediate(done));

test('a tenant that asks for hundreds does not keep another one waiting', async () => {
  const { ask, entered, endOldest } = gateOf(2, 2);
  for (let n = 0; n < 400; n++) ask(`many-${n}`, claim('many'));
  ask('one', claim('few'));
  await settled();
  expect(entered).toEqual(['many-0', 'many-1']);
  await endOldest();
  expect(entered).toContain('one');
  await endOldest();
  expect(entered.at(-1)).toBe('many-2');
});

test('what is urgent goes before all that waits, whoever asks for it', async () => {
  const { ask, entered, endOldest } = gateOf(1, 1);
  for (const name of ['a', 'b', 'c']) ask(name, claim('many'));
  ask('due', claim('many', 'east', true));
  await settled();
  await endOldest();
  expect(entered).toEqual(['a', 'due']);
});

test('a site never has more than its share, and those who want another site go past', async () => {
  const { ask, entered, endOldest } = gateOf(4, 2);
  for (let n = 0; n < 10; n++) ask(`sick-${n}`, claim('t', 'sick', true));
  for (let n = 0; n < 3; n++) ask(`well-${n}`, claim('t', 'well'));
  await settled();
  expect(entered).toEqual(['sick-0', 'sick-1', 'well-0', 'well-1']);
  await endOldest();
  expect(entered.at(-1)).toBe('sick-2');
});

test('what waits of one tenant for one site goes by one slot, up to a bound, and the slot is free after the last', async () => {
  const gate = new FairGate(1, 1, 0, 3);
  const entered: string[] = [];
  const ends = new Map<string, () => void>();
  const ask = (name: string, claimant: Claimant) =>
    void gate.pass(claimant, () => {
      entered.push(name);
      return new Promise<void>((end) => ends.set(name, end));
    });
  ask('first', claim('t', 'elsewhere'));
  for (let n = 0; n < 5; n++) ask(`here-${n}`, claim('t', 'here'));
  ask('other', claim('u', 'here'));
  ask('due', claim('t', 'here', true));
  const end = async (...names: string[]) => {
    for (const name of names) ends.get(name)?.();
    await settled();
  };
  await settled();
  await end('first');
  expect(entered).toEqual(['first', 'due']);
  await end('due');
  await end('other');
  expect(entered.slice(2)).toEqual(['other', 'here-0', 'here-1', 'here-2']);
  await end('here-0', 'here-2');
  expect(entered).toHaveLength(6);
  await end('here-1');
  expect(entered.slice(6)).toEqual(['here-3', 'here-4']);
});

test('slots are kept for what is urgent', async () => {
  const gate = new FairGate(4, 4, 1);
  const entered: string[] = [];
  const enter = (name: string, isUrgent: boolean) =>
    void gate.pass(claim('t', null, isUrgent), () => new Promise(() => entered.push(name)));
  for (let n = 0; n < 6; n++) enter(`plan-${n}`, false);
  await settled();
  expect(entered).toEqual(['plan-0', 'plan-1', 'plan-2']);
  enter('due', true);
  await settled();
  expect(entered.at(-1)).toBe('due');
});

test('what is urgent never takes all slots, so that the others go on', async () => {
  const gate = new FairGate(8, 3, 2, 32);
  const entered: string[] = [];
  const enter = (name: string, claimant: Claimant) =>
    void gate.pass(claimant, () => new Promise(() => entered.push(name)));
  for (let n = 0; n < 100; n++) enter('cancel', claim('many', `site-${n}`, true));
  await settled();
  expect(entered).toHaveLength(7);
  enter('plan', claim('few'));
  await settled();
  expect(entered.at(-1)).toBe('plan');
  enter('another', claim('few'));
  await settled();
  expect(entered).toHaveLength(8);
});

test('two sites that do not answer leave a slot for what is urgent elsewhere', async () => {
  const gate = new FairGate(8, 3, 2, 32);
  const entered: string[] = [];
  const enter = (name: string, siteId: string) =>
    void gate.pass(claim('t', siteId, true), () => new Promise(() => entered.push(name)));
  for (const site of ['east', 'west']) for (let n = 0; n < 10; n++) enter('sick', site);
  enter('due', 'north');
  await settled();
  expect(entered.slice(6)).toEqual(['due']);
});

test('a gate that closes sends away who waits and lets those inside finish', async () => {
  const { gate, ask, results, endOldest } = gateOf(1, 1);
  ask('in', claim('t'));
  ask('waits', claim('t'));
  await settled();
  gate.close();
  expect(await results[1]).toBeNull();
  await endOldest();
  expect(await results[0]).toBe('in');
});

test('work that fails leaves its slot', async () => {
  const gate = new FairGate(1, 1);
  await expect(gate.pass(claim('t', 'east'), () => Promise.reject(new Error('no')))).rejects.toThrow('no');
  expect(await gate.pass(claim('t', 'east'), async () => 'yes')).toBe('yes');
});
