/** Follows one gathering until it is over: a screen that is always up to date, or its events one per line. */
import type { EarshotClient } from '../../client/earshot-client.js';
import { EventStream } from '../../client/event-stream.js';
import type { DomainEvent } from '../../contract/events.js';
import { gatheringInvitationRoutes, type Invitation } from '../../contract/gatherings/gathering-invitations.js';
import { type Gathering, gatheringRoutes } from '../../contract/gatherings/gatherings.js';
import { looked, type Trouble } from '../terminal/live/poll.js';

export interface Picture {
  readonly gathering: Gathering;
  readonly invitations: readonly Invitation[];
}

interface Watcher {
  /** Called whenever something has changed, and once at the end. */
  picture(picture: Picture): void;
  event(event: DomainEvent): void;
  /** Called with a sentence when a connection is lost; null: connected again. */
  readonly trouble: Trouble;
  readonly until: AbortSignal;
}

const open = new Set(['CREATED', 'STARTED']);

/** Throws ApiError. Returns the last state: at the end, or at the interruption. */
export async function watchGathering(
  client: EarshotClient,
  params: { readonly projectId: string; readonly id: string },
  watcher: Watcher,
): Promise<Picture> {
  const readGathering = async (): Promise<Picture> => {
    const [gathering, invitations] = await Promise.all([
      client.call(gatheringRoutes.get, { params, query: { includeMembers: 'true' } }),
      client.call(gatheringInvitationRoutes.list, { params }),
    ]);
    return { gathering, invitations };
  };
  const stream = new EventStream(client, { projectId: params.projectId, resources: `gathering:${params.id}` });
  watcher.until.addEventListener('abort', () => stream.close());
  let last = await readGathering();
  for await (const notice of stream) {
    if (notice.kind === 'lost') {
      watcher.trouble(`Connection lost (${notice.reason}); trying again.`);
      continue;
    }
    if (notice.kind === 'event') watcher.event(notice.event);
    else watcher.trouble(null);
    last = (await looked(readGathering, watcher.until, watcher.trouble)) ?? last;
    watcher.picture(last);
    // The closing event is the last of a gathering.
    if (!open.has(last.gathering.status) && (notice.kind !== 'event' || isClosing(notice.event))) break;
  }
  stream.close();
  return last;
}

const closings = ['gathering.ended', 'gathering.cancelled', 'gathering.expired'];
const isClosing = ({ type }: DomainEvent): boolean => closings.includes(type);
