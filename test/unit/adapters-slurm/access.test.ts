import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { asksWhoWeAre, forbiddenBecause } from '../../../adapters/slurm/access.ts';
import { markOtherGroups, parseAssociations, parsePartitions } from '../../../adapters/slurm/parse-cluster.ts';
import { parseRestAssociations, parseRestPartitions } from '../../../adapters/slurm/parse-rest.ts';
import type { SlurmAssociation, SlurmPartition } from '../../../adapters/slurm/slurm-job.ts';

/**
 * All of one cluster, Slurm 22.05.8: alice's account is phys, below science, her QOS normal though she may ask for
 * fast.
 */
const recorded = (name: string) => readFileSync(new URL(`../../fixtures/slurm/${name}`, import.meta.url), 'utf8');
const document = (name: string) => JSON.parse(recorded(name));

const partitions = parsePartitions(recorded('partitions-access.txt'));
const associations = parseAssociations(recorded('associations.txt'));
const restPartitions = parseRestPartitions(document('rest-partitions-access.json'));
const restAssociations = ['rest-associations.json', 'rest-account-associations.json'].flatMap((name) =>
  parseRestAssociations(document(name), 'alice').filter(({ cluster }) => cluster === 'alpha'),
);

function reasons(
  some: readonly SlurmPartition[],
  known: readonly SlurmAssociation[] | null,
  account?: string,
): Record<string, string> {
  const all = some.map((one) => [one.name, forbiddenBecause(one, known, account)] as const);
  return Object.fromEntries(all.flatMap(([name, reason]) => (reason === null ? [] : [[name, reason.because]])));
}

/** As sbatch answered alice, who was refused by these and no others but pgrp and palloc. */
const CLOSED = {
  paccts: 'it takes no jobs of account phys',
  pdeny: 'it takes no jobs of account phys',
  pqos: 'it takes no jobs of QOS normal, which ours have',
  pqosok: 'it takes no jobs of QOS normal, which ours have',
  pqosdeny: 'it takes no jobs of QOS normal, which ours have',
  prootonly: 'it takes jobs of root only',
  preq: 'it takes only jobs that have a reservation',
};

describe('partitions that take none of our jobs', () => {
  test('are the same by commands and by slurmrestd', () => {
    expect(reasons(partitions, associations)).toEqual(CLOSED);
    expect(reasons(restPartitions, restAssociations)).toEqual(CLOSED);
  });

  test('are told with the one of their terms by which jobs may yet come there', () => {
    const terms = partitions.flatMap((one) => {
      const forbidden = forbiddenBecause(one, associations, undefined);
      return forbidden ? [[one.name, forbidden.term]] : [];
    });
    expect(Object.fromEntries(terms)).toEqual({
      ...{ paccts: 'account', pdeny: 'account', pqos: 'qos', pqosok: 'qos', pqosdeny: 'qos' },
      ...{ prootonly: null, preq: 'siteReservation' },
    });
  });

  test('are told of groups by what scontrol shows to us alone', () => {
    const text = recorded('partitions-access.txt');
    const ours = text
      .split('\n')
      .filter((line) => !line.startsWith('PartitionName=pgrp '))
      .join('\n');
    expect(reasons(markOtherGroups(text, ours), associations)).toEqual({
      ...CLOSED,
      pgrp: 'it is for groups of users that this account is not in',
    });
  });

  test('go by the account that the configuration names', () => {
    const chem = associations.map((one) => (one.user ? { ...one, account: 'chem' } : one));
    const named = reasons(partitions, chem, 'CHEM');
    expect(named.paccts).toBeUndefined();
    expect(named.pacctok).toBe('it takes no jobs of account chem');
    const notOurs = associations.filter(({ user }) => user === null);
    expect(reasons(partitions, notOurs, 'CHEM').paccts).toBeUndefined();
  });

  test('are not claimed of what is not known', () => {
    const { prootonly, preq } = CLOSED;
    expect(reasons(partitions, null)).toEqual({ prootonly, preq });
    expect(reasons(partitions, null, 'phys')).toEqual({ prootonly, preq, pdeny: CLOSED.pdeny });
    const ofUsers = associations.filter(({ user }) => user !== null);
    expect(reasons(partitions, ofUsers)).toEqual({ prootonly, preq, pdeny: CLOSED.pdeny });
    const numbers = parseRestAssociations(document('rest37-associations.json'), 'alice');
    const alpha = numbers.filter(({ cluster }) => cluster === 'alpha');
    expect(reasons(partitions, alpha)).toEqual({ prootonly, preq, paccts: CLOSED.paccts, pdeny: CLOSED.pdeny });
    const beta = { cluster: 'beta', account: 'chem', user: 'alice', partition: null, parent: null };
    const both = [...associations, { ...beta, qos: ['slow'], defaultQos: null }];
    expect(reasons(partitions, both)).toEqual({ prootonly, preq, pqosok: CLOSED.pqosok });
  });

  test('without any account are those that name accounts', () => {
    const accounts = associations.filter(({ user }) => user === null);
    const { paccts, pacctok, pdeny } = reasons(partitions, accounts);
    expect([paccts, pacctok, pdeny]).toEqual([
      'it takes only jobs of some accounts, ours have none',
      'it takes only jobs of some accounts, ours have none',
      undefined,
    ]);
  });

  test('are not those that an account above ours may use', () => {
    const [first] = partitions;
    if (!first) throw new Error('no partition');
    const science = { ...first, access: { ...first.access, allowAccounts: ['science'] } };
    expect(forbiddenBecause(science, associations, undefined)).toBeNull();
  });

  test('go by the association of the partition and by the QOS that jobs get unasked', () => {
    const [ours, ...others] = associations;
    if (!ours) throw new Error('no association');
    const closed = (change: Partial<SlurmAssociation>, root: Partial<SlurmAssociation> = {}) =>
      Object.keys(
        reasons(partitions, [
          { ...ours, ...change },
          ...others.map((one) => (one.account === 'root' ? { ...one, ...root } : one)),
        ]),
      ).filter((name) => name.startsWith('pqos'));
    expect(closed({ defaultQos: 'fast' })).toEqual(['pqos', 'pqosdeny']);
    expect(closed({ qos: ['slow'] })).toEqual(['pqosok']);
    expect(closed({}, { defaultQos: 'slow' })).toEqual(['pqosok']);
    const there = { ...ours, partition: 'paccts', account: 'chem' };
    expect(reasons(partitions, [...associations, there]).paccts).toBeUndefined();
  });
});

test('only what names accounts or QOS asks who we are', () => {
  expect(partitions.filter(asksWhoWeAre).map(({ name }) => name)).toEqual([
    ...['paccts', 'pacctok', 'pdeny', 'pqos', 'pqosok', 'pqosdeny'],
  ]);
});

test('half an answer is none', () => {
  expect(() => parseAssociations('alpha|phys\n')).toThrow('DefaultQOS');
});
