/** The email to a person who is invited to a project. */
import type { ProjectRole } from '../../../src/contract/route.js';
import type { Email } from '../../platform/mail/mail.js';
import { plainName } from '../../platform/mail/plain-name.js';

interface InvitationContent {
  readonly to: string;
  readonly project: string;
  readonly role: ProjectRole;
  readonly invitedBy: string | null;
  readonly url: string;
  readonly days: number;
}

/** The owner of the address may accept; nobody else should receive the link. */
export const invitationEmail = ({ to, project, role, invitedBy, url, days }: InvitationContent): Email => ({
  to,
  subject: `You are invited to ${plainName(project)}`,
  text: [
    `${invitedBy === null ? 'Somebody' : plainName(invitedBy)} invites you to work in the project ${plainName(project)} with the role ${role}.`,
    '',
    'Accept by opening this link:',
    url,
    '',
    'or on a command line, which prompts for it:',
    'earshot users accept',
    '',
    `The link is for you only and is valid for ${days} days. If you did not expect it, ignore this e-mail.`,
    '',
  ].join('\n'),
});
