import { pino } from 'pino';
import type { Clock } from '../../../src/domain/clock.ts';
import { SiteFailure } from '../../../src/domain/failures.ts';
import type { SiteAdapter } from '../../../src/domain/site-adapter.ts';
import { CheckedAdapter } from '../../../src/flow/checked-adapter.ts';
import type { SiteUnderTest } from './site-under-test.ts';

/** The suite's site and its adapter have one clock. */
const LIMITS = { maxSkewSeconds: 60, callMilliseconds: 120_000 };
const silent = pino({ level: 'silent' });
/** What answers without a word of the site, and is not checked. */
const UNHEARD: readonly (string | symbol)[] = ['capabilities', 'standings', 'close'];

type Verb = (...words: unknown[]) => Promise<unknown>;

/**
 * The site's adapter, each answer of which is looked at as the service looks at it. One that the service would not
 * believe is no failure of the site: it is thrown as a mistake, so that no case takes it for a site that is away. What
 * is believed comes through as the adapter said it.
 */
export function believed({ adapter, now }: Pick<SiteUnderTest, 'adapter' | 'now'>): SiteAdapter {
  return new Proxy(adapter, {
    get(_, name) {
      const member: unknown = Reflect.get(adapter, name);
      if (typeof member !== 'function') return member;
      const verb = member.bind(adapter) as Verb;
      return UNHEARD.includes(name) ? verb : heard(String(name), verb, now);
    },
  });
}

function heard(name: string, verb: Verb, now: () => number): Verb {
  return async (...words) => {
    let said: unknown;
    let siteFailed = false;
    const listened = async () => {
      try {
        said = await verb(...words);
        return said;
      } catch (error) {
        siteFailed = error instanceof SiteFailure;
        throw error;
      }
    };
    const one = { capabilities: {}, [name]: listened } as unknown as SiteAdapter;
    const checked = new CheckedAdapter(one, { now } as Clock, LIMITS, silent, 'the site under test');
    try {
      await (checked[name as keyof SiteAdapter] as Verb).apply(checked, words);
    } catch (error) {
      if (siteFailed || !(error instanceof SiteFailure)) throw error;
      throw error.code === 'ADAPTER_FAILED' && error.cause ? error.cause : new Error(`not believed: ${error.message}`);
    }
    return said;
  };
}
