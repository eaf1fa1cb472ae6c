/** What passes at the door to rooms that LiveKit carries. */
import {
  AddTrackRequest,
  JoinResponse,
  LeaveRequest,
  ParticipantInfo,
  ParticipantUpdate,
  SessionDescription,
  SignalRequest,
  SignalResponse,
  SubscriptionPermission,
  SyncState,
  TrackSource,
  TrackSubscribed,
  TrackType,
  UpdateSubscription,
} from '@livekit/protocol';
import { describe, expect, it } from 'vitest';
import { attributesOf } from '../../daemon/modules/rooms/livekit/flags.js';
import { toClient, toServer } from '../../daemon/modules/rooms/livekit/signals.js';

type Asked = SignalRequest['message'];
const passes = (message: Asked): Asked['case'] | null => {
  const bytes = toServer(new SignalRequest({ message }).toBinary());
  return bytes === null ? null : SignalRequest.fromBinary(bytes).message.case;
};
const shown = (message: SignalResponse['message']) => {
  const bytes = toClient(new SignalResponse({ message }));
  return bytes === null ? null : SignalResponse.fromBinary(bytes).message;
};

describe('a message of a client', () => {
  it('passes where it is about its own connection', () => {
    expect(passes({ case: 'offer', value: new SessionDescription({ type: 'offer', sdp: 'v=0' }) })).toBe('offer');
    expect(passes({ case: 'ping', value: 1n })).toBe('ping');
    expect(passes({ case: 'leave', value: new LeaveRequest() })).toBe('leave');
  });

  it('does not pass where it decides who hears whom', () => {
    expect(passes({ case: 'subscription', value: new UpdateSubscription({ subscribe: true }) })).toBeNull();
    expect(passes({ case: 'subscriptionPermission', value: new SubscriptionPermission() })).toBeNull();
  });

  it('passes with a track only where it is a microphone', () => {
    const track = (type: TrackType, source: TrackSource) =>
      passes({ case: 'addTrack', value: new AddTrackRequest({ cid: 'c', type, source }) });
    expect(track(TrackType.AUDIO, TrackSource.MICROPHONE)).toBe('addTrack');
    expect(track(TrackType.VIDEO, TrackSource.CAMERA)).toBeNull();
    expect(track(TrackType.AUDIO, TrackSource.SCREEN_SHARE_AUDIO)).toBeNull();
  });

  it('loses its subscriptions where it says what the client has', () => {
    const value = new SyncState({ subscription: new UpdateSubscription({ trackSids: ['TR_x'], subscribe: true }) });
    const bytes = toServer(new SignalRequest({ message: { case: 'syncState', value } }).toBinary());
    const { message } = SignalRequest.fromBinary(bytes ?? new Uint8Array());
    expect(message.case === 'syncState' && message.value.subscription).toBeUndefined();
  });

  it('loses what is behind it under another number, and is dropped where it cannot be read', () => {
    const ping = new SignalRequest({ message: { case: 'ping', value: 1n } }).toBinary();
    const behind = Uint8Array.of(...ping, 0xa2, 0x06, 0x01, 0x00); // field 100
    expect(toServer(behind)).toEqual(ping);
    expect(toServer(Uint8Array.of(0xff, 0xff))).toBeNull();
    expect(toServer(new Uint8Array())).toBeNull();
  });
});

describe('a message of the server', () => {
  it('does not pass where it is a token', () => {
    expect(shown({ case: 'refreshToken', value: 'eyJ' })).toBeNull();
  });

  it('does not pass where a shadow mute would show by its absence', () => {
    expect(shown({ case: 'trackSubscribed', value: new TrackSubscribed({ trackSid: 'TR_x' }) })).toBeNull();
  });

  it('names no other address', () => {
    const joined = shown({ case: 'join', value: new JoinResponse({ alternativeUrl: 'wss://livekit.internal' }) });
    expect(joined?.case === 'join' && joined.value.alternativeUrl).toBe('');
    const left = shown({ case: 'leave', value: new LeaveRequest({ regions: { regions: [{ url: 'wss://x' }] } }) });
    expect(left?.case === 'leave' && left.value.regions).toBeUndefined();
  });

  it('shows bots and observers, and no permission of anybody', () => {
    const one = (flags: object) =>
      new ParticipantInfo({
        attributes: attributesOf({ publish: true, moderate: true, observer: false, bot: false, ...flags }),
      });
    const message = shown({
      case: 'update',
      value: new ParticipantUpdate({ participants: [one({}), one({ bot: true }), one({ observer: true })] }),
    });
    const seen = message?.case === 'update' ? message.value.participants.map(({ attributes }) => attributes) : [];
    expect(seen).toEqual([{}, { earshot: 'bot' }, { earshot: 'observer' }]);
  });
});
