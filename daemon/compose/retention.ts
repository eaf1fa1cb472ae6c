/** Part of the composition root: what is removed because it is old, with everything that told of it. */
import type { Clock } from '../clock.js';
import type { Settings } from '../config/schema.js';
import type { Database, Transaction } from '../database/database.js';
import { EventRedaction, type ToldEvent } from '../events/redaction.js';
import { GameplayRetention } from '../features/gameplay/retention.js';
import type { IdempotencyStore } from '../features/idempotency/store.js';
import { type ForgetMessages, TranscriptRetention } from '../features/sessions/retention.js';
import type { SettingsStore } from '../features/settings/store.js';
import type { WebhookStore } from '../features/webhooks/store.js';
import { keepPersonalData } from '../jobs/keep-personal-data.js';
import type { Repeat } from '../jobs/repeat.js';
import type { Logger } from '../observability/logger.js';

interface RetentionNeeds {
  readonly database: Database;
  readonly settingsStore: SettingsStore;
  readonly webhookStore: WebhookStore;
  readonly idempotency: IdempotencyStore;
  readonly recordings: { remove(name: string): Promise<void> };
  readonly settings: Settings;
  readonly logger: Logger;
  readonly now: Clock;
}

export function composeRetention(needs: RetentionNeeds): Repeat {
  const { database, settingsStore, webhookStore, idempotency, recordings, settings, logger, now } = needs;
  const redaction = new EventRedaction(database);
  /** Events, their deliveries, and the news of those deliveries, which repeated them in earlier versions. */
  const forgetEvents = async (tx: Transaction, events: readonly ToldEvent[]): Promise<void> => {
    await redaction.redact(tx, events);
    const ids = events.map(({ id }) => id);
    for (const { id, projectId, subjectUserId } of await webhookStore.redactEvents(tx, ids, now()))
      if (subjectUserId !== null)
        await redaction.redact(
          tx,
          await redaction.of(tx, projectId, [{ subjectUserId, resourceId: `webhook-event:${id}` }]),
        );
  };
  const forgetMessages: ForgetMessages = async (tx, projectId, messages) => {
    const told = messages.flatMap(({ id, externalUserId: subjectUserId }) =>
      subjectUserId === null ? [] : [{ subjectUserId, resourceId: `message:${id}` }],
    );
    await forgetEvents(tx, await redaction.of(tx, projectId, told));
  };
  const {
    EARSHOT_GAMEPLAY_RETENTION_DAYS: gameplayDays,
    EARSHOT_EVENT_RETENTION_DAYS: eventDays,
    EARSHOT_DELIVERY_RETENTION_DAYS: deliveryDays,
  } = settings;
  const transcripts = new TranscriptRetention(
    database,
    () => settingsStore.keptTranscripts(),
    recordings,
    forgetMessages,
    now,
  );
  const gameplay = new GameplayRetention(database, gameplayDays, forgetEvents, now);
  const kinds = [
    { kind: 'messages', prune: (limit: number) => transcripts.prune(limit) },
    { kind: 'game events', prune: (limit: number) => gameplay.prune(limit) },
    { kind: 'stored answers', prune: () => idempotency.dropExpired(now()) },
  ];
  // What the log and the deliveries tell of game events goes with them, if it would not go sooner by itself.
  if (gameplayDays < Math.max(eventDays, deliveryDays))
    kinds.push({ kind: 'news of game events', prune: (limit: number) => gameplay.redact(limit) });
  return keepPersonalData(kinds, database, logger);
}
