/**
 * Which messages pass between a client and LiveKit's server. What is not named here does not pass: a client can neither
 * subscribe to a track, nor keep others from one, nor get a token of LiveKit. Pure.
 */
import {
  type ParticipantInfo,
  SignalRequest,
  SignalResponse,
  TrackSource,
  TrackType,
  UpdateSubscription,
} from '@livekit/protocol';
import { clientAttributes } from './flags.js';

const read = { readUnknownFields: false } as const;
const write = { writeUnknownFields: false } as const;

/** What clients may ask for. `syncState` passes without its subscriptions, `addTrack` for a microphone alone. */
const passed: ReadonlySet<string | undefined> = new Set([
  ...['offer', 'answer', 'trickle', 'addTrack', 'mute', 'trackSetting', 'leave', 'ping', 'pingReq', 'syncState'],
] as const);

/** Returns the message as the server gets it; null: it is dropped, as is one that cannot be read. */
export function toServer(bytes: Uint8Array): Uint8Array | null {
  const request = readable(() => SignalRequest.fromBinary(bytes, read));
  if (request === null || !passed.has(request.message.case)) return null;
  if (request.message.case === 'addTrack') {
    const { type, source } = request.message.value;
    if (type !== TrackType.AUDIO || source !== TrackSource.MICROPHONE) return null;
  }
  if (request.message.case === 'syncState') {
    request.message.value.subscription = undefined;
    request.message.value.dataSubscription = undefined;
  }
  return request.toBinary(write);
}

/** Asks the server to let the holder of the connection hear these tracks, or no longer. */
export const subscription = (trackSids: readonly string[], subscribe: boolean): Uint8Array =>
  new SignalRequest({
    message: { case: 'subscription', value: new UpdateSubscription({ trackSids: [...trackSids], subscribe }) },
  }).toBinary(write);

/** Returns what the server says; null: it cannot be read. */
export const fromServer = (bytes: Uint8Array): SignalResponse | null =>
  readable(() => SignalResponse.fromBinary(bytes, read));

/** Returns the message as the client gets it; null: it is dropped. */
export function toClient(response: SignalResponse): Uint8Array | null {
  const { message } = response;
  switch (message.case) {
    case undefined:
    case 'refreshToken':
    case 'roomMoved':
    case 'trackSubscribed': // a shadow muted person would miss it
      return null;
    case 'join':
      message.value.alternativeUrl = '';
      for (const one of [message.value.participant, ...message.value.otherParticipants]) if (one) cover(one);
      break;
    case 'update':
      for (const one of message.value.participants) cover(one);
      break;
    case 'leave':
      message.value.regions = undefined;
      break;
  }
  return response.toBinary(write);
}

/** What the daemons know of a person is nothing for the others in the room. */
function cover(info: ParticipantInfo): void {
  info.attributes = clientAttributes(info);
}

/** Whom the message shows in the room. */
export const peopleIn = ({ message }: SignalResponse): readonly ParticipantInfo[] =>
  message.case === 'join'
    ? message.value.otherParticipants
    : message.case === 'update'
      ? message.value.participants
      : [];

function readable<T>(parse: () => T): T | null {
  try {
    return parse();
  } catch {
    return null;
  }
}
