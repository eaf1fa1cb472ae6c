/** Gathers the facts that a rule asks for, and no others. */
import { sanctionTypes } from '../../../../src/contract/moderation/sanction-kinds.js';
import type { SanctionType } from '../../../../src/contract/moderation/sanction-record.js';
import type { RuleFacts } from '../../../../src/contract/rules/rule-decisions.js';
import type { CountCondition } from '../../../../src/contract/rules/rule-definition.js';
import type { Message } from '../../../../src/contract/sessions/sessions.js';
import { Pauses } from '../../../platform/database/slices.js';
import type { Clock } from '../../../platform/time/clock.js';
import { hourMs } from '../../../platform/time/spans.js';
import type { AutomaticSanctions } from '../../moderation/sanctions/automatic.js';
import type { WholeRule } from '../resource/rule-store.js';
import { annotationFact } from './annotation-facts.js';
import { isCounted, type Said } from './conditions.js';
import { countsIn, mostWithin } from './counting.js';
import { asksFor, imposesLasting, sanctionsIn } from './decide.js';
import type { RoomRoles } from './room-roles.js';

/** After the one, up to and with the other. */
export interface Span {
  readonly after: Date;
  readonly until: Date;
}

interface GameEventCounts {
  /** Returns how many events of a name a user sent in this time. */
  countOf(projectId: string, userId: string, eventName: string, span: Span): Promise<number>;
}

/** Facts of a person, from neighbouring modules. */
export interface PersonFacts {
  readonly roles: Pick<RoomRoles, 'roleIn'>;
  readonly sanctions: Pick<AutomaticSanctions, 'recent' | 'takenBackAmong'>;
  readonly gameEvents: GameEventCounts;
}

/** A rule, with what it asks of its past. */
export interface PastQuery {
  readonly ruleId: string;
  readonly mode: string;
  /** Times at which it acted on the person count in this span. */
  readonly span: Span;
  /** True if one of its steps imposes something. */
  readonly imposes: boolean;
}

/** Actions of a rule before the message, in the same mode. */
export type PastFacts = Pick<RuleFacts, 'repeated' | 'times' | 'sanctionsThisHour'>;

/** A rule that a message concerns, with what it finds in its words. */
export interface ConcernedRule {
  readonly rule: WholeRule;
  readonly said: Said;
}

/** What is asked for of all rules together. */
type RecordedFacts = PastFacts & Pick<RuleFacts, 'counts'>;

/** Returns those of the sanctions that were taken back: they have no consequences. */
export type TakenBack = (sanctionIds: readonly string[]) => Promise<ReadonlySet<string>>;

export interface Past {
  /** Kinds of sanction that it imposed on the person for messages of this time. */
  imposed(rule: { ruleId: string; mode: string }, externalUserId: string, span: Span): Promise<SanctionType[]>;
  /** For each of the rules, in their order; `hourAgo`: since when sanctions count. */
  past(
    rules: readonly PastQuery[],
    message: Pick<RuleFacts, 'messageId' | 'externalUserId'>,
    hourAgo: Date,
    takenBack: TakenBack,
  ): Promise<PastFacts[]>;
  /** For each, when other messages were said that the rule counted since it last acted: up to `take` nearest on each side of `at`. */
  counted(asked: readonly CountAsked[], takenBack: TakenBack): Promise<Date[][]>;
}

/** Messages of a person or a session that a rule has counted. */
export interface CountAsked {
  readonly ruleId: string;
  readonly mode: string;
  readonly key: string;
  readonly by: CountCondition['by'];
  readonly externalUserId: string;
  readonly sessionId: string;
  /** The message that is judged, which is not counted here. */
  readonly messageId: string;
  readonly at: Date;
  readonly spanMs: number;
  readonly take: number;
}

/**
 * Choice: what a person says within a second is one occasion, so a rule imposes a kind of sanction once for it: the person
 * could not know of the first one yet. A message may be judged before one that was said earlier.
 */
const breathMs = 1_000;

/** Somebody said or wrote it, and it was understood. */
export type JudgedMessage = Message & { readonly externalUserId: string };

export const isJudged = (message: Message): message is JudgedMessage =>
  message.type === 'user' &&
  message.externalUserId !== null &&
  (message.status ?? 'recognised') === 'recognised' &&
  (message.asr?.unheard ?? null) === null;

/** What was written is certain; null: the recogniser does not say. */
const confidenceOf = ({ origin, asr }: Pick<Message, 'origin' | 'asr'>): number | null =>
  origin === 'text' ? 1 : (asr?.confidence ?? null);

/** Facts that the message alone has. */
export const messageFacts = (message: JudgedMessage, said: Said) => ({
  at: message.timestamp,
  origin: message.origin,
  confidence: confidenceOf(message),
  language: message.language,
  said,
  annotations: (message.annotations ?? []).map(annotationFact),
});

export class FactReader {
  constructor(
    private readonly person: PersonFacts,
    private readonly recorded: Past,
    private readonly now: Clock,
  ) {}

  /** Returns the past of each rule, as `read` takes it; asked for together, because a message may concern many rules. */
  async past(concerned: readonly ConcernedRule[], message: JudgedMessage): Promise<RecordedFacts[]> {
    const { id: messageId, externalUserId, timestamp } = message;
    const asking = concerned.map(({ rule: { row, definition } }) => ({
      ...{ ruleId: row.id, mode: definition.mode, span: spanBefore(timestamp, definition.decay) },
      imposes: definition.steps.some((actions) => sanctionsIn(actions) > 0),
    }));
    const hourAgo = new Date(this.now().getTime() - hourMs);
    const takenBack = this.takenBackIn(concerned[0]?.rule.row.projectId ?? '');
    const past = await this.recorded.past(asking, { messageId, externalUserId }, hourAgo, takenBack);
    const counts = await this.counts(concerned, message, takenBack);
    return past.map((one, index) => ({ ...one, counts: counts[index] ?? null }));
  }

  /** How many messages each counting condition of each rule has, this one included. */
  private async counts(
    concerned: readonly ConcernedRule[],
    message: JudgedMessage,
    takenBack: TakenBack,
  ): Promise<RuleFacts['counts'][]> {
    const { id: messageId, sessionId, externalUserId } = message;
    const at = new Date(message.timestamp);
    const pauses = new Pauses();
    const conditions: { readonly place: string; readonly asked: CountAsked | null }[][] = [];
    for (const { rule, said } of concerned) {
      await pauses.next();
      const facts = messageFacts(message, said);
      const { mode } = rule.definition;
      conditions.push(
        countsIn(rule.definition).map(({ place, count, key }) => ({
          place,
          asked:
            isCounted(count, place, facts) === true
              ? {
                  ...{ ruleId: rule.row.id, mode, key, by: count.by, externalUserId, sessionId, messageId },
                  ...{ at, spanMs: count.within * 1_000, take: count.atLeast },
                }
              : null,
        })),
      );
    }
    const asked = conditions.flat().flatMap((one) => one.asked ?? []);
    const counted = await this.recorded.counted(asked, takenBack);
    const times = new Map(asked.map((one, index) => [one, (counted[index] ?? []).map((time) => time.getTime())]));
    const countOf = (one: CountAsked) => mostWithin(one.spanMs, one.at.getTime(), times.get(one) ?? []);
    return conditions.map((some) =>
      some.length === 0
        ? null
        : some.map(({ place, asked: one }) => ({ condition: place, count: one === null ? 0 : countOf(one) })),
    );
  }

  async read({ row, definition }: WholeRule, message: JudgedMessage, past: RecordedFacts): Promise<RuleFacts> {
    const { id: messageId, sessionId, externalUserId, origin, language, timestamp: at } = message;
    const { projectId, sanctionsPerHourMax } = row;
    const annotations = (message.annotations ?? []).map(annotationFact);
    const confidence = confidenceOf(message);
    const { role, sanctions, gameEvents } = asksFor(definition);
    const span = (seconds: number) => spanBefore(at, seconds);
    const counts = async () => {
      const found: { event: string; within: number; count: number }[] = [];
      for (const { event, within } of gameEvents)
        found.push({
          event,
          within,
          count: await this.person.gameEvents.countOf(projectId, externalUserId, event, span(within)),
        });
      return found;
    };
    // Each condition gets as many as it asks for, so that none can crowd out those of another.
    const sanctioned = async () => {
      const found = new Map<string, NonNullable<RuleFacts['sanctions']>[number]>();
      for (const { types = sanctionTypes, within, atLeast: take } of sanctions)
        for (const one of await this.person.sanctions.recent(projectId, externalUserId, {
          ...span(within),
          types,
          take,
        }))
          found.set(one.id, one);
      return [...found.values()];
    };
    return {
      at,
      messageId,
      sessionId,
      externalUserId,
      origin,
      confidence,
      language,
      annotations,
      role: role ? await this.person.roles.roleIn(projectId, sessionId, externalUserId) : null,
      sanctions: sanctions.length === 0 ? null : await sanctioned(),
      gameEvents: gameEvents.length === 0 ? null : await counts(),
      exempt: row.exempt.includes(externalUserId),
      ...past,
      justImposed: imposesLasting(definition)
        ? await this.justImposed({ ruleId: row.id, mode: definition.mode }, externalUserId, new Date(at))
        : [],
      sanctionsPerHourMax,
    };
  }

  private takenBackIn =
    (projectId: string): TakenBack =>
    (ids) =>
      this.person.sanctions.takenBackAmong(projectId, ids);

  private async justImposed(
    rule: { readonly ruleId: string; readonly mode: string },
    externalUserId: string,
    at: Date,
  ): Promise<SanctionType[]> {
    const span = { after: new Date(at.getTime() - breathMs), until: new Date(at.getTime() + breathMs) };
    return [...new Set(await this.recorded.imposed(rule, externalUserId, span))];
  }
}

function spanBefore(at: string, seconds: number): Span {
  const until = new Date(at);
  return { after: new Date(until.getTime() - seconds * 1_000), until };
}
