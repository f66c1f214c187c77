import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Agenda } from '../../../src/sim/agenda.ts';

/** Acts at each of the moments, in their order, and notes it. */
function actorAt(name: string, moments: readonly number[], acts: (readonly [number, string])[]) {
  const left = [...moments].sort((a, b) => a - b);
  return {
    get dueAt() {
      return left[0] ?? Number.POSITIVE_INFINITY;
    },
    next() {
      acts.push([left.shift() as number, name]);
    },
  };
}

test('everybody acts in the order of time, at one moment in the order of being added', () => {
  const moments = fc.array(fc.nat(20), { maxLength: 6 });
  fc.assert(
    fc.property(fc.array(moments, { maxLength: 6 }), (plans) => {
      const acts: (readonly [number, string])[] = [];
      const agenda = new Agenda(plans.map((plan, index) => actorAt(String(index), plan, acts)));
      while (agenda.nextAt < Number.POSITIVE_INFINITY) agenda.next();
      const expected = plans
        .flatMap((plan, index) => plan.map((at) => [at, String(index)] as const))
        .sort(([a, one], [b, other]) => a - b || Number(one) - Number(other));
      expect(acts).toEqual(expected);
    }),
  );
});

test('somebody who never acts is not kept, and nothing happens when nobody is left', () => {
  const acts: (readonly [number, string])[] = [];
  const agenda = new Agenda([actorAt('never', [], acts), actorAt('once', [5], acts)]);
  expect(agenda.nextAt).toBe(5);
  agenda.next();
  expect(agenda.nextAt).toBe(Number.POSITIVE_INFINITY);
  agenda.next();
  expect(acts).toEqual([[5, 'once']]);
});

test('whoever acts may add others, who act at that moment after those who were there', () => {
  const acts: (readonly [number, string])[] = [];
  const agenda = new Agenda();
  const first = actorAt('first', [1], acts);
  agenda.add({
    get dueAt() {
      return first.dueAt;
    },
    next() {
      first.next();
      agenda.add(actorAt('added', [1], acts));
    },
  });
  agenda.add(actorAt('second', [1], acts));
  while (agenda.nextAt < Number.POSITIVE_INFINITY) agenda.next();
  expect(acts.map(([, name]) => name)).toEqual(['first', 'second', 'added']);
});
