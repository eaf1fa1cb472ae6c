/** Follows one leaderboard until it is interrupted. The ranking is read again at most twice a second, however busy it is. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { EarshotClient } from '../client/earshot-client.js';
import { EventStream } from '../client/event-stream.js';
import type { DomainEvent } from '../contract/events.js';
import { type LeaderboardRanking, leaderboardRoutes } from '../contract/gameplay/leaderboards.js';
import type { CallInput } from '../contract/route.js';

interface LeaderboardWatcher {
  readonly until: AbortSignal;
  ranking(ranking: LeaderboardRanking): void;
  event(event: DomainEvent): void;
  /** Told of lost connections, in words; null: all is well again. */
  trouble(line: string | null): void;
}

const lookEveryMs = 500;

/** Throws ApiError. */
export async function watchLeaderboard(
  client: EarshotClient,
  params: { readonly projectId: string; readonly id: string },
  query: CallInput<typeof leaderboardRoutes.ranking>['query'],
  watcher: LeaderboardWatcher,
): Promise<void> {
  const look = async () => watcher.ranking(await client.call(leaderboardRoutes.ranking, { params, query }));
  const stream = new EventStream(client, { projectId: params.projectId, resources: `leaderboard:${params.id}` });
  watcher.until.addEventListener('abort', () => stream.close());
  await look();
  let waiting = false;
  let failed: unknown = null;
  const lookSoon = (): void => {
    if (waiting) return;
    waiting = true;
    void sleep(lookEveryMs, null, { ref: false })
      .then(() => {
        waiting = false;
        return look();
      })
      .catch((error: unknown) => {
        failed = error;
        stream.close();
      });
  };
  for await (const notice of stream) {
    if (notice.kind === 'lost') watcher.trouble(`Connection lost (${notice.reason}); trying again.`);
    else {
      if (notice.kind === 'event') watcher.event(notice.event);
      else watcher.trouble(null);
      lookSoon();
    }
  }
  if (failed !== null) throw failed;
}
