/** Body of a webhook: the event's envelope, its bare data, or a message that chat services show. */
import type { DomainEvent } from '../contract/events.js';
import type { PayloadFormat } from '../contract/webhooks/webhooks.js';
import {
  type ChatContext,
  discordMessage,
  fit,
  forDiscord,
  forSlack,
  isRecord,
  plain,
  slackMessage,
} from './chat-message.js';

/** Fields shown in a chat, where the event has them. */
const notable = [
  ...['title', 'name', 'displayName', 'senderName', 'externalUserId', 'type', 'status'],
  ...['content', 'reason', 'message', 'endAt'],
];
const valueMax = 300;
/** Discord refuses more than 2,000 characters. */
const textMax = 1_900;

/** `sanction.created (sanction:…) type: mute, reason: shouting` */
function sentenceOf({ type, resourceId, payload: { data } }: DomainEvent): string {
  // Wrappers (a member, a challenge) contain these fields one level down.
  const holders = isRecord(data) ? [data, ...Object.values(data).filter(isRecord)] : [];
  const facts = notable.flatMap((name) => {
    const value = holders.map((holder) => plain(holder[name])).find((text) => text !== '');
    return value === undefined ? [] : [`${name}: ${fit(value, valueMax)}`];
  });
  const marks = holders.some(({ shadowMuted }) => shadowMuted === true) ? ['shadowMuted: true'] : [];
  return `${type} (${plain(resourceId)}) ${[...marks, ...facts].join(', ')}`.trim();
}

interface PayloadOptions extends ChatContext {
  /** Fields that are added to bare data. */
  readonly extra?: Readonly<Record<string, unknown>>;
}

/**
 * The body of a delivery, from the stored envelope. Of a line of text, chat services take the field that they know: Slack `text`,
 * Discord `content`. What players have written neither notifies anybody nor becomes markup or a link.
 */
export function renderPayload(
  format: PayloadFormat,
  envelope: string,
  { extra = {}, ...context }: PayloadOptions,
): string {
  if (format === 'event') return envelope;
  const event: DomainEvent = JSON.parse(envelope);
  const { data } = event.payload;
  if (format === 'bare') return JSON.stringify(isRecord(data) ? { ...data, ...extra } : data);
  if (format === 'slack') return JSON.stringify(slackMessage(event, context));
  if (format === 'discord') return JSON.stringify(discordMessage(event, context));
  const sentence = sentenceOf(event);
  return JSON.stringify({
    text: fit(sentence, textMax, forSlack),
    mrkdwn: false,
    content: fit(sentence, textMax, forDiscord),
    allowed_mentions: { parse: [] },
  });
}
