/** One attempt: decrypt, render, sign, send. Every failure becomes an outcome; an attempt never throws. */
import type { PayloadFormat } from '../../../../src/contract/webhooks/webhooks.js';
import { deliveryHeaders } from '../../../../src/signing/signing.js';
import { renderPayload } from '../../../../src/signing/webhook-payload.js';
import type { Outbound, OutboundAnswer } from '../../../platform/outbound/outbound.js';
import type { Clock } from '../../../platform/time/clock.js';
import type { ParticipantDirectory } from '../../people/directory.js';
import { envelopeOf } from '../envelope.js';
import type { OpenSubscription } from '../service.js';
import type { SubscriptionRow } from '../subscription-store.js';
import { errorCharactersMax, snippetBytes, snippetMs } from './limits.js';
import type { ClaimedDelivery } from './queue-store.js';

export interface AttemptOutcome {
  readonly startedAt: Date;
  readonly durationMs: number;
  readonly statusCode: number | null;
  /** null: delivered. */
  readonly error: string | null;
  readonly snippet: string | null;
  readonly retryAfter: string | null;
}

/** Fields added to the bare data of gameplay events: a token for the player, created for each attempt. */
type ExtraFields = (delivery: ClaimedDelivery) => Promise<Readonly<Record<string, unknown>>>;

export class Attempts {
  constructor(
    private readonly outbound: Outbound,
    private readonly open: (row: SubscriptionRow) => OpenSubscription,
    private readonly extraFields: ExtraFields,
    private readonly people: Pick<ParticipantDirectory, 'byExternalIds'>,
    /** Address that links to the console begin with. */
    private readonly publicUrl: () => string,
    private readonly now: Clock,
  ) {}

  async make(delivery: ClaimedDelivery, interrupted: AbortSignal): Promise<AttemptOutcome> {
    const startedAt = this.now();
    const began = performance.now();
    const since = () => Math.round(performance.now() - began);
    try {
      const answer = await this.send(delivery, startedAt, interrupted);
      return {
        startedAt,
        durationMs: since(),
        statusCode: answer.status,
        error: refusalOf(answer),
        snippet: snippetOf(answer.body),
        retryAfter: answer.retryAfter,
      };
    } catch (error) {
      const failed = { statusCode: null, error: describe(error), snippet: null, retryAfter: null };
      return { startedAt, durationMs: since(), ...failed };
    }
  }

  private async send(delivery: ClaimedDelivery, now: Date, interrupted: AbortSignal): Promise<OutboundAnswer> {
    const { subscription, eventId, content } = delivery;
    const { url, secret, previousSecret, previousSecretUntil, payloadFormat, headers } = this.open(subscription);
    if (envelopeOf(content.payload) === null) throw new Error('the stored payload is damaged, so it was not sent');
    const extra = payloadFormat === 'bare' ? await this.extraFields(delivery) : {};
    const person = isChat(payloadFormat) ? await this.personOf(delivery) : null;
    const body = renderPayload(payloadFormat, content.payload, { origin: this.publicUrl(), person, extra });
    const stillSigns = previousSecretUntil !== null && now < previousSecretUntil ? previousSecret : null;
    const signed = deliveryHeaders(secret, eventId, body, now, stillSigns);
    return this.outbound.postForStatus(
      url,
      { ...headers, ...signed, 'Content-Type': 'application/json' },
      body,
      { bytesMax: snippetBytes, withinMs: snippetMs },
      interrupted,
    );
  }

  private async personOf({ projectId, content: { subjectUserId } }: ClaimedDelivery) {
    const ids = subjectUserId === null ? [] : [subjectUserId];
    const [found] = await this.people.byExternalIds(projectId, ids);
    return found === undefined ? null : { externalUserId: found.externalUserId, name: found.displayName };
  }
}

const isChat = (format: PayloadFormat): boolean => format === 'slack' || format === 'discord';

const refusalOf = ({ status }: OutboundAnswer): string | null =>
  status >= 200 && status <= 299 ? null : `the receiver answered ${status}`;

/** Without characters that PostgreSQL refuses, and cut to the limit in bytes. */
const snippetOf = (body: string): string =>
  Buffer.from(body).subarray(0, snippetBytes).toString('utf8').replaceAll('\0', '\ufffd');

/** On one line: OpenSSL ends its messages with a line break. */
const describe = (error: unknown): string => {
  const text = error instanceof Error ? error.message : String(error);
  return text.replaceAll(/\s+/g, ' ').trim().slice(0, errorCharactersMax);
};
