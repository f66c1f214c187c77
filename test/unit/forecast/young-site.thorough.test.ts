import { youngSiteKeeps } from './young-site-keeps.ts';

youngSiteKeeps(16);
