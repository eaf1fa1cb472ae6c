/** Gatherings: lobbies, appointments and open groups, their members and invitations. */
import { type Module, modulePart } from '../../platform/module.js';
import type { Platform } from '../../platform/platform.js';
import type { JobRunner } from '../../platform/scheduler/jobs.js';
import type { Records } from '../../records.js';
import { CodeLookup } from './code-lookup.js';
import { followDelays } from './delays.js';
import { eraseInvited, eraseMember } from './erasure.js';
import { GatheringInvitationEmails } from './invitation-emails.js';
import { InvitationService } from './invitations.js';
import type { ActiveSanctions } from './locked-gathering.js';
import { GatheringMemberService } from './members.js';
import { moveGatherings } from './move-gatherings.js';
import { GatheringMove } from './move-store.js';
import { GatheringMoves, type SessionOpener } from './moves.js';
import { gatheringPersonRecords } from './person-records-store.js';
import { type GatheringServices, gatheringRouter } from './routes.js';
import { GatheringService } from './service.js';
import { GatheringTransactions } from './transactions.js';

interface GatheringNeeds {
  readonly moderation: { readonly inForce: ActiveSanctions };
  readonly sessions: { readonly service: SessionOpener };
}

export interface Gatherings extends Module {
  readonly services: GatheringServices;
}

export function gatheringsModule(
  {
    database,
    log,
    mail,
    mailAllowance,
    jobs,
    logger,
    now,
  }: Pick<Platform, 'database' | 'log' | 'mail' | 'mailAllowance' | 'logger' | 'now'> & { readonly jobs: JobRunner },
  { gatherings: stores, people, webhooks }: Pick<Records, 'gatherings' | 'people' | 'webhooks'>,
  { moderation, sessions }: GatheringNeeds,
): Gatherings {
  const transactions = new GatheringTransactions({
    database,
    log,
    stores,
    people: people.directory,
    sanctions: moderation.inForce,
    now,
  });
  const emails = new GatheringInvitationEmails(mail, mailAllowance);
  const codes = new CodeLookup(stores.gatherings);
  const members = new GatheringMemberService(transactions, stores, people.directory, codes);
  const moves = new GatheringMoves(transactions, stores, sessions.service, now);
  const services = {
    gatherings: new GatheringService(transactions, stores, codes, members, emails),
    moves,
    members,
    invitations: new InvitationService(transactions, stores, now),
  };
  return {
    name: 'gatherings',
    services,
    routes: gatheringRouter(services),
    parts: [
      modulePart('move-gatherings', moveGatherings(moves, jobs, logger), { role: 'jobs' }),
      { name: 'invitation-mail', stop: () => emails.stop() },
    ],
    follows: [{ name: 'ready-marks', role: 'jobs', ...followDelays(moves, logger) }],
    personRecords: gatheringPersonRecords(database),
    personMove: new GatheringMove(transactions, stores),
    person: { beforeLog: eraseMember(transactions, stores, eraseInvited(webhooks.redaction)) },
  };
}
