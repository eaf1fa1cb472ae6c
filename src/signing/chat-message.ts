/**
 * Messages for chat services about an event: Slack's Block Kit (docs.slack.dev/reference/block-kit) and Discord's embeds
 * (docs.discord.com/developers/resources/webhook#execute-webhook). What players have written neither notifies anybody nor
 * becomes markup or a link, and the services' bounds are kept.
 */
import type { DomainEvent } from '../contract/events.js';
import { escapedMarkup } from '../text/markup.js';

/** What a message says, in plain text. */
interface Summary {
  readonly title: string;
  readonly facts: readonly (readonly [label: string, value: string])[];
  /** Path of the page of the console. */
  readonly path: string | null;
}

type Data = Readonly<Record<string, unknown>>;
export const isRecord = (value: unknown): value is Data => typeof value === 'object' && value !== null;

/** Control characters, and those that turn a line around or have no width. */
const unseen = /[\p{Cc}\p{Cf}\u2028\u2029]+/gu;
/** The text on one line, without invisible characters; empty where it is neither a text nor a number. */
export const plain = (value: unknown): string =>
  (typeof value === 'string' || typeof value === 'number' ? String(value) : '')
    .replaceAll(/\s+/g, ' ')
    .replaceAll(unseen, '')
    .trim();

/** As many characters as fit with what the service counts, code points kept whole. */
export function fit(text: string, max: number, escaped: (text: string) => string = (same) => same): string {
  const all = escaped(text);
  if (all.length <= max) return all;
  let kept = '';
  for (const character of text) {
    const next = escaped(character);
    if (kept.length + next.length >= max) break;
    kept += next;
  }
  return `${kept}…`;
}

const caseTitle = (
  { status, decision, reasonCode, escalatedTo, category }: Data,
  type: string,
  changes: Data,
): string => {
  if (type === 'case.created') return `New case: ${plain(category)}`;
  if (type === 'case.overdue') return `Case overdue: ${plain(category)}`;
  if (status === 'decided') return `Case decided: ${plain(decision)}${reasonCode ? ` (${plain(reasonCode)})` : ''}`;
  if ('escalatedTo' in changes && escalatedTo) return `Case escalated to ${plain(escalatedTo)}`;
  return `Case ${plain(status)}: ${plain(category)}`;
};
const reviewTitle = ({ kind, status, decision }: Data, type: string): string => {
  const what = kind === 'appeal' ? 'Appeal' : 'Review';
  if (type === 'review.created') return kind === 'appeal' ? 'New appeal' : 'Review asked for';
  return status === 'decided' ? `${what} decided: ${plain(decision)}` : `${what} ${plain(status)}`;
};
const sanctionVerbs: Readonly<Record<string, string>> = {
  'sanction.created': 'imposed',
  'sanction.updated': 'changed',
  'sanction.revoked': 'revoked',
};
const counted = (data: Data): string =>
  data['reports'] ? `${plain(data['reports'])} by ${plain(data['reporters'])} people` : '';

/** The person as a chat shows it. */
type ShownName = (externalUserId: string) => string;
type Described = Omit<Summary, 'path'>;

/** By the type of the event, or what it is about. */
const known: Readonly<Record<string, (data: Data, type: string, changes: Data, nameOf: ShownName) => Described>> = {
  case: (data, type, changes, nameOf) => ({
    title: caseTitle(data, type, changes),
    facts: [
      ['Person', nameOf(plain(data['externalUserId']))],
      ['Room', plain(data['roomId'])],
      ['Category', plain(data['category'])],
      ['Reports', counted(data)],
      ['Reviews', data['reviews'] ? plain(data['reviews']) : ''],
      ['Due', plain(data['dueAt'])],
    ],
  }),
  'message.created': (data, _type, _changes, nameOf) => ({
    title: 'Message',
    facts: [
      ['Person', nameOf(plain(data['externalUserId']))],
      ['Text', plain(data['content'])],
      ['Shadow-muted', data['shadowMuted'] === true ? 'others neither hear nor see it' : ''],
    ],
  }),
  review: (data, type, _, nameOf) => ({
    title: reviewTitle(data, type),
    facts: [
      ['Person', nameOf(plain(data['externalUserId']))],
      ['Statement', plain(data['statement'])],
      ['Answer', plain(data['answer'])],
    ],
  }),
  sanction: (data, type, _, nameOf) => ({
    title: `Sanction ${sanctionVerbs[type] ?? 'changed'}: ${plain(data['type'])}`,
    facts: [
      ['Person', nameOf(plain(data['externalUserId']))],
      ['Reason', plain(data['reason'])],
      ['Until', plain(data['endAt'])],
      ['Revoked because', plain(data['revokeReason'])],
    ],
  }),
};
const folders: Readonly<Record<string, string>> = { case: 'cases', review: 'cases', sanction: 'sanctions' };

/** What messages say beside the event. */
export interface ChatContext {
  /** Address that links begin with. */
  readonly origin: string;
  /** Whom the event concerns, by the name that they have now; null: nobody with a name. */
  readonly person?: { readonly externalUserId: string; readonly name: string } | null;
}

function summaryOf(
  { type, resourceId, projectId, payload: { data, changes } }: DomainEvent,
  { person = null }: ChatContext,
): Summary {
  const nameOf: ShownName = (id) =>
    person?.externalUserId === id && !['', id].includes(plain(person.name)) ? `${plain(person.name)} (${id})` : id;
  const [kind = '', id = ''] = [type.split('.')[0], resourceId.slice(resourceId.indexOf(':') + 1)];
  const fields = isRecord(data) ? data : {};
  const about = [type, kind].find((name) => Object.hasOwn(known, name));
  const describe = about === undefined || fields['redacted'] === true ? undefined : known[about];
  const { title, facts } = describe?.(fields, type, isRecord(changes) ? changes : {}, nameOf) ?? {
    title: type,
    facts: Object.entries(fields).map(([label, value]) => [plain(label), plain(value)] as const),
  };
  const folder = Object.hasOwn(folders, kind) ? folders[kind] : undefined;
  const path =
    folder === undefined
      ? null
      : `/console/projects/${encodeURIComponent(projectId ?? '')}/${folder}/${encodeURIComponent(id)}`;
  return { title, facts: facts.filter(([label, value]) => label !== '' && value !== ''), path };
}

/** Slack reads `<!channel>` and links between these characters, and asks to have them escaped. */
export const forSlack = escapedMarkup;

const slackFields = 10;

/** Body for an incoming webhook of Slack. */
export function slackMessage(event: DomainEvent, context: ChatContext) {
  const { title, facts, path } = summaryOf(event, context);
  const text = (value: string, max: number) =>
    ({ type: 'plain_text', text: fit(value, max, forSlack), emoji: false }) as const;
  const fields = facts.slice(0, slackFields).map(([label, value]) => text(`${label}: ${value}`, 2_000));
  const link =
    path === null
      ? []
      : [
          {
            type: 'section',
            text: { type: 'mrkdwn', text: `<${context.origin}${path}|Open in the console>` },
          } as const,
        ];
  return {
    text: fit(title, 3_000, forSlack),
    mrkdwn: false,
    blocks: [
      { type: 'header', text: text(title, 150) } as const,
      ...(fields.length === 0 ? [] : [{ type: 'section', fields } as const]),
      ...link,
      { type: 'context' as const, elements: [text(`${event.type} · ${event.timestamp}`, 2_000)] },
    ],
  };
}

/** A backslash before a character that is no letter, digit or space shows it as it is, and breaks mentions and links. */
export const forDiscord = (text: string): string => text.replaceAll(/[!-/:-@[-`{-~]/g, '\\$&');

const discordFields = 25;
/** All texts of the embeds of a message together. */
const discordTotal = 6_000;

/** Body for a webhook of Discord. */
export function discordMessage(event: DomainEvent, context: ChatContext) {
  const { title, facts, path } = summaryOf(event, context);
  const head = fit(title, 256, forDiscord);
  const footer = fit(`${event.type} · ${plain(event.resourceId)}`, 500);
  let left = discordTotal - head.length - footer.length;
  const fields = [];
  for (const [label, value] of facts.slice(0, discordFields)) {
    const field = {
      name: fit(label, 256, forDiscord),
      value: fit(value, 1_024, forDiscord),
      inline: value.length <= 40,
    };
    left -= field.name.length + field.value.length;
    if (left < 0) break;
    fields.push(field);
  }
  return {
    allowed_mentions: { parse: [] as never[] },
    embeds: [
      {
        title: head,
        ...(path === null ? {} : { url: `${context.origin}${path}` }),
        fields,
        footer: { text: footer },
        timestamp: event.timestamp,
      },
    ],
  };
}
