import { z } from 'zod';

/**
 * A setting of several items, separated by commas; one at the end may follow the last. All that is wrong with it is one
 * fault, which names the items.
 * @param usual what it is without being set
 */
export function separated(usual: string, item: z.ZodType<string, string> = z.string()) {
  return z
    .string()
    .default(usual)
    .transform((text, context) => {
      const items = text.split(',').map((one) => one.trim());
      if (items.at(-1) === '') items.pop();
      const read = items.map((one) => (one === '' ? EMPTY : item).safeParse(one));
      const faults = new Map<string, Set<string>>();
      for (const [index, { error }] of read.entries()) {
        for (const { message } of error?.issues ?? []) {
          faults.set(message, (faults.get(message) ?? new Set()).add(JSON.stringify(items[index])));
        }
      }
      const message = [...faults].map(([what, whose]) => `${[...whose].join(', ')}: ${what}`).join('; ');
      if (message !== '') context.addIssue({ code: 'custom', message });
      return read.flatMap(({ data }) => data ?? []);
    });
}

const EMPTY = z.string().min(1, 'nothing is between two commas');
