/** `ban --from-room`: everybody who joined a room in a time, as one batch that can be undone. */
import * as Flags from '@oclif/core/flags';
import type { EarshotClient } from '../../client/earshot-client.js';
import { type RoomVisit, roomVisitRoutes } from '../../contract/rooms/room-visits.js';
import { repeated } from '../typed/repeated.js';

const fromRoom = 'from-room';

export const roomJoinersFlags = {
  [fromRoom]: Flags.string({
    description: 'Instead of one person: everybody who joined this room',
    dependsOn: ['joined-since'],
    exclusive: ['replace', 'also', 'new'],
  }),
  'joined-since': Flags.string({
    description: 'When they joined, or later: 10m, "today 21:00"',
    dependsOn: [fromRoom],
  }),
  except: Flags.string({
    description: 'With --from-room, somebody to leave out',
    ...repeated,
    dependsOn: [fromRoom],
  }),
  'dry-run': Flags.boolean({
    description: 'With --from-room, show who it would be, and change nothing',
    dependsOn: [fromRoom],
  }),
  yes: Flags.boolean({ description: 'With --from-room, do not ask for confirmation', dependsOn: [fromRoom] }),
};

/** True if the line names a room in place of a person. */
export const namesRoom = (argv: readonly string[]): boolean =>
  argv.some((word) => word === `--${fromRoom}` || word.startsWith(`--${fromRoom}=`));

/** Each person once, with when they joined first. */
export async function joinersOf(
  client: EarshotClient,
  params: { readonly projectId: string; readonly roomId: string },
  since: string,
  except: ReadonlySet<string>,
): Promise<RoomVisit[]> {
  const visits = await client.call(roomVisitRoutes.list, { params, query: { since } });
  const people = new Map<string, RoomVisit>();
  for (const visit of visits) {
    const { joinedAt, externalUserId } = visit;
    if (joinedAt === null || Date.parse(joinedAt) < Date.parse(since) || except.has(externalUserId)) continue;
    if (!people.has(externalUserId)) people.set(externalUserId, visit);
  }
  return [...people.values()];
}
