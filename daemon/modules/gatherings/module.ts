/** Part of the composition root: gatherings, with what they need to know of people, sanctions and sessions. */
import { z } from 'zod';
import type { Forgetting } from '../../compose/forgetting.js';
import type { Clock } from '../../platform/clock.js';
import type { Database } from '../../platform/database/database.js';
import type { LogFollower } from '../../platform/events/follower.js';
import type { EventLog, PositionedEvent } from '../../platform/events/log.js';
import type { Logger } from '../../platform/observability/logger.js';
import type { ParticipantStore } from '../people/store.js';
import { CodeLookup } from './code-lookup.js';
import { type ActiveSanctions, GatheringDesk } from './desk.js';
import { forgetMember } from './erasure.js';
import { InvitationStore } from './invitation-store.js';
import { InvitationService } from './invitations.js';
import { GatheringLetters, type Postman } from './letters.js';
import { MemberStore } from './member-store.js';
import { GatheringMemberService } from './members.js';
import { GatheringMoves, type SessionOpener } from './moves.js';
import { gatheringRouter } from './routes.js';
import { GatheringService } from './service.js';
import { GatheringStore } from './store.js';

/** What holds against a person in a room, bans included that outlived their erasure and that no list shows. */
interface Standings {
  policy(projectId: string, roomId: string, externalUserId: string): Promise<{ banned: { until: Date | null } | null }>;
}

interface GatheringNeeds {
  readonly database: Database;
  readonly log: EventLog;
  readonly participants: ParticipantStore;
  readonly sanctions: ActiveSanctions;
  readonly standings: Standings;
  readonly sessions: SessionOpener;
  readonly postman: Postman;
  readonly forgetting: Pick<Forgetting, 'resources'>;
  readonly now: Clock;
}

/** A room that nobody names: there holds what holds everywhere. */
const noRoom = '';

const withErasedBans = (sanctions: ActiveSanctions, standings: Standings): ActiveSanctions => ({
  activeOfUser: async (projectId, externalUserId) => {
    const listed = await sanctions.activeOfUser(projectId, externalUserId);
    const { banned } = await standings.policy(projectId, noRoom, externalUserId);
    if (banned === null) return listed;
    const type = banned.until === null ? 'perm_ban' : 'temp_ban';
    return [...listed, { type, endAt: banned.until?.toISOString() ?? null, parameters: null, sessionId: null }];
  },
});

/** A queue_delay that is lifted, changed or imposed anew is heard of in the log. */
function followDelays(follower: LogFollower, moves: GatheringMoves, logger: Logger): () => void {
  const follow = async (events: readonly PositionedEvent[]): Promise<void> => {
    for (const { event } of events) {
      if (!event.type.startsWith('sanction.')) continue;
      const { data } = Delay.safeParse(event.payload.data);
      if (data !== undefined && event.projectId !== undefined)
        await moves.delayChanged(event.projectId, data.externalUserId);
    }
  };
  return follower.onEvents((events) => {
    follow(events).catch((error: unknown) =>
      logger.error({ err: error }, 'ready marks could not be brought up to date'),
    );
  });
}

const Delay = z.object({ type: z.literal('queue_delay'), externalUserId: z.string() });

const namesInviter = ({ payload }: { payload: string }): boolean => /"inviter(Name|Email)":"/.test(payload);

export function composeGatherings(needs: GatheringNeeds) {
  const { database, log, participants, sanctions, standings, sessions, postman, forgetting, now } = needs;
  const stores = {
    gatherings: new GatheringStore(database),
    members: new MemberStore(database),
    invitations: new InvitationStore(database),
  };
  const desk = new GatheringDesk(
    database,
    log,
    stores,
    (projectId, ids, tx) => participants.byIds(projectId, ids, tx),
    withErasedBans(sanctions, standings),
    now,
  );
  const letters = new GatheringLetters(postman);
  const codes = new CodeLookup(stores.gatherings);
  const members = new GatheringMemberService(desk, codes);
  const moves = new GatheringMoves(desk, sessions);
  const services = {
    gatherings: new GatheringService(desk, codes, members, letters),
    moves,
    members,
    invitations: new InvitationService(desk),
  };
  let unfollow = (): void => {};
  return {
    services,
    routes: gatheringRouter(services),
    moves,
    letters,
    forget: forgetMember(desk, (tx, projectId, ids) =>
      forgetting.resources(
        tx,
        projectId,
        ids.map((id) => ({ subjectUserId: null, resourceId: `gathering:${id}` })),
        namesInviter,
      ),
    ),
    delays: {
      start: (follower: LogFollower, logger: Logger) => {
        unfollow = followDelays(follower, moves, logger);
      },
      stop: () => unfollow(),
    },
  };
}
