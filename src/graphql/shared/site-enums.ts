import { MAIL_EVENTS } from '../../domain/resources.ts';
import { IDENTITY_RULES } from '../../domain/site-identity.ts';
import { defineEnum } from './define-enum.ts';

export const MailEventEnum = defineEnum('MailEvent', MAIL_EVENTS, 'Of what a site writes mails.', {
  BEGIN: 'The job has started.',
  END: 'It has ended.',
  FAIL: 'It has failed, or was ended.',
});

export const IdentityRuleEnum = defineEnum('IdentityRule', IDENTITY_RULES, 'As whom jobs come to a site.', {
  GATEWAY: "All of them as the gateway's own account.",
  PER_TENANT: 'Those of every tenant as an account of its own.',
});
