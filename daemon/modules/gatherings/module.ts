/** Gatherings: lobbies, appointments and open groups, their members and invitations. */
import type { ResourceRedaction } from '../../platform/events/redaction.js';
import { type Module, modulePart } from '../../platform/module.js';
import type { Platform } from '../../platform/platform.js';
import { CodeLookup } from './code-lookup.js';
import { followDelays } from './delays.js';
import { eraseInvited, eraseMember } from './erasure.js';
import { GatheringInvitationEmails } from './invitation-emails.js';
import { InvitationStore } from './invitation-store.js';
import { InvitationService } from './invitations.js';
import { MemberStore } from './member-store.js';
import { GatheringMemberService } from './members.js';
import { moveGatherings } from './move-gatherings.js';
import { mergeMemberships, seatsOfBoth } from './move-store.js';
import { GatheringMoves, type SessionOpener } from './moves.js';
import { gatheringRecords } from './person-records-store.js';
import { type GatheringServices, gatheringRouter } from './routes.js';
import { GatheringService } from './service.js';
import { GatheringStore } from './store.js';
import { type ActiveSanctions, GatheringTransactions, type PeopleLookup } from './transactions.js';

interface GatheringNeeds {
  readonly participants: PeopleLookup;
  readonly moderation: { readonly inForce: ActiveSanctions };
  readonly sessions: { readonly service: SessionOpener };
  readonly redaction: ResourceRedaction;
}

export interface Gatherings extends Module {
  readonly services: GatheringServices;
  /** The role of a person with a seat in a gathering that goes on in the room; null: they have none. */
  roleIn(projectId: string, roomId: string, externalUserId: string): Promise<'owner' | 'member' | null>;
}

export function gatheringsModule(
  {
    database,
    log,
    mail,
    mailAllowance,
    logger,
    now,
  }: Pick<Platform, 'database' | 'log' | 'mail' | 'mailAllowance' | 'logger' | 'now'>,
  needs: GatheringNeeds,
): Gatherings {
  const { participants, moderation, sessions, redaction } = needs;
  const stores = {
    gatherings: new GatheringStore(database),
    members: new MemberStore(database),
    invitations: new InvitationStore(database),
  };
  const transactions = new GatheringTransactions({
    database,
    log,
    stores,
    people: participants,
    sanctions: moderation.inForce,
    now,
  });
  const emails = new GatheringInvitationEmails(mail, mailAllowance);
  const codes = new CodeLookup(stores.gatherings);
  const members = new GatheringMemberService(transactions, stores, participants, codes);
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
    roleIn: stores.gatherings.roleIn.bind(stores.gatherings),
    routes: gatheringRouter(services),
    parts: [
      modulePart('move-gatherings', moveGatherings(moves, logger), { role: 'jobs' }),
      { name: 'invitation-mail', stop: () => emails.stop() },
    ],
    follows: [{ name: 'ready-marks', role: 'jobs', ...followDelays(moves, logger) }],
    personRecords: gatheringRecords(database),
    personMove: { obstacles: seatsOfBoth, move: mergeMemberships },
    person: { beforeLog: eraseMember(transactions, stores, eraseInvited(redaction)) },
  };
}
