/** Moderation: sanctions with their effect in rooms, reviews, and who may see what of both. */
import type { Sanction } from '../../../src/contract/moderation/sanction-record.js';
import { type Module, modulePart, type PersonMoveSteps } from '../../platform/module.js';
import type { Platform } from '../../platform/platform.js';
import type { Clock } from '../../platform/time/clock.js';
import type { ParticipantDirectory } from '../people/directory.js';
import type { HistorySource } from '../people/history.js';
import type { RuleDirectory } from '../rules/directory.js';
import type { SessionReaders } from '../sessions/module.js';
import { moderationRecords } from './person-records-store.js';
import { reviewRouter } from './reviews/routes.js';
import type { ReviewService } from './reviews/service.js';
import type { AuthorNames } from './sanctions/authors.js';
import type { AutomaticSanctions } from './sanctions/automatic.js';
import { expireSanctions } from './sanctions/expire-sanctions.js';
import { sanctionHistory } from './sanctions/history.js';
import type { HumanDecisions } from './sanctions/human-decisions.js';
import { SanctionsInForce } from './sanctions/in-force.js';
import type { SanctionReader } from './sanctions/journal.js';
import { logSanctions } from './sanctions/logged.js';
import { enforcedEvents, RoomEnforcer, type SanctionEffects } from './sanctions/room-enforcer.js';
import { sanctionBatchRouter, sanctionRouter, sanctionTemplateRouter } from './sanctions/routes.js';
import type { SanctionService } from './sanctions/service.js';
import { moderationServices, type Policies, policiesOf } from './services.js';

/** Creates the reader of room policies, which others need before the rest of the module. */
export const roomPolicies = async (platform: Platform, { directory }: SessionReaders): Promise<Policies> =>
  policiesOf(platform, {
    erasureKey: await platform.signingKey('erased-bans'),
    sessions: directory,
  });

/** Applies the policies in rooms; the module feeds it with the events about them. */
export const roomEnforcer = (policies: Policies, effects: SanctionEffects, { now }: Pick<Platform, 'now'>) =>
  new RoomEnforcer(policies.reader, policies.store, effects, now);

interface ModerationNeeds {
  readonly policies: Policies;
  readonly enforcer: RoomEnforcer;
  readonly participants: ParticipantDirectory;
  readonly sessions: SessionReaders;
  readonly rules: RuleDirectory;
  /** Names of users and API keys, by id. */
  readonly accountNames: AuthorNames['accounts'];
}

interface SanctionLookup extends Pick<SanctionService, 'create' | 'revoke'> {
  find(projectId: string, id: string, reader: SanctionReader): Promise<Sanction | null>;
  /** The sanctions in force against the user now. */
  activeOfUser(projectId: string, externalUserId: string): Promise<Sanction[]>;
  /** All of them, newest first. */
  ofUser(projectId: string, externalUserId: string, reader: SanctionReader): Promise<Sanction[]>;
}

export interface Moderation extends Module {
  readonly sanctions: SanctionLookup;
  readonly inForce: SanctionsInForce;
  readonly automatic: AutomaticSanctions;
  readonly decidedByPeople: HumanDecisions;
  readonly reviews: ReviewService;
  readonly history: readonly HistorySource[];
}

export function moderationModule(platform: Platform, needs: ModerationNeeds): Moderation {
  const { database, log, logger, now } = platform;
  log.onStored((stored) =>
    logSanctions(
      logger,
      stored.map(({ event }) => event),
    ),
  );
  const { policies, enforcer, participants, sessions: readers, rules } = needs;
  const { sanctions, reviews, automatic, decidedByPeople, templates, batches, terms, erasure } = moderationServices(
    platform,
    {
      policies,
      enforcer,
      people: participants,
      authors: {
        accounts: needs.accountNames,
        players: async (...asked) =>
          new Map((await participants.byIds(...asked)).map(({ id, externalUserId }) => [id, externalUserId])),
        rules: (...asked) => rules.names(...asked),
      },
      sessions: readers.directory,
      rules,
      evidence: readers.evidence,
    },
  );
  return {
    name: 'moderation',
    sanctions,
    reviews,
    automatic,
    decidedByPeople,
    inForce: new SanctionsInForce(policies.store, policies.erasedBans, now),
    history: historyOf(sanctions, reviews),
    routes: [
      ...sanctionRouter(sanctions, erasure),
      ...sanctionBatchRouter(batches),
      ...sanctionTemplateRouter(templates),
      ...reviewRouter(reviews),
    ],
    parts: [modulePart('expire-sanctions', expireSanctions(terms, logger), { role: 'jobs' })],
    follows: [
      { name: 'sanctions', role: 'voice', types: enforcedEvents, early: true, on: (events) => enforcer.follow(events) },
    ],
    person: {
      inBatches: (...person) => erasure.ahead(...person),
      afterLog: (...person) => erasure.erase(...person),
      afterCommit: (projectId, externalUserId) => enforcer.enforce(projectId, [externalUserId]),
    },
    personRecords: moderationRecords(database),
    personMove: moveOf(policies, enforcer, now),
  };
}

const historyOf = (sanctions: Pick<SanctionLookup, 'ofUser'>, reviews: ReviewService): readonly HistorySource[] => [
  {
    scope: 'sanctions:read',
    read: async ({ projectId, externalUserId }) =>
      sanctionHistory(await sanctions.ofUser(projectId, externalUserId, { moderator: false })),
  },
  {
    scope: 'plugins:read',
    read: ({ projectId, externalUserId }, limit) => reviews.history(projectId, externalUserId, limit),
  },
];

/** Follows a person to another external user id, in bans that outlived an erasure and in the rooms. */
const moveOf = ({ erasedBans, store }: Policies, enforcer: RoomEnforcer, now: Clock): PersonMoveSteps => ({
  count: async (reader, { projectId, externalUserId }) => ({
    activeSanctions: await store.countActive(reader, projectId, externalUserId, now()),
  }),
  move: (...person) => erasedBans.move(...person),
  afterCommit: async ({ projectId, from, to }) => {
    await enforcer.enforce(projectId, [from, to]);
    await enforcer.holds([{ projectId }]);
  },
});
