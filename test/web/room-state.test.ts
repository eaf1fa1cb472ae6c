import { describe, expect, it } from 'vitest';
import type { RoomPerson, RoomStreamEvent } from '../../src/contract/rooms/room-events.js';
import { after, type RoomScreen } from '../../web/room/room-state.js';

const person = (externalUserId: string, more: Partial<RoomPerson> = {}): RoomPerson => ({
  externalUserId,
  name: externalUserId.toUpperCase(),
  userData: {},
  publishing: true,
  muted: false,
  bot: false,
  observer: false,
  ...more,
});
const state: RoomStreamEvent = {
  type: 'room.state',
  roomId: 'hall',
  you: {
    externalUserId: 'ben',
    name: 'BEN',
    publish: true,
    subscribe: true,
    moderate: false,
    impose: false,
    observer: false,
  },
  encryption: 'disabled',
  people: [person('ben')],
  reportCategories: ['spam'],
  lostAfterSeconds: 5,
  slots: [{ resourceId: 'r', slot: 1, speaker: 'ann' }],
};
const message = (id: string): RoomStreamEvent => ({
  type: 'message',
  message: {
    id,
    kind: 'user',
    senderName: 'ANN',
    externalUserId: 'ann',
    content: 'hello',
    timestamp: '2026-01-01T00:00:00.000Z',
  },
});
const play = (...events: RoomStreamEvent[]): RoomScreen | null => events.reduce<RoomScreen | null>(after, null);
const peer = (change: 'joined' | 'changed' | 'left', who: RoomPerson): RoomStreamEvent => ({
  type: 'room.peer',
  change,
  person: who,
});

describe('what the page knows of the room', () => {
  it('is nothing before the first state', () => {
    expect(play(peer('joined', person('ann')))).toBeNull();
  });

  it('follows who comes, changes and goes', () => {
    const muted = person('ann', { muted: true });
    expect(play(state, peer('joined', person('ann')))?.people).toEqual([person('ben'), person('ann')]);
    expect(play(state, peer('joined', person('ann')), peer('changed', muted))?.people).toEqual([person('ben'), muted]);
    expect(play(state, peer('left', person('ben')))?.people).toEqual([]);
  });

  it('shows what people are saying until the line is there, or is none', () => {
    const partial = (externalUserId: string, content: string, second = 0): RoomStreamEvent => ({
      ...{ type: 'message.partial', externalUserId, senderName: externalUserId, content },
      timestamp: `2026-01-01T00:00:0${second}.000Z`,
    });
    const spoken = (...events: RoomStreamEvent[]) =>
      play(state, ...events)?.speaking.map(({ externalUserId, content }) => `${externalUserId} ${content}`);
    const both = [partial('ben', 'left', 1), partial('ann', 'he'), partial('ann', 'hello')];
    expect(spoken(...both)).toEqual(['ann hello', 'ben left']);
    expect(spoken(...both, message('m1'))).toEqual(['ben left']);
    expect(spoken(partial('ann', 'again', 1), message('m1'))).toEqual(['ann again']);
    expect(spoken(...both, partial('ben', '', 1))).toEqual(['ann hello']);
    expect(spoken(...both, { type: 'room.closed', reason: 'restarted', rejoin: true })).toEqual([]);
    expect(spoken(...both, state)).toEqual([]);
  });

  it('tells a bot from a person of the same id', () => {
    const view = play(state, peer('joined', person('ben', { bot: true })), peer('left', person('ben')));
    expect(view?.people).toEqual([person('ben', { bot: true })]);
  });

  it('knows whose voice comes on which line', () => {
    expect(play(state)?.slots).toEqual([null, 'ann']);
    expect(play(state, { type: 'room.slot', resourceId: 'r', slot: 0, speaker: 'cy' })?.slots).toEqual(['cy', 'ann']);
    expect(play(state, { type: 'room.slot', resourceId: 'r', slot: 1, speaker: null })?.slots).toEqual([null, null]);
  });

  it('forgets a mute that ended while the connection was lost, and keeps the transcript', () => {
    const told = { reason: 'shouting', until: null, standingUrl: 'https://voice.studio.example/standing/c0de' };
    const muted: RoomStreamEvent = { type: 'room.muted', muted: true, ...told };
    expect(play(state, muted)?.silenced).toEqual(told);
    const view = play(state, message('1'), muted, state);
    expect(view?.silenced).toBeNull();
    expect(view?.transcript.map(({ id }) => id)).toEqual(['1']);
  });

  it('knows how long others hear you, until that is lifted', () => {
    const told = { secondsPerMinute: 20, reason: null, until: null, standingUrl: null };
    const limited: RoomStreamEvent = { type: 'room.limited', ...told };
    expect(play(state, limited)?.limited).toEqual(told);
    expect(play(state, limited, { ...limited, secondsPerMinute: null })?.limited).toBeNull();
    expect(play(state, limited, state)?.limited).toBeNull();
  });

  it('keeps the last 200 lines of the transcript', () => {
    const view = play(state, ...Array.from({ length: 205 }, (_, index) => message(String(index))));
    expect(view?.transcript).toHaveLength(200);
    expect(view?.transcript.at(-1)?.id).toBe('204');
  });

  it('empties the room when its carrier has died', () => {
    const view = play(state, { type: 'room.closed', reason: 'restarted', rejoin: true });
    expect(view).toMatchObject({ people: [], slots: [] });
  });
});
