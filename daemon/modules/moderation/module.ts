/** Moderation: sanctions with their effect in rooms, reviews, and who may see what of both. */
import { formPageRouter } from '../../platform/http/form-page.js';
import { type Module, modulePart } from '../../platform/module.js';
import type { Platform } from '../../platform/platform.js';
import type { Records } from '../../records.js';
import type { HistorySource } from '../people/history.js';
import { ClaimHolders } from './claim-holders.js';
import { moderationPersonRecords } from './person-records-store.js';
import { reviewRouter } from './reviews/routes.js';
import type { ReviewService } from './reviews/service.js';
import type { AutomaticSanctions } from './sanctions/automatic.js';
import { expireSanctions } from './sanctions/expire-sanctions.js';
import { sanctionHistory } from './sanctions/history.js';
import type { HumanDecisions } from './sanctions/human-decisions.js';
import { SanctionsInForce } from './sanctions/in-force.js';
import { logSanctions } from './sanctions/logged.js';
import { SanctionMove } from './sanctions/move.js';
import { enforcedEvents, RoomEnforcer, type SanctionEffects } from './sanctions/room-enforcer.js';
import { sanctionBatchRouter, sanctionRouter, sanctionTemplateRouter } from './sanctions/routes.js';
import type { SanctionService } from './sanctions/service.js';
import type { SanctionTemplates } from './sanctions/templates.js';
import { moderationServices } from './services.js';
import { shiftNoteRouter } from './shift-notes.js';
import { ShiftNoteStore } from './shift-notes-store.js';
import { StandingPage } from './standing/page.js';
import { standingRouter } from './standing/routes.js';
import type { StandingService } from './standing/service.js';

interface ModerationNeeds {
  readonly carrier: { readonly effects: SanctionEffects };
}

export interface Moderation extends Module {
  readonly sanctions: SanctionService;
  readonly enforcer: RoomEnforcer;
  readonly inForce: SanctionsInForce;
  readonly automatic: AutomaticSanctions;
  readonly decidedByPeople: HumanDecisions;
  readonly reviews: ReviewService;
  readonly templates: SanctionTemplates;
  readonly history: readonly HistorySource[];
}

export function moderationModule(platform: Platform, records: Records, { carrier }: ModerationNeeds): Moderation {
  const { database, log, jobs, logger, now } = platform;
  // Any daemon can act on rooms that LiveKit carries.
  const byLiveKit = platform.settings.EARSHOT_ROOMS === 'livekit';
  const role = byLiveKit ? {} : ({ role: 'voice' } as const);
  platform.leases.add(records.moderation.reviews.claims);
  log.onStored((stored) =>
    logSanctions(
      logger,
      stored.map(({ event }) => event),
    ),
  );
  const {
    moderation,
    identity,
    people,
    projects,
    rules,
    reports: { intake: cases, decided, settings, misuse, outcomes },
    sessions: { directory, evidence },
  } = records;
  const { store, erasedBans, policies } = moderation;
  const enforcer = new RoomEnforcer(policies, store, carrier.effects, now);
  const { sanctions, reviews, standing, automatic, decidedByPeople, templates, batches, terms, erasure, keptEvidence } =
    moderationServices(platform, {
      records: moderation,
      enforcer,
      people: people.directory,
      notices: people.notices,
      projects: projects.store,
      services: projects.settingsStore,
      authors: { accounts: identity.directory, people: people.directory, rules: rules.store },
      sessions: directory,
      rules: rules.store,
      evidence,
      accounts: identity.directory,
      holders: new ClaimHolders(identity.directory, projects.access),
      ...{ cases, decided, settings, misuse, outcomes },
      lacksSpeechLimits: byLiveKit,
    });
  return {
    name: 'moderation',
    sanctions,
    enforcer,
    reviews,
    templates,
    automatic,
    decidedByPeople,
    inForce: new SanctionsInForce(store, erasedBans, now),
    history: historyOf(sanctions, reviews),
    routes: [
      ...sanctionRouter(sanctions, erasure),
      ...sanctionBatchRouter(batches),
      ...sanctionTemplateRouter(templates),
      ...reviewRouter(reviews),
      ...standingRouter(standing),
      ...shiftNoteRouter(new ShiftNoteStore(database, now)),
    ],
    routers: [{ router: standingPage(platform, standing), role: 'http' }],
    parts: [modulePart('expire-sanctions', expireSanctions(terms, jobs), { role: 'jobs' })],
    follows: [
      { name: 'sanctions', ...role, types: enforcedEvents, early: true, on: (events) => enforcer.follow(events) },
    ],
    keeps: [keptEvidence],
    person: erasure,
    personRecords: moderationPersonRecords(database),
    personMove: new SanctionMove(store, erasedBans, enforcer, now),
  };
}

const standingPage = (platform: Platform, standing: StandingService) =>
  formPageRouter({ path: '/standing/:code', platform, ...new StandingPage(standing, platform.now) });

const historyOf = (sanctions: Pick<SanctionService, 'ofUser'>, reviews: ReviewService): readonly HistorySource[] => [
  {
    scope: 'sanctions:read',
    read: async ({ projectId, externalUserId }, _, { accounts }) =>
      sanctionHistory(await sanctions.ofUser(projectId, externalUserId, { moderator: false, accounts })),
  },
  {
    scope: 'plugins:read',
    read: ({ projectId, externalUserId }, limit) => reviews.history(projectId, externalUserId, limit),
  },
];
