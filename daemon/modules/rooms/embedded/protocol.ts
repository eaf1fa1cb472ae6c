/**
 * The messages between daemon and room process over the IPC channel (advanced serialisation, so bytes stay bytes). Both
 * ends parse what arrives.
 */
import { z } from 'zod';

const Name = z.string();
const Room = z.object({ projectId: Name, roomId: Name });
const Policy = z.object({
  publish: z.boolean(),
  audible: z.boolean(),
  speakingSecondsPerMinute: z.number().positive().nullable(),
});
const PersonPolicy = z.object({
  everywhere: Policy.nullable(),
  inRooms: z.map(Name, Policy.nullable()).readonly(),
  blocked: z.array(Name).readonly(),
});
const Visitor = Room.extend({
  externalUserId: Name,
  name: Name,
  userData: z.unknown(),
  tokenId: Name,
  observer: z.boolean(),
});
const Seal = z.object({ key: z.string(), keyIndex: z.int().min(0).max(255) });
const Reason = z.enum(['flooding', 'left', 'lost', 'replaced', 'kicked', 'banned', 'room_closed', 'restarted']);
const Answer = z.object({ answerSdp: z.string(), resourceId: z.string() });

/** One kind of request with its answer. */
export interface ProcessCall<Request, Result> {
  readonly name: string;
  readonly request: z.ZodType<Request>;
  readonly result: z.ZodType<Result>;
}

const call = <Request, Result>(
  name: string,
  request: z.ZodType<Request>,
  result: z.ZodType<Result>,
): ProcessCall<Request, Result> => ({ name, request, result });

export const publishCall = call(
  'publish',
  z.object({ offerSdp: z.string(), visitor: Visitor, policy: Policy, seal: Seal.nullable() }),
  Answer,
);
export const subscribeCall = call(
  'subscribe',
  z.object({ offerSdp: z.string(), visitor: Visitor, blocked: z.array(Name).readonly() }),
  Answer,
);
export const closeCall = call(
  'close',
  z.object({ room: Room, externalUserId: Name, resourceId: Name }),
  z.object({ closed: z.boolean() }),
);
export const removeCall = call(
  'remove',
  z.object({ projectId: Name, roomId: Name.nullable(), externalUserId: Name.nullable(), reason: Reason }),
  z.object({ tokenIds: z.array(z.string()) }),
);
export const policiesCall = call(
  'policies',
  z.object({ projectId: Name, people: z.map(Name, PersonPolicy).readonly() }),
  z.object({}),
);
export const tapCall = call('tap', z.object({ room: Room, on: z.boolean() }), z.object({}));
export const statsCall = call(
  'stats',
  z.object({}),
  z.object({
    publications: z.int(),
    subscriptions: z.int(),
    packetsIn: z.int(),
    packetsForwarded: z.int(),
    packetsDropped: z.object({
      rate: z.int(),
      size: z.int(),
      policy: z.int(),
      malformed: z.int(),
      slots: z.int(),
      unsent: z.int(),
      unsealed: z.int(),
      tap: z.int(),
    }),
  }),
);
/** Answered between other work: a sign of life. */
export const pingCall = call('ping', z.object({}), z.object({}));
export const stopCall = call('stop', z.object({}), z.object({}));

/** Refusals that are passed on by their code; anything else is a fault of the process. */
export const RefusalCode = z.enum([
  'sdp_invalid',
  'room_full',
  'room_limit_reached',
  'already_publishing',
  'overloaded',
  'rate_limited',
]);
export type RefusalCode = z.infer<typeof RefusalCode>;

/** A refusal that the caller can act on; passed between the processes by its code. */
export class Refusal extends Error {
  constructor(readonly code: RefusalCode) {
    super(code);
  }
}

export const RequestFrame = z.object({ id: z.int(), name: z.string(), request: z.unknown() });

const Person = z.object({
  externalUserId: Name,
  name: Name,
  userData: z.unknown(),
  publishing: z.boolean(),
  muted: z.boolean(),
  observer: z.boolean(),
});

const Packet = z.object({
  externalUserId: Name,
  name: Name,
  publicationId: Name,
  audible: z.boolean(),
  sequence: z.int(),
  timestamp: z.int(),
  stampMs: z.number(),
  payload: z.custom<Uint8Array>((value) => value instanceof Uint8Array),
});

/** When it happened, by the clock of the machine. */
const StampMs = z.number();

/** Everything that comes up from the room process. */
export const UpFrame = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('ready') }),
  z.object({ kind: z.literal('failed'), message: z.string() }),
  z.object({ kind: z.literal('log'), level: z.enum(['warn', 'error']), message: z.string(), detail: z.string() }),
  z.object({ kind: z.literal('reply'), id: z.int(), result: z.unknown() }),
  z.object({ kind: z.literal('refusal'), id: z.int(), code: RefusalCode.nullable(), message: z.string() }),
  z.object({ kind: z.literal('peer.joined'), room: Room, person: Person, stampMs: StampMs }),
  z.object({ kind: z.literal('peer.changed'), room: Room, person: Person, stampMs: StampMs }),
  z.object({ kind: z.literal('peer.left'), room: Room, externalUserId: Name, reason: Reason, stampMs: StampMs }),
  z.object({
    kind: z.literal('resource.closed'),
    room: Room,
    externalUserId: Name,
    resourceId: Name,
    reason: Reason,
  }),
  z.object({
    kind: z.literal('slot.changed'),
    room: Room,
    slot: z.object({ listener: Name, resourceId: Name, slot: z.int(), speaker: Name.nullable() }),
  }),
  z.object({ kind: z.literal('voice.changed'), room: Room, externalUserId: Name, speaking: z.boolean() }),
  z.object({ kind: z.literal('packets'), room: Room, packets: z.array(Packet), missed: z.int() }),
]);
export type UpFrame = z.infer<typeof UpFrame>;
export type Notice = Extract<
  UpFrame,
  { kind: 'peer.joined' | 'peer.changed' | 'peer.left' | 'resource.closed' | 'slot.changed' | 'voice.changed' }
>;
