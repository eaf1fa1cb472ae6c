/** Rules impose sanctions by themselves; every decision is stored with the facts that it read. */
import { type Module, modulePart } from '../../platform/module.js';
import type { Platform } from '../../platform/platform.js';
import type { Records } from '../../records.js';
import type { GameEvents } from '../game-events/module.js';
import type { Moderation } from '../moderation/module.js';
import type { Plugins } from '../plugins/module.js';
import { RuleDecisions } from './decisions/service.js';
import { RuleErasure } from './erasure.js';
import { FactReader } from './judging/facts.js';
import { RuleJudge } from './judging/judge.js';
import { Judgement } from './judging/judgement.js';
import { RoomRoles } from './judging/room-roles.js';
import { rulePersonRecords } from './person-records-store.js';
import { DefinitionCheck } from './resource/definition-check.js';
import { Rules } from './resource/service.js';
import { RuleUndoing } from './resource/undoing.js';
import { ruleRouter } from './routes.js';
import { PeopleDecisions } from './testing/people-decisions.js';
import { RuleTrial } from './testing/rule-trial.js';

interface RuleNeeds {
  readonly moderation: Moderation;
  readonly gameEvents: GameEvents;
  readonly plugins: Plugins;
}

export function rulesModule(
  platform: Platform,
  records: Records,
  { moderation, gameEvents, plugins }: RuleNeeds,
): Module {
  const { database, log, follower, metrics, jobs, logger, now } = platform;
  const { store, decisions: decisionStore } = records.rules;
  const { directory, evidence } = records.sessions;
  const { automatic, sanctions, reviews, decidedByPeople } = moderation;
  const person = {
    roles: new RoomRoles(directory, records.gatherings.gatherings),
    sanctions: automatic,
    gameEvents: gameEvents.store,
  };
  const definitions = new DefinitionCheck({ plugins: plugins.slugs, sanctions: automatic });
  const rules = new Rules(database, log, store, definitions, now);
  const facts = new FactReader(person, decisionStore, now);
  const decided = metrics.counter('rule_decisions', 'Decisions of rules, by outcome and mode', ['outcome', 'mode']);
  const judge = new RuleJudge(
    database,
    log,
    {
      rules: store,
      decisions: decisionStore,
      judgement: new Judgement(facts, automatic, now),
      evidence,
      onDecided: (outcome, mode) => decided.inc({ outcome, mode }),
      now,
    },
    jobs,
    logger,
  );
  rules.onChange(() => judge.changed());
  const decisions = new RuleDecisions(decisionStore, store, { evidence, sanctions, reviews });
  const people = new PeopleDecisions(records.identity.directory, decidedByPeople, evidence);
  const trial = new RuleTrial(store, definitions, { evidence, person, people }, now);
  const erasure = new RuleErasure(database, store, decisionStore);
  return {
    name: 'rules',
    routes: ruleRouter(rules, decisions, trial, new RuleUndoing(database, store, decisionStore, automatic, now)),
    parts: [modulePart('rules', { start: () => judge.start(follower), stop: () => judge.stop() }, { role: 'jobs' })],
    metrics: [{ name: 'projects_judged', help: 'Projects whose rules judge messages', read: () => judge.size }],
    person: erasure,
    personRecords: rulePersonRecords(database),
    personMove: erasure,
  };
}
