import { createTemplateAdapter } from '../../../../adapters/template/template.ts';
import { describeAdapter } from '../describe-adapter.ts';
import type { Lacking, SiteUnderTest } from '../site-under-test.ts';

const none: Lacking = { lacks: 'there is no site yet' };

/** What somebody sees who has just copied the template: the suite, and no site. */
const noSite: SiteUnderTest = {
  adapter: createTemplateAdapter({}),
  processors: 1,
  tooLongWalltimeSeconds: 1e6,
  shortestWalltimeSeconds: 60,
  walltimeGraceSeconds: 60,
  startsWithinSeconds: 8,
  refusals: { tooManyProcessors: /./, tooLongWalltime: /./, unknownQueue: /./ },
  now: () => Date.now() / 1000,
  async until(_what, condition) {
    await condition();
  },
  tellsUse: [],
  lostReplies: none,
  sharedFolder: none,
  hold: none,
  requeue: none,
  nodeLoss: none,
  controllerDown: none,
  controllerHung: none,
  authenticationLost: none,
  fillQueue: none,
  close: async () => undefined,
};

describeAdapter('the template', async () => noSite);
