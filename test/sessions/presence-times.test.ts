/** People who come and leave while the daemon is busy: their times are those at which it happened. */
import { uuidv7 } from 'uuidv7';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { ParticipantDirectory } from '../../daemon/modules/people/directory.js';
import { FormerIdStore } from '../../daemon/modules/people/former-id-store.js';
import { loggedHistory } from '../../daemon/modules/people/logged-history.js';
import { ParticipantStore } from '../../daemon/modules/people/store.js';
import { noCounters } from '../../daemon/modules/sessions/bot/status.js';
import type { RoomChange } from '../../daemon/modules/sessions/heard-rooms.js';
import { MessageStore } from '../../daemon/modules/sessions/message-store.js';
import { MessageView } from '../../daemon/modules/sessions/message-view.js';
import { RoomPresence } from '../../daemon/modules/sessions/presence.js';
import { RecentErasures } from '../../daemon/modules/sessions/recent-erasures.js';
import { SessionStore, toSession } from '../../daemon/modules/sessions/store.js';
import { TranscriptService } from '../../daemon/modules/sessions/transcripts.js';
import { EventLog } from '../../daemon/platform/events/log.js';
import { LocalWakeUps } from '../../daemon/platform/events/wake-ups.js';
import { createLogger } from '../../daemon/platform/observability/logger.js';
import type { Session } from '../../src/contract/sessions/sessions.js';
import { openSqlite, type TestDatabase } from '../support/database.js';
import { eventually } from '../support/eventually.js';

const began = new Date('2026-01-01T00:00:00.000Z');
const later = (seconds: number) => new Date(began.getTime() + seconds * 1_000);
let clock: Date;
const now = () => clock;

let opened: TestDatabase;
let session: Session;
let log: EventLog;
let presence: RoomPresence;
let change: (event: RoomChange) => void;
/** Lets the daemon store what has happened. */
let storeIt: () => void;
beforeEach(async () => {
  clock = began;
  opened = await openSqlite();
  const { database } = opened;
  const [tenantId, projectId, id] = [uuidv7(), uuidv7(), uuidv7()];
  session = await database.transaction(async (tx) => {
    await tx.tenant.create({ data: { id: tenantId, name: 't', createdAt: began } });
    await tx.project.create({
      data: { id: projectId, tenantId, name: 'p', billingProjectId: projectId, createdAt: began },
    });
    const bot = { botWanted: true, botState: 'listening', botCause: null, botSince: began, botCounters: noCounters };
    const room = {
      ...{ externalRoomId: 'raid', gateway: 'g', title: 't', createdByUserId: 'k' },
      ...{ activeRoom: null, language: null },
    };
    const own = { id, tenantId, projectId, createdAt: began, status: 'active', idleTimeout: 0, endedAt: null };
    return toSession(await new SessionStore(database).insert(tx, { ...own, ...room, ...bot }));
  });
  log = new EventLog(database, new LocalWakeUps(), now);
  await log.start();
  const people = new ParticipantDirectory(new ParticipantStore(database), new FormerIdStore(database), log, now);
  const settings = { open: async () => null };
  const erasures = new RecentErasures(now);
  const transcripts = new TranscriptService({
    ...{ database, log, sessions: new SessionStore(database), messages: new MessageStore(database) },
    ...{ participants: people, rooms: { roomOf: async () => 'raid' }, erasures, now },
    writers: { policy: async () => ({ audible: true, banned: null, textSilenced: null, limited: null }) },
    view: new MessageView(settings, now),
  });
  const busy = new Promise<void>((resolve) => {
    storeIt = resolve;
  });
  const needs = {
    ...{ people, transcripts, erasures, role: { isHeld: true }, resumeIdled: async () => null },
    sessions: { activeIn: async () => session },
    projects: { tenantOf: () => busy.then(() => tenantId) },
  };
  presence = new RoomPresence(database, log, needs, createLogger('silent'));
  presence.start({
    onEvent: (listener) => {
      change = listener;
      return () => {};
    },
  });
});
afterEach(async () => {
  await presence.stop();
  await opened.close();
});

it('are kept beside the times of storing, and are those of transcript and history', async () => {
  const { projectId } = session;
  const room = { projectId, roomId: 'raid' };
  const peer = { externalUserId: 'u1', name: 'Ann', bot: false, observer: false };
  change({ type: 'peer.joined', room, peer, at: later(1) });
  change({ type: 'peer.left', room, peer, at: later(2), reason: 'left' });
  clock = later(6);
  storeIt();
  const events = async () =>
    (await log.timelines.ofSubject(projectId, 'u1', ['participant.joined', 'participant.left'], 10)).toReversed();
  await eventually(async () => expect(await events()).toHaveLength(2));
  expect(
    (await events()).map(({ type, timestamp, payload }) => ({ type, timestamp, ...(payload.data as object) })),
  ).toMatchObject([
    { type: 'participant.joined', timestamp: later(6).toISOString(), occurredAt: later(1).toISOString() },
    { type: 'participant.left', timestamp: later(6).toISOString(), occurredAt: later(2).toISOString() },
  ]);
  await eventually(async () => expect(await new MessageStore(opened.database).countOf(session.id)).toBe(2));
  expect(
    await log.timelines.latestOfSubjects(projectId, ['u1', 'u2'], ['participant.joined', 'participant.left']),
  ).toEqual(new Map([['u1', later(6).toISOString()]]));
  const lines = await new MessageStore(opened.database).list(session.id, null);
  expect(lines.map(({ content, timestamp }) => [content, timestamp])).toEqual([
    ['Ann joined', later(1)],
    ['Ann left', later(2)],
  ]);
  const subject = { projectId, id: 'p1', externalUserId: 'u1', joinedAt: began };
  const told = await loggedHistory(log)[0]?.read(subject, 10, { accounts: false });
  expect(told?.map(({ at }) => at).toSorted()).toEqual([later(1).toISOString(), later(2).toISOString()]);
});
