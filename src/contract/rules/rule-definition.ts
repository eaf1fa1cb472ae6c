/** Definition of a rule: messages that it judges, its conditions, and its actions. Data, kept in versions. */
import { z } from 'zod';
import { isTimeZone } from '../common.js';
import { EventName } from '../gameplay/challenges.js';
import { MemberRole } from '../gatherings/gathering-members.js';
import { Language } from '../language.js';
import { SanctionParameters } from '../moderation/sanction-parameters.js';
import { SanctionType } from '../moderation/sanction-record.js';
import { PluginSlug } from '../plugins/plugins.js';

const daySeconds = 86_400;
const windowSecondsMax = 90 * daySeconds;
const durationSecondsMax = 3_650 * daySeconds;
const conditionsMax = 20;
const wordsMax = 200;
const countMax = 10_000;
/** Messages that a condition can count. */
const countedMax = 1_000;
/** Sanctions that a condition can ask for. */
export const sanctionsAskedMax = 200;
const stepsMax = 10;
const actionsMax = 5;

const Window = z.int().min(1).max(windowSecondsMax).meta({ unit: 'seconds' });
const atLeast = (most: number) => z.int().min(1).max(most).default(1);

const AnnotationCondition = z
  .strictObject({
    plugin: PluginSlug.optional().describe('By this plugin; default: any'),
    type: z.string().min(1).max(60).optional().describe('Of this type, such as toxicity; default: any'),
    category: z.string().min(1).max(100).optional().describe('With this category or label'),
    atLeast: z.number().optional().describe('Lowest score: of the category, if the plugin scores categories'),
    atMost: z.number().optional().describe('Greatest score'),
  })
  .meta({ id: 'RuleAnnotationCondition' });
export type AnnotationCondition = z.infer<typeof AnnotationCondition>;

const WordsCondition = z
  .strictObject({
    any: z
      .array(z.string().trim().min(1).max(200))
      .min(1)
      .max(wordsMax)
      .describe('Words and phrases, one of which must be in the message; whole words, case is ignored'),
  })
  .meta({ id: 'RuleWordsCondition' });

const Confidence = z.number().min(0).max(1);
const ConfidenceCondition = z
  .strictObject({
    atLeast: Confidence.optional().describe('Lowest confidence, 0–1'),
    atMost: Confidence.optional().describe('Greatest confidence, 0–1'),
  })
  .refine(({ atLeast, atMost }) => atLeast !== undefined || atMost !== undefined, 'state atLeast, atMost, or both')
  .meta({ id: 'RuleConfidenceCondition' });

const languagesMax = 20;
const LanguageCondition = z.array(Language).min(1).max(languagesMax);

/** `none`: in no gathering of the room. */
export const RoleInGathering = z.enum([...MemberRole.options, 'none']);
export type RoleInGathering = z.infer<typeof RoleInGathering>;

const SanctionsCondition = z
  .strictObject({
    types: z.array(SanctionType).min(1).max(20).optional().describe('Default: every kind'),
    within: Window.describe('Seconds before the message'),
    atLeast: atLeast(sanctionsAskedMax).describe('How many; revoked ones do not count'),
  })
  .meta({ id: 'RuleSanctionsCondition' });

const GameEventsCondition = z
  .strictObject({
    event: EventName.describe('Game event of the same user'),
    within: Window.describe('Seconds before the message'),
    atLeast: atLeast(countMax).describe('How many'),
  })
  .meta({ id: 'RuleGameEventsCondition' });

/** Conditions that the message alone answers. */
const messageConditions = {
  annotation: AnnotationCondition.optional().describe('What a plugin says about the message'),
  words: WordsCondition.optional().describe('What is said'),
  origin: z.enum(['speech', 'text']).optional().describe('Whether it was spoken or written'),
  confidence: ConfidenceCondition.optional().describe(
    'How sure the recogniser is; 1 for what was written; where it does not say, the condition does not hold',
  ),
  language: LanguageCondition.optional().describe(
    'The line is in one of these languages, as de or pt-BR; de includes de-AT; where its language is not known, the condition does not hold',
  ),
};

const isStated = (value: unknown): boolean => value !== undefined;

const CountCondition = z
  .strictObject({
    of: z
      .strictObject(messageConditions)
      .refine(
        (of) => Object.values(of).some(isStated),
        'state at least one of annotation, words, origin, confidence, language',
      )
      .describe('Messages that count: everything stated must hold'),
    by: z.enum(['person', 'room']).default('person').describe('room: messages of everybody in the session'),
    within: Window.describe('Seconds before the message'),
    atLeast: z.int().min(2).max(countedMax).describe('How many, including this one, since the rule last acted'),
  })
  .meta({ id: 'RuleCountCondition' });
export type CountCondition = z.infer<typeof CountCondition>;

const LocalTime = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'write a time as 22:30');
export const weekdays = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const;

const TimeCondition = z
  .strictObject({
    from: LocalTime.optional().describe('From this time'),
    to: LocalTime.optional().describe('Before this time; earlier than `from`: on the next day'),
    weekdays: z
      .array(z.enum(weekdays))
      .min(1)
      .max(weekdays.length)
      .optional()
      .describe('Days on which the period begins; default: every day'),
    timeZone: z.string().max(100).refine(isTimeZone, 'name a zone as Europe/Berlin').default('UTC'),
  })
  .check((context) => {
    const { from, to, weekdays: days } = context.value;
    const message =
      isStated(from) !== isStated(to)
        ? 'state both from and to, or neither'
        : isStated(from) && from === to
          ? 'state two different times as from and to'
          : !isStated(from) && !isStated(days)
            ? 'state from and to, or weekdays'
            : null;
    if (message !== null) context.issues.push({ code: 'custom', input: context.value, message });
  })
  .meta({ id: 'RuleTimeCondition' });
export type TimeCondition = z.infer<typeof TimeCondition>;

/** One of the fields: what has to hold. */
export const RuleCondition = z
  .strictObject({
    ...messageConditions,
    role: z.array(RoleInGathering).min(1).max(3).optional().describe('Role in the gathering of the room'),
    sanctions: SanctionsCondition.optional().describe('Earlier sanctions against the person'),
    gameEvents: GameEventsCondition.optional().describe('What the person did in the game earlier'),
    count: CountCondition.optional().describe('How many such messages there were, including this one'),
    localTime: TimeCondition.optional().describe('When it was said, in a time zone'),
  })
  .check((context) => {
    if (Object.values(context.value).filter(isStated).length !== 1)
      context.issues.push({
        ...{ code: 'custom', input: context.value },
        message:
          'a condition has one of annotation, words, origin, confidence, language, role, sanctions, gameEvents, count, localTime',
      });
  })
  .meta({ id: 'RuleCondition' });
export type RuleCondition = z.infer<typeof RuleCondition>;

const Conditions = z.array(RuleCondition).max(conditionsMax).default([]);

const RuleConditions = z
  .strictObject({
    all: Conditions.describe('Each must hold'),
    any: Conditions.describe('One must hold, where there are any'),
    none: Conditions.describe('None may hold'),
  })
  .check((context) => {
    const { all, any } = context.value;
    if (all.length + any.length === 0)
      context.issues.push({
        ...{ code: 'custom', input: context.value },
        message: 'state at least one condition in all or any, else the rule judges everything that is said',
      });
  })
  .meta({ id: 'RuleConditions' });
export type RuleConditions = z.infer<typeof RuleConditions>;

/** Kinds that a review or a person decides on are left to them. */
const RuleSanctionType = SanctionType.exclude(['human_review']);

const SanctionAction = z
  .strictObject({
    type: RuleSanctionType.describe('Kind of sanction'),
    duration: z
      .int()
      .min(1)
      .max(durationSecondsMax)
      .optional()
      .meta({ unit: 'seconds' })
      .describe('Seconds; default: until revoked'),
    scope: z.enum(['project', 'session']).default('project').describe('Where it applies'),
    reason: z.string().max(500).optional().describe('Reason, shown to the sanctioned person'),
    parameters: SanctionParameters.optional(),
  })
  .meta({ id: 'RuleSanctionAction' });

/** One of the fields: what is done. */
export const RuleAction = z
  .strictObject({
    sanction: SanctionAction.optional().describe('Impose a sanction'),
    review: z
      .strictObject({ statement: z.string().max(500).default('').describe('Why somebody should look') })
      .optional()
      .describe('Ask a moderator to look'),
    webhook: z
      .strictObject({ label: z.string().max(100).default('').describe('For the receiver') })
      .optional()
      .describe('Announce rule.matched, which webhooks, streams and MQTT deliver'),
  })
  .check((context) => {
    if (Object.values(context.value).filter(isStated).length !== 1)
      context.issues.push({
        ...{ code: 'custom', input: context.value },
        message: 'an action has one of sanction, review, webhook',
      });
  })
  .meta({ id: 'RuleAction' });
export type RuleAction = z.infer<typeof RuleAction>;

export const RuleMode = z.enum(['dry-run', 'enforce']);
export type RuleMode = z.infer<typeof RuleMode>;

const judgedEvents = ['message.created', 'message.annotation.created'] as const;
export const [onMessage, onAnnotation] = judgedEvents;

export const RuleDefinition = z
  .strictObject({
    format: z.literal(1).default(1).describe('Version of this format'),
    mode: RuleMode.default('dry-run').describe('dry-run: decisions are stored, and nothing is done'),
    events: z
      .array(z.enum(judgedEvents))
      .min(1)
      .max(judgedEvents.length)
      .optional()
      .describe('When it judges; default: on annotations where a condition names one, else on messages'),
    when: RuleConditions,
    steps: z
      .array(z.array(RuleAction).max(actionsMax))
      .min(1)
      .max(stepsMax)
      .refine((steps) => steps.some((actions) => actions.length > 0), 'state an action in at least one step')
      .describe(
        'What is done the first time, the second time, and so on; the last step repeats. An empty step does nothing, but counts',
      ),
    decay: Window.default(daySeconds).describe('Seconds after which a time no longer counts'),
  })
  .meta({ id: 'RuleDefinition' });
export type RuleDefinition = z.infer<typeof RuleDefinition>;
