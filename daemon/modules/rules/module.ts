/** Rules impose sanctions by themselves; every decision is stored with the facts that it read. */
import { DomainError } from '../../../src/contract/errors.js';
import type { HumanDecision } from '../../../src/contract/rules/rule-tests.js';
import { type Module, modulePart } from '../../platform/module.js';
import type { Platform } from '../../platform/platform.js';
import type { GameEvents } from '../game-events/module.js';
import type { Gatherings } from '../gatherings/module.js';
import type { Identity } from '../identity/module.js';
import type { Moderation } from '../moderation/module.js';
import type { Plugins } from '../plugins/module.js';
import type { SessionReaders } from '../sessions/module.js';
import { DecisionStore } from './decisions/decision-store.js';
import { RuleDecisions } from './decisions/service.js';
import { RuleErasure } from './erasure.js';
import { FactReader, type PersonFacts } from './judging/facts.js';
import { RuleJudge } from './judging/judge.js';
import { Judgement } from './judging/judgement.js';
import { ruleRecords } from './person-records-store.js';
import { DefinitionCheck } from './resource/definition-check.js';
import { RuleStore } from './resource/rule-store.js';
import { Rules } from './resource/service.js';
import { ruleRouter } from './routes.js';
import { RuleTrial, type TrialNeeds } from './testing/rule-trial.js';

interface RuleNeeds {
  readonly identity: Identity;
  readonly sessions: SessionReaders;
  readonly moderation: Moderation;
  readonly gatherings: Gatherings;
  readonly gameEvents: GameEvents;
  readonly plugins: Plugins;
}

/** Looks up facts about a person in other modules. */
const personFacts = ({ sessions, moderation, gatherings, gameEvents }: RuleNeeds): PersonFacts => ({
  async role(projectId, sessionId, externalUserId) {
    const roomId = await sessions.directory.roomOf(projectId, sessionId);
    return roomId === null ? 'none' : ((await gatherings.roleIn(projectId, roomId, externalUserId)) ?? 'none');
  },
  sanctions: (...asked) => moderation.automatic.recent(...asked),
  gameEvents: (...asked) => gameEvents.store.countOf(...asked),
});

/** Looks up the data that a trial on stored transcripts reads. */
const trialNeeds = (needs: RuleNeeds): TrialNeeds => ({
  messages: (projectId, span, behind, take) => {
    const place = behind === null ? null : { id: behind.after, timestamp: new Date(behind.from) };
    return needs.sessions.evidence.page(projectId, span, place, take);
  },
  person: { ...personFacts(needs), sanctions: (...asked) => needs.moderation.automatic.recent(...asked) },
  async people({ projectId, tenantId }, span) {
    const found: HumanDecision[] = [];
    const peopleOf = (ids: readonly string[]) => needs.identity.actors.people(tenantId, ids);
    for (const { sanction, stands, at } of await needs.moderation.decidedByPeople.about(projectId, span, peopleOf)) {
      const { externalUserId, evidence, createdAt: before } = sanction;
      const asked = { messageIds: evidence?.messageIds ?? [], externalUserId, before };
      const sessionId = sanction.sessionId ?? (await needs.sessions.evidence.sessionOf(projectId, asked));
      if (sessionId !== null) found.push({ externalUserId, sessionId, sanctioned: stands, at: at.toISOString() });
    }
    return found;
  },
});

export function rulesModule(platform: Platform, needs: RuleNeeds): Module {
  const { database, log, follower, metrics, logger, now } = platform;
  const { sessions, moderation } = needs;
  const store = new RuleStore(database);
  const decisionStore = new DecisionStore(database);
  const definitions = new DefinitionCheck({
    plugins: needs.plugins.slugs,
    checkSanction: (sanction) => moderation.automatic.check(sanction),
  });
  const rules = new Rules(database, log, store, definitions, now);
  const messages = (projectId: string, ids: readonly string[]) => sessions.evidence.named(projectId, ids);
  const facts = new FactReader(personFacts(needs), decisionStore, now);
  const decided = metrics.counter('rule_decisions', 'Decisions of rules, by outcome and mode', ['outcome', 'mode']);
  const judge = new RuleJudge(
    database,
    log,
    {
      rules: store,
      decisions: decisionStore,
      judgement: new Judgement(facts, moderation.automatic, now),
      messages,
      onDecided: (outcome, mode) => decided.inc({ outcome, mode }),
      now,
    },
    logger,
  );
  rules.onChange(() => judge.changed());
  const decisions = new RuleDecisions(decisionStore, store, {
    messages,
    sanction: (...asked) => moderation.sanctions.find(...asked),
    reviews: async (projectId, sanctionId) =>
      (await moderation.reviews.list(projectId, { notes: false }, { sanctionId, limit: reviewsMax, offset: 0 }))
        .reviews,
  });
  const trial = new RuleTrial(store, definitions, trialNeeds(needs), now);
  const erasure = new RuleErasure(database, store, decisionStore);
  return {
    name: 'rules',
    routes: ruleRouter(rules, decisions, trial, async (projectId, id, span) => {
      if ((await store.findEver(projectId, id)) === null) throw new DomainError('rule_not_found');
      return { ruleId: id, ...(await moderation.automatic.undo(projectId, id, span)) };
    }),
    parts: [modulePart('rules', { start: () => judge.start(follower), stop: () => judge.stop() }, { role: 'jobs' })],
    metrics: [{ name: 'projects_judged', help: 'Projects whose rules judge what is said', read: () => judge.size }],
    person: {
      inBatches: (...person) => erasure.ahead(...person),
      beforeLog: (tx, projectId) => erasure.announced(tx, projectId),
      afterLog: (...person) => erasure.erase(...person),
    },
    personRecords: ruleRecords(database),
    personMove: { move: (...person) => erasure.move(...person) },
  };
}

/** Reviews of one sanction that are shown. */
const reviewsMax = 20;
