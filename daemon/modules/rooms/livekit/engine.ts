/**
 * Rooms that servers of LiveKit carry. No daemon has them: each lets people in through its door, each changes what people
 * may do by calls to the servers, and each knows who is there by asking them.
 */
import { isDeepStrictEqual } from 'node:util';
import type { ParticipantInfo } from '@livekit/protocol';
import { DomainError } from '../../../../src/contract/errors.js';
import { slicesOf } from '../../../platform/database/slices.js';
import type { Logger } from '../../../platform/observability/logger.js';
import { Repeat } from '../../../platform/scheduler/repeat.js';
import type { Clock } from '../../../platform/time/clock.js';
import { PacketCounters } from '../embedded/counters.js';
import { nameOf } from '../media/by-room.js';
import type {
  BotAppearance,
  CarriedRooms,
  LeaveReason,
  PeerView,
  PersonPolicy,
  RoomAddress,
  RoomEngineStats,
  RoomEvent,
  RoomTap,
  RoomView,
  SpeakingPolicy,
} from '../media/engine.js';
import type { RoomTokenLedger } from '../tokens/ledger-store.js';
import type { LiveKitEars } from './ears.js';
import { flagsOf, keptBy } from './flags.js';
import type { Hearing } from './hearing.js';
import { audioOf, isListener, type LiveKitServer } from './server.js';

/** Servers tell nobody of what happens in rooms without a person of this daemon. */
const lookMs = 2_000;
/** A room that looks unchanged is read this often all the same. */
const readAgainMs = 16_000;

interface KnownRoom {
  readonly room: RoomAddress;
  peers: ReadonlyMap<string, PeerView>;
  moderators: ReadonlySet<string>;
  /** Who speaks, as the doors of this daemon hear it. */
  readonly speaking: Set<string>;
  mark: string;
  readAtMs: number;
}

interface WaitingReading {
  mark: string | undefined;
  done: Promise<void>;
}

interface LiveKitNeeds {
  readonly server: LiveKitServer;
  readonly hearing: Hearing;
  readonly ears: LiveKitEars;
  readonly ledger: Pick<RoomTokenLedger, 'joined'>;
  readonly log: Logger;
  readonly now: Clock;
}

const refused = (what: string): DomainError =>
  new DomainError('provider_unsupported', {
    message: `The rooms of this installation are carried by LiveKit, which has no ${what}. Join with a client of LiveKit, at the address of the token.`,
  });

export class LiveKitRooms implements CarriedRooms {
  readonly port = 0;
  readonly restarts = 0;
  readonly overShare = 0;
  problem: string | null = null;
  private readonly known = new Map<string, KnownRoom>();
  private readonly listeners = new Set<(event: RoomEvent) => void>();
  private readonly reading = new Map<string, Promise<void>>();
  /** Readings that have not begun: whoever asks meanwhile shares them, however many ask. */
  private readonly waiting = new Map<string, WaitingReading>();
  /** Why somebody is about to leave, by room and person. */
  private readonly reasons = new Map<string, LeaveReason>();
  private readonly looking: Repeat;

  constructor(private readonly needs: LiveKitNeeds) {
    this.looking = new Repeat('livekit-rooms', lookMs, () => this.lookAll(), needs.log);
  }

  async start(): Promise<void> {
    this.looking.start();
  }

  async stop(): Promise<void> {
    this.needs.ears.stop();
    await this.looking.stop();
  }

  async pause(): Promise<void> {
    this.needs.ears.pause();
  }

  tap = (room: RoomAddress, appearance: BotAppearance): RoomTap => this.needs.ears.tap(room, appearance);

  problemOf = (): string | null => this.problem;

  publish(): Promise<never> {
    return Promise.reject(refused('WHIP here'));
  }

  subscribe(): Promise<never> {
    return Promise.reject(refused('WHEP'));
  }

  close = async (): Promise<boolean> => false;

  async remove(
    projectId: string,
    roomId: string | null,
    externalUserId: string | null,
    reason: LeaveReason,
  ): Promise<string[]> {
    const { server, ledger } = this.needs;
    if (externalUserId === null) {
      const open = (await server.openRooms()).map(({ room }) => room);
      for (const room of open)
        if (room.projectId === projectId && (roomId === null || room.roomId === roomId)) await server.close(room);
      return [];
    }
    const tokens = await ledger.joined(projectId, roomId, externalUserId);
    for (const room of await this.roomsOf(projectId, roomId, externalUserId, tokens)) {
      const key = keyOf(room, externalUserId);
      this.reasons.set(key, reason);
      try {
        await server.remove(room, externalUserId);
        await this.look(room);
      } finally {
        this.reasons.delete(key);
      }
    }
    return tokens.map(({ jti }) => jti);
  }

  async setPolicies(projectId: string, people: ReadonlyMap<string, PersonPolicy>): Promise<void> {
    this.needs.ears.forget(projectId);
    const byRoom = new Map<string, { room: RoomAddress; changed: Set<string> }>();
    for (const person of people.keys()) {
      const tokens = await this.needs.ledger.joined(projectId, null, person);
      for (const room of await this.roomsOf(projectId, null, person, tokens)) {
        const entry = byRoom.get(nameOf(room)) ?? { room, changed: new Set<string>() };
        entry.changed.add(person);
        byRoom.set(nameOf(room), entry);
      }
    }
    await Promise.all([...byRoom.values()].map(({ room, changed }) => this.settle(room, changed, people)));
  }

  /** Makes what the server allows these people, and whom it lets them hear, what is stored. */
  private async settle(
    room: RoomAddress,
    changed: ReadonlySet<string>,
    people: ReadonlyMap<string, PersonPolicy>,
  ): Promise<void> {
    const { server } = this.needs;
    const present = await server.people(room);
    const policyOf = (id: string): SpeakingPolicy | null | undefined => {
      const own = people.get(id);
      return own?.inRooms.has(room.roomId) ? own.inRooms.get(room.roomId) : own?.everywhere;
    };
    const staying: ParticipantInfo[] = [];
    for (const one of present) {
      const policy = changed.has(one.identity) && !flagsOf(one).bot ? policyOf(one.identity) : undefined;
      if (policy === null) {
        await server.remove(room, one.identity);
        continue;
      }
      staying.push(one);
      if (policy === undefined) continue;
      const canPublish = policy.publish && flagsOf(one).publish;
      if (canPublish !== one.permission?.canPublish) await server.allowPublishing(room, one, canPublish);
    }
    await this.settleHearing(room, staying, changed);
    await this.look(room);
  }

  /** Between these people and everybody else in the room. */
  private async settleHearing(room: RoomAddress, present: readonly ParticipantInfo[], changed: ReadonlySet<string>) {
    const speakers = present.filter((one) => audioOf(one).length > 0);
    const listeners = present.filter(isListener);
    const idsOf = (some: readonly ParticipantInfo[]) => some.map(({ identity }) => identity);
    const hears = await this.needs.hearing.among(room, idsOf(listeners), idsOf(speakers));
    for (const some of slicesOf(listeners))
      await Promise.all(
        [...some].map(async ({ identity: listener }) => {
          const pairs = speakers.filter(
            ({ identity }) => identity !== listener && (changed.has(listener) || changed.has(identity)),
          );
          for (const granted of [false, true]) {
            const sids = pairs.filter(({ identity }) => hears(listener, identity) === granted).flatMap(audioOf);
            await this.needs.server.subscribe(room, listener, sids, granted);
          }
        }),
      );
  }

  /** Where the person may be: by the tokens that they have joined with, and by what is known of the rooms. */
  private async roomsOf(
    projectId: string,
    roomId: string | null,
    externalUserId: string,
    tokens: readonly { readonly roomId: string }[],
  ): Promise<RoomAddress[]> {
    const here = this.rooms(projectId).filter(({ peers }) =>
      peers.some((peer) => peer.externalUserId === externalUserId),
    );
    const ids = new Set([...tokens, ...here].map((one) => one.roomId));
    return [...ids].filter((id) => roomId === null || id === roomId).map((id) => ({ projectId, roomId: id }));
  }

  rooms(projectId?: string): RoomView[] {
    return [...this.known.values()]
      .filter(({ room, peers }) => peers.size > 0 && (projectId === undefined || room.projectId === projectId))
      .map(viewOf);
  }

  room(room: RoomAddress): RoomView | null {
    const known = this.known.get(nameOf(room));
    return known === undefined || known.peers.size === 0 ? null : viewOf(known);
  }

  projects = (): Set<string> => new Set(this.rooms().map(({ projectId }) => projectId));

  in = (room: RoomAddress): string[] =>
    (this.room(room)?.peers ?? []).filter(({ bot }) => !bot).map(({ externalUserId }) => externalUserId);

  peopleOf = (projectId: string): string[] => this.rooms(projectId).flatMap((room) => this.in(room));

  isModerator = (room: RoomAddress, externalUserId: string): boolean =>
    this.known.get(nameOf(room))?.moderators.has(externalUserId) === true;

  async stats(): Promise<RoomEngineStats> {
    const peers = this.rooms().flatMap((room) => room.peers);
    return {
      rooms: this.rooms().length,
      publications: peers.filter(({ publishing }) => publishing).length,
      subscriptions: peers.length,
      packetsIn: 0,
      packetsForwarded: 0,
      packetsDropped: { ...new PacketCounters().packetsDropped },
    };
  }

  onEvent(listener: (event: RoomEvent) => void): () => void {
    this.listeners.add(listener);
    return () => void this.listeners.delete(listener);
  }

  /** Somebody began or ceased to speak, as a door heard it. */
  spoke(room: RoomAddress, externalUserId: string, isSpeaking: boolean): void {
    const speaking = this.known.get(nameOf(room))?.speaking;
    if (isSpeaking) speaking?.add(externalUserId);
    else speaking?.delete(externalUserId);
  }

  async lookInto(projectId: string, roomId: string | null): Promise<void> {
    if (roomId !== null) return this.look({ projectId, roomId });
    const open = await this.needs.server.openRooms();
    await Promise.all(open.filter(({ room }) => room.projectId === projectId).map(({ room }) => this.look(room)));
  }

  /** Reads who is in the room; what began before this call does not count. */
  look(room: RoomAddress, mark?: string): Promise<void> {
    const name = nameOf(room);
    const shared = this.waiting.get(name);
    if (shared !== undefined) {
      shared.mark = mark ?? shared.mark;
      return shared.done;
    }
    const own: WaitingReading = { mark, done: Promise.resolve() };
    const before = this.reading.get(name) ?? Promise.resolve();
    own.done = before
      .catch(() => {})
      .then(async () => {
        this.waiting.delete(name);
        this.saw(room, await this.needs.server.people(room), own.mark);
      })
      .finally(() => {
        if (this.reading.get(name) === own.done) this.reading.delete(name);
      });
    this.waiting.set(name, own);
    this.reading.set(name, own.done);
    return own.done;
  }

  private async lookAll(): Promise<void> {
    try {
      const open = await this.needs.server.openRooms();
      this.problem = null;
      const names = new Set(open.map(({ room }) => nameOf(room)));
      const gone = [...this.known.values()]
        .filter(({ room }) => !names.has(nameOf(room)))
        .map(({ room }) => ({ room }));
      const nowMs = performance.now();
      const changed = open.filter(({ room, mark }) => {
        const known = this.known.get(nameOf(room));
        return known === undefined || known.mark !== mark || nowMs - known.readAtMs > readAgainMs;
      });
      for (const one of slicesOf([...changed, ...gone]))
        await Promise.all([...one].map((each) => this.look(each.room, 'mark' in each ? each.mark : undefined)));
    } catch (error) {
      this.problem = `LiveKit's servers do not answer: ${error instanceof Error ? error.message : String(error)}`;
      throw error;
    }
  }

  private saw(room: RoomAddress, present: readonly ParticipantInfo[], mark?: string): void {
    const name = nameOf(room);
    const known = this.known.get(name) ?? {
      ...{ room, peers: new Map<string, PeerView>(), moderators: new Set<string>(), speaking: new Set<string>() },
      ...{ mark: '', readAtMs: 0 },
    };
    this.known.set(name, known);
    const before = known.peers;
    const after = new Map(present.map((one) => [one.identity, peerOf(one)]));
    known.peers = after;
    known.moderators = new Set(present.filter((one) => flagsOf(one).moderate).map(({ identity }) => identity));
    known.readAtMs = performance.now();
    if (mark !== undefined) known.mark = mark;
    const at = this.needs.now();
    for (const [id, peer] of before) {
      if (after.has(id)) continue;
      known.speaking.delete(id);
      this.tell({ type: 'peer.left', room, peer, reason: this.reasons.get(keyOf(room, id)) ?? 'left', at });
    }
    for (const [id, peer] of after) {
      const was = before.get(id);
      if (was === undefined) this.tell({ type: 'peer.joined', room, peer, at });
      else if (!isDeepStrictEqual(was, peer)) this.tell({ type: 'peer.changed', room, peer });
    }
    if (after.size === 0) this.known.delete(name);
  }

  private tell(event: RoomEvent): void {
    for (const listener of this.listeners) listener(event);
  }
}

const keyOf = (room: RoomAddress, externalUserId: string): string => JSON.stringify([nameOf(room), externalUserId]);

const viewOf = ({ room, peers, speaking }: KnownRoom): RoomView => ({
  ...room,
  peers: [...peers.values()],
  speaking: [...speaking],
  slots: [],
});

function peerOf(one: ParticipantInfo): PeerView {
  const { publish, observer, bot } = flagsOf(one);
  const keepsSeconds = keptBy(one);
  return {
    ...(keepsSeconds > 0 ? { keepsSeconds } : {}),
    externalUserId: one.identity,
    name: one.name,
    userData: userDataIn(one.metadata),
    publishing: audioOf(one).length > 0,
    muted: publish && one.permission?.canPublish === false,
    bot,
    observer,
  };
}

/** The daemon wrote it. */
function userDataIn(metadata: string): unknown {
  try {
    return JSON.parse(metadata);
  } catch {
    return {};
  }
}
