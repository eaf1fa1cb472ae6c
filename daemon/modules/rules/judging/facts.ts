/** Gathers the facts that a rule asks for, and no others. */
import { type SanctionType, sanctionTypes } from '../../../../src/contract/moderation/sanction-record.js';
import type { RuleFacts } from '../../../../src/contract/rules/rule-decisions.js';
import type { RoleInGathering } from '../../../../src/contract/rules/rule-definition.js';
import type { Message } from '../../../../src/contract/sessions/sessions.js';
import type { Clock } from '../../../platform/time/clock.js';
import { hourMs } from '../../../platform/time/spans.js';
import type { WholeRule } from '../resource/rule-store.js';
import { annotationFact } from './annotation-facts.js';
import { asksFor } from './decide.js';

/** After the one, up to and with the other. */
interface Span {
  readonly after: Date;
  readonly until: Date;
}

interface SanctionSpan extends Span {
  readonly types: readonly SanctionType[];
  /** So many of them, the newest. */
  readonly take: number;
}

interface FoundSanction {
  readonly id: string;
  readonly type: SanctionType;
  readonly at: string;
}

/** What neighbours know of a person. */
export interface PersonFacts {
  role(projectId: string, sessionId: string, externalUserId: string): Promise<RoleInGathering>;
  sanctions(projectId: string, externalUserId: string, span: SanctionSpan): Promise<FoundSanction[]>;
  gameEvents(projectId: string, userId: string, event: string, span: Span): Promise<number>;
}

/** What the rule did before, in the same mode. */
export interface Past {
  acted(rule: { ruleId: string; mode: string }, messageId: string): Promise<boolean>;
  times(rule: { ruleId: string; mode: string }, externalUserId: string, span: Span): Promise<number>;
  sanctionsSince(rule: { ruleId: string; mode: string }, time: Date): Promise<number>;
}

/** Somebody said or wrote it, and it was understood. */
export type Judged = Message & { readonly externalUserId: string };

export const isJudged = (message: Message): message is Judged =>
  message.type === 'user' && message.externalUserId !== null && (message.status ?? 'recognised') === 'recognised';

export class FactReader {
  constructor(
    private readonly person: PersonFacts,
    private readonly past: Past,
    private readonly now: Clock,
  ) {}

  async of({ row, definition }: WholeRule, message: Judged): Promise<RuleFacts> {
    const { id: messageId, sessionId, externalUserId, origin, timestamp: at } = message;
    const { id: ruleId, projectId, sanctionsPerHourMax } = row;
    const { role, sanctions, gameEvents } = asksFor(definition);
    const rule = { ruleId, mode: definition.mode };
    const until = new Date(at);
    const span = (seconds: number): Span => ({ after: new Date(until.getTime() - seconds * 1_000), until });
    const counts = async () => {
      const found: { event: string; within: number; count: number }[] = [];
      for (const { event, within } of gameEvents)
        found.push({
          event,
          within,
          count: await this.person.gameEvents(projectId, externalUserId, event, span(within)),
        });
      return found;
    };
    // Each condition gets as many as it asks for, so that none can crowd out those of another.
    const sanctioned = async () => {
      const found = new Map<string, FoundSanction>();
      for (const { types = sanctionTypes, within, atLeast: take } of sanctions)
        for (const one of await this.person.sanctions(projectId, externalUserId, { ...span(within), types, take }))
          found.set(one.id, one);
      return [...found.values()];
    };
    return {
      at,
      messageId,
      sessionId,
      externalUserId,
      origin,
      annotations: (message.annotations ?? []).map(annotationFact),
      role: role ? await this.person.role(projectId, sessionId, externalUserId) : null,
      sanctions: sanctions.length === 0 ? null : await sanctioned(),
      gameEvents: gameEvents.length === 0 ? null : await counts(),
      exempt: row.exempt.includes(externalUserId),
      repeated: await this.past.acted(rule, messageId),
      times: await this.past.times(rule, externalUserId, span(definition.decay)),
      sanctionsThisHour: await this.past.sanctionsSince(rule, new Date(this.now().getTime() - hourMs)),
      sanctionsPerHourMax,
    };
  }
}
