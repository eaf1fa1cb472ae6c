/** Tries rules on stored transcripts. Reads as judging does, and stores nothing. */
import { DomainError } from '../../../../src/contract/errors.js';
import type { RuleDefinition } from '../../../../src/contract/rules/rule-definition.js';
import type { RuleTestAnswer, RuleTestMatch, RuleTestRequest } from '../../../../src/contract/rules/rule-tests.js';
import type { RequiredScope } from '../../../../src/contract/scopes.js';
import type { Message } from '../../../../src/contract/sessions/sessions.js';
import { Pauses } from '../../../platform/database/slices.js';
import type { ProjectGrant } from '../../../platform/http/caller.js';
import type { Clock } from '../../../platform/time/clock.js';
import { hourMs } from '../../../platform/time/spans.js';
import type { SpokenEvidence } from '../../sessions/evidence.js';
import { countedBy, countsIn } from '../judging/counting.js';
import { asksFor, concerns, decide } from '../judging/decide.js';
import { FactReader, isJudged, messageFacts, type PersonFacts } from '../judging/facts.js';
import { RulePhrases } from '../judging/phrases.js';
import type { DefinitionCheck } from '../resource/definition-check.js';
import type { RuleStore, WholeRule } from '../resource/rule-store.js';
import type { PeopleDecisions } from './people-decisions.js';
import { type PastSoFar, SimulatedPast } from './simulated-past.js';

interface TrialNeeds {
  readonly evidence: Pick<SpokenEvidence, 'page'>;
  readonly person: PersonFacts;
  readonly people: Pick<PeopleDecisions, 'within'>;
}

/** Permissions of the caller besides reading rules. */
interface TrialReader {
  readonly words: boolean;
  readonly sanctions: boolean;
}

const messagesAtOnce = 1_000;

export class RuleTrial {
  constructor(
    private readonly rules: RuleStore,
    private readonly definitions: DefinitionCheck,
    private readonly needs: TrialNeeds,
    private readonly now: Clock,
  ) {}

  /** Throws insufficient_scope, rule_not_found, and the refusals of DefinitionCheck. */
  async run(
    { projectId, tenantId }: ProjectGrant,
    request: RuleTestRequest,
    reader: TrialReader,
  ): Promise<RuleTestAnswer> {
    const { definition, exempt, sanctionsPerHourMax, ruleId, place } = request;
    refuseUnread(definition, reader);
    await this.definitions.tried(projectId, definition);
    const live = ruleId === undefined ? null : await this.rules.find(projectId, ruleId);
    if (ruleId !== undefined && live === null) throw new DomainError('rule_not_found');
    const now = this.now();
    const tested: WholeRule = {
      definition,
      row: {
        id: live?.row.id ?? '',
        tenantId,
        projectId,
        name: '',
        enabled: true,
        version: 0,
        sanctionsPerHourMax,
        exempt,
        fromPosition: 0n,
        enabledAt: null,
        createdAt: now,
        updatedAt: now,
        deletedAt: null,
      },
    };
    const [since, until] = [new Date(request.since), new Date(request.until)];
    const after = place === undefined ? null : { id: place.after, timestamp: new Date(place.from) };
    const messages = await this.needs.evidence.page(projectId, { since, until }, after, messagesAtOnce);
    const last = messages.at(-1);
    const isEnd = last === undefined || messages.length < messagesAtOnce;
    const upTo = isEnd ? until : new Date(last.timestamp);
    const from = place === undefined ? since : new Date(place.from);
    const before = { done: place?.tested ?? [], counted: place?.testedCounted ?? [] };
    const liveBefore = { done: place?.live ?? [], counted: place?.liveCounted ?? [] };
    const trial = await this.judge(tested, messages, before, upTo);
    const compared = live === null ? null : await this.judge(live, messages, liveBefore, upTo);
    return {
      messages: messages.length,
      annotated: messages.filter(({ annotations = [] }) => annotations.length > 0).length,
      upTo: upTo.toISOString(),
      tested: trial.matches,
      live: compared?.matches ?? [],
      // People decide after the message: decisions made since the end of the range belong to the last page.
      people: reader.sanctions
        ? await this.needs.people.within({ projectId, tenantId }, { after: from, until: isEnd ? now : upTo })
        : [],
      next: isEnd
        ? null
        : {
            ...{ after: last.id, from: last.timestamp },
            ...{ tested: trial.past.done, testedCounted: trial.past.counted },
            ...{ live: compared?.past.done ?? [], liveCounted: compared?.past.counted ?? [] },
          },
    };
  }

  private async judge(rule: WholeRule, messages: readonly Message[], before: PastSoFar, upTo: Date) {
    const { definition, row } = rule;
    const windows = [...asksFor(definition).sanctions, ...countsIn(definition).map(({ count }) => count)].map(
      ({ within }) => within,
    );
    const past = new SimulatedPast(before, Math.max(definition.decay, ...windows) * 1_000);
    const { person } = this.needs;
    const people: PersonFacts = {
      ...person,
      sanctions: {
        takenBackAmong: person.sanctions.takenBackAmong.bind(person.sanctions),
        recent: async (projectId, user, span) => [
          ...(await person.sanctions.recent(projectId, user, span, row.id === '' ? null : row.id)),
          ...past.sanctions(user, span),
        ],
      },
    };
    let time = upTo;
    const reader = new FactReader(people, past, () => time);
    const matches: RuleTestMatch[] = [];
    const pauses = new Pauses();
    const phrases = await RulePhrases.compile([{ ruleId: row.id, definition }]);
    for (const message of messages.filter(isJudged)) {
      time = new Date(message.timestamp);
      past.forgetAt(time.getTime());
      const said = phrases.read(message.content)(row.id);
      if (concerns(definition, messageFacts(message, said))) {
        const [before] = await reader.past([{ rule, said }], message);
        if (before === undefined) continue;
        const facts = await reader.read(rule, message, before);
        const verdict = decide(definition, facts, said);
        for (const { key } of countedBy(definition, { ...facts, said })) past.count(key, facts);
        if (verdict?.outcome === 'matched') {
          past.add(facts, verdict);
          const { messageId, sessionId, externalUserId, at } = facts;
          const { step, score, actions } = verdict;
          matches.push({ messageId, sessionId, externalUserId, at, step: step ?? 1, score, actions });
        }
      }
      await pauses.next();
    }
    return { matches, past: past.at(upTo.getTime() - hourMs) };
  }
}

/** Checked because the result of a rule tells who said a word and who was sanctioned. Throws insufficient_scope. */
function refuseUnread(definition: RuleDefinition, reader: TrialReader): void {
  const { words, sanctions } = asksFor(definition);
  const refuse = (what: string, scope: RequiredScope): never => {
    throw new DomainError('insufficient_scope', {
      message: `A condition on ${what} needs the scope ${scope}, which the API key lacks. Create a key that has it.`,
    });
  };
  if (words && !reader.words) refuse('words', 'messages:read');
  if (sanctions.length > 0 && !reader.sanctions) refuse('sanctions', 'sanctions:read');
}
