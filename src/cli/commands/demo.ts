import { signInLink } from '../client/sign-in-link.ts';
import { playManyReservations } from '../demo/many-reservations.ts';
import { Narrator } from '../demo/narrator.ts';
import { openSites } from '../demo/open-sites.ts';
import type { DemoOptions } from '../demo/options.ts';
import { renderPromises } from '../demo/promises-kept.ts';
import { type Stage, setUpStage } from '../demo/stage.ts';
import { tellStory } from '../demo/story.ts';
import { renderSummary } from '../demo/summary.ts';
import colors from '../render/colors.ts';
import type { Session } from '../session.ts';
import { startUnlessTold, untilSignal } from './until-signal.ts';

const LAST_WORDS_MILLISECONDS = 300;

/** `gridcast demo` */
export async function runDemo({ config, output }: Session, options: DemoOptions): Promise<void> {
  // With --json standard output carries the one document at the end, and the story goes to standard error.
  const narrator = new Narrator(output.json ? process.stderr : process.stdout);
  const interrupted = untilSignal();
  const { started: stage } = await startUnlessTold(interrupted, () => setUpStage(config, options, narrator));
  if (stage === null) {
    narrator.waiting('');
    return;
  }
  try {
    const end = await Promise.race([play(stage, narrator, output.json), interrupted.then(() => null)]);
    if (end === null) return;
    output.result(end.value, () => end.text);
    if (options.once) return;
    narrator.chapter('The service goes on; Ctrl-C ends it');
    narrator.line(`console at ${await signInLink(stage.stack.api.url, stage.token)}`);
    narrator.line(`try  GRIDCAST_URL=${stage.stack.api.url} GRIDCAST_TOKEN=${stage.token} npx gridcast sites`);
    await interrupted;
  } finally {
    narrator.waiting('');
    await stage.stack.stop();
    // What was still being followed would wait for a service that is gone.
    setTimeout(() => process.exit(), LAST_WORDS_MILLISECONDS).unref();
  }
}

async function play(stage: Stage, narrator: Narrator, quiet: boolean): Promise<{ value: unknown; text: string }> {
  await tellAddress(stage, narrator);
  const sites = await openSites(stage, quiet);
  if (stage.reservations !== null) {
    const many = await playManyReservations(stage, sites, stage.reservations, narrator, quiet);
    return { value: many, text: `\n${renderPromises(many.rows)}` };
  }
  const end = await tellStory(stage, sites, narrator);
  return { value: end, text: `\n${renderSummary(end)}` };
}

async function tellAddress({ stack, token, scale }: Stage, narrator: Narrator): Promise<void> {
  narrator.line(`console at ${colors.cyan(await signInLink(stack.api.url, token))}`);
  narrator.line(`GraphQL at ${colors.cyan(stack.api.url)}`);
  narrator.line(`token ${colors.cyan(token)}`);
  narrator.line(colors.dim(`the sites' clock runs ${scale} times as fast as yours`));
}
