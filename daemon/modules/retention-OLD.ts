/** Part of the composition root: what is removed because it is old, with everything that told of it. */

import type { Forgetting } from '../compose/forgetting.js';
import type { Clock } from '../platform/clock.js';
import type { Settings } from '../platform/config/schema.js';
import type { Database } from '../platform/database/database.js';
import type { IdempotencyStore } from '../platform/idempotency/store.js';
import type { Logger } from '../platform/observability/logger.js';
import { keepPersonalData } from '../platform/scheduler/keep-personal-data.js';
import type { Repeat } from '../platform/scheduler/repeat.js';
import { GameplayRetention } from './gameplay/retention.js';
import type { SettingsStore } from './projects/settings/store.js';
import { type ForgetMessages, TranscriptRetention } from './sessions/retention.js';

interface RetentionNeeds {
  readonly database: Database;
  readonly settingsStore: SettingsStore;
  readonly forgetting: Forgetting;
  readonly idempotency: IdempotencyStore;
  readonly recordings: { remove(name: string): Promise<void> };
  readonly settings: Settings;
  readonly logger: Logger;
  readonly now: Clock;
}

export function composeRetention(needs: RetentionNeeds): Repeat {
  const { database, settingsStore, forgetting, idempotency, recordings, settings, logger, now } = needs;
  const forgetMessages: ForgetMessages = (tx, projectId, messages) =>
    forgetting.resources(
      tx,
      projectId,
      messages.map(({ id, externalUserId: subjectUserId }) => ({ subjectUserId, resourceId: `message:${id}` })),
    );
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
  const gameplay = new GameplayRetention(database, gameplayDays, forgetting.events, now);
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
