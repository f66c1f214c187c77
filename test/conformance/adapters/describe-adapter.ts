import { afterAll, afterEach, beforeAll, describe, test } from 'vitest';
import { describeAgreement } from './agreement.ts';
import { describeEnds } from './ends.ts';
import { describeFaults } from './faults.ts';
import { describeHistory } from './history.ts';
import { describeOutputs } from './outputs.ts';
import { describeRequests } from './requests.ts';
import { describeScripts } from './scripts.ts';
import type { SiteUnderTest } from './site-under-test.ts';
import { describeStaging } from './staging.ts';
import { describeSubmission } from './submission.ts';
import { describeVerbs } from './verbs.ts';
import { Visitor } from './visitor.ts';

/** In this order: what a lost node or a full queue leaves behind must disturb nobody. */
const CHAPTERS = [
  describeVerbs,
  describeSubmission,
  describeAgreement,
  describeRequests,
  describeScripts,
  describeOutputs,
  describeStaging,
  describeHistory,
  describeFaults,
  describeEnds,
];

/**
 * The conformance suite: what every adapter must do, on whatever site. A new adapter is done when a site of it passes.
 * @param makeSite brings a site up for this suite alone
 * @param missing why there can be no such site on this machine; the whole suite is then skipped with that line
 * @param chapters all of it unless told
 */
export function describeAdapter(
  name: string,
  makeSite: () => Promise<SiteUnderTest>,
  missing: string | null = null,
  chapters: readonly ((visitor: () => Visitor) => void)[] = CHAPTERS,
): void {
  if (missing !== null) {
    test(`${name} keeps the adapter's contract`, ({ skip }) => skip(missing));
    return;
  }
  describe(`${name} keeps the adapter's contract`, () => {
    let visitor: Visitor;
    beforeAll(async () => {
      visitor = new Visitor(await makeSite());
    });
    afterAll(async () => {
      await visitor?.site.adapter.close();
      await visitor?.site.close();
    });
    // What a case that failed leaves behind would fail the others, too, each after its patience.
    afterEach(async ({ task }) => {
      if (task.result?.state === 'fail') await visitor?.leaveNothing();
    });
    for (const chapter of chapters) chapter(() => visitor);
  });
}
