/** Follows one leaderboard until it is interrupted. The ranking is read again at most twice a second, however busy it is. */
import { sleep } from '../../client/back-off.js';
import type { EarshotClient } from '../../client/earshot-client.js';
import { EventStream } from '../../client/event-stream.js';
import type { DomainEvent } from '../../contract/events.js';
import { type LeaderboardRankingPage, leaderboardRoutes } from '../../contract/gameplay/leaderboards.js';
import type { CallInput } from '../../contract/route.js';
import { looked, type Trouble } from '../terminal/live/poll.js';

interface LeaderboardWatcher {
  readonly until: AbortSignal;
  ranking(ranking: LeaderboardRankingPage): void;
  event(event: DomainEvent): void;
  /** Called with a sentence when a connection is lost; null: it is back. */
  readonly trouble: Trouble;
}

const lookEveryMs = 500;

/** Throws ApiError. */
export async function watchLeaderboard(
  client: EarshotClient,
  params: { readonly projectId: string; readonly id: string },
  query: CallInput<typeof leaderboardRoutes.ranking>['query'],
  watcher: LeaderboardWatcher,
): Promise<void> {
  const readRanking = () => client.call(leaderboardRoutes.ranking, { params, query });
  const stream = new EventStream(client, { projectId: params.projectId, resources: `leaderboard:${params.id}` });
  watcher.until.addEventListener('abort', () => stream.close());
  watcher.ranking(await readRanking());
  let [changed, looking] = [false, false];
  let failed: unknown = null;
  // One look after the other, so that no older answer comes behind a newer one.
  const lookAgain = async (): Promise<void> => {
    while (changed && !watcher.until.aborted) {
      await sleep(lookEveryMs, watcher.until);
      changed = false;
      const ranking = await looked(readRanking, watcher.until, watcher.trouble);
      if (ranking !== null) watcher.ranking(ranking);
    }
  };
  const lookSoon = (): void => {
    changed = true;
    if (looking) return;
    looking = true;
    void lookAgain()
      .catch((error: unknown) => {
        failed = error;
        stream.close();
      })
      .finally(() => {
        looking = false;
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
