/** Words that reach the transcript after their speaker was erased, or moved. */
import { mkdtempSync, rmSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { uuidv7 } from 'uuidv7';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { ParticipantDirectory } from '../../daemon/modules/people/directory.js';
import { FormerIdStore } from '../../daemon/modules/people/former-id-store.js';
import { ParticipantStore } from '../../daemon/modules/people/store.js';
import { DebugAudio } from '../../daemon/modules/sessions/bot/debug-audio.js';
import { noCounters } from '../../daemon/modules/sessions/bot/status.js';
import { eraseWords } from '../../daemon/modules/sessions/erasure.js';
import { HeardUtterances } from '../../daemon/modules/sessions/heard-utterances.js';
import { MessageStore, toMessage } from '../../daemon/modules/sessions/message-store.js';
import { MessageView } from '../../daemon/modules/sessions/message-view.js';
import { RecentErasures } from '../../daemon/modules/sessions/recent-erasures.js';
import { unstated } from '../../daemon/modules/sessions/recognisers/transcriber.js';
import { SessionStore, toSession } from '../../daemon/modules/sessions/store.js';
import { TranscriptService } from '../../daemon/modules/sessions/transcripts.js';
import { EventLog } from '../../daemon/platform/events/log.js';
import { LocalWakeUps } from '../../daemon/platform/events/wake-ups.js';
import { createLogger } from '../../daemon/platform/observability/logger.js';
import type { Session } from '../../src/contract/sessions/sessions.js';
import { openSqlite, type TestDatabase } from '../support/database.js';

const begin = Date.parse('2026-01-01T00:00:00.000Z');
let seconds: number;
const now = () => new Date(begin + seconds * 1_000);
const at = new Date(begin);

let opened: TestDatabase;
let folder: string;
let session: Session;
let people: ParticipantDirectory;
let store: ParticipantStore;
let heard: HeardUtterances;
let words: ReturnType<typeof eraseWords>;
beforeEach(async () => {
  seconds = 0;
  opened = await openSqlite();
  folder = mkdtempSync(join(tmpdir(), 'earshot-test-'));
  const { database } = opened;
  const [tenantId, projectId, id] = [uuidv7(), uuidv7(), uuidv7()];
  session = await database.transaction(async (tx) => {
    await tx.tenant.create({ data: { id: tenantId, name: 't', createdAt: at } });
    await tx.project.create({
      data: { id: projectId, tenantId, name: 'p', billingProjectId: projectId, createdAt: at },
    });
    const bot = { botWanted: true, botState: 'listening', botCause: null, botSince: at, botCounters: noCounters };
    const room = {
      externalRoomId: 'r',
      gateway: 'g',
      title: 't',
      createdByUserId: 'k',
      activeRoom: null,
      language: null,
    };
    const own = { id, tenantId, projectId, createdAt: at, status: 'active', idleTimeout: 0, endedAt: null };
    return toSession(await new SessionStore(database).insert(tx, { ...own, ...room, ...bot }));
  });
  const log = new EventLog(database, new LocalWakeUps(), now);
  await log.start();
  store = new ParticipantStore(database);
  people = new ParticipantDirectory(store, new FormerIdStore(database), log, now);
  const settings = {
    open: async () => ({ debugAudioEnabled: true, speechConfidenceMin: null, noSpeechProbabilityMax: null }),
  };
  const view = new MessageView(settings, now);
  const recordings = new DebugAudio(folder, () => 1_000_000);
  const messages = new MessageStore(database);
  const erasures = new RecentErasures(now);
  words = eraseWords(database, messages, recordings, erasures);
  const sessions = new SessionStore(database);
  const transcripts = new TranscriptService({
    database,
    log,
    sessions,
    messages,
    participants: people,
    rooms: { roomOf: async () => 'room' },
    writers: { policy: async () => ({ audible: true, banned: null, textSilenced: null, limited: null }) },
    view,
    erasures,
    now,
  });
  heard = new HeardUtterances(transcripts, settings, recordings, createLogger('silent'));
});
afterEach(async () => {
  await opened.close();
  rmSync(folder, { recursive: true, force: true });
});

const speaks = (externalUserId: string, content: string, spokenAt: Date, isThere = false) =>
  heard.store(
    session,
    {
      ...{ externalUserId, content, spokenAt, status: 'recognised', startMs: 0, endMs: 900, language: 'en' },
      asr: {
        ...unstated,
        engine: 'sherpa',
        quality: 'good',
        confidence: 0.8,
        words: [],
        alternatives: [],
        signal: null,
      },
      ...{ shadowMuted: false, audio: new Int16Array(160) },
    },
    isThere ? [{ externalUserId, name: 'Ann', bot: false, observer: false }] : [],
  );
const enter = (externalUserId: string) => {
  const { tenantId, projectId } = session;
  return opened.database.transaction((tx) => people.ensure(tx, { tenantId, projectId, externalUserId }));
};
const erase = async (externalUserId: string) => {
  const { id } = await enter(externalUserId);
  await opened.database.transaction(async (tx) => {
    await words.afterLog?.(tx, session.projectId, {
      id,
      externalUserId,
      displayName: externalUserId,
      heldIds: [],
      aheadTo: 0n,
    });
    await store.erase(tx, id);
  });
  await words.afterCommit?.(session.projectId, externalUserId);
};
const stored = () => opened.database.read.message.findMany({ where: { sessionId: session.id } });

it('are dropped with their sound, and bring nobody back', async () => {
  await enter('u1');
  const before = now();
  seconds = 1;
  await erase('u1');
  await speaks('u1', 'said before', before);
  await speaks('u1', 'said before', before, true); // back in the room already
  await enter('u1'); // and a person of the project again
  await speaks('u1', 'said before', before, true);
  expect([await stored(), await readdir(folder)]).toEqual([[], []]);

  seconds = 2;
  await speaks('u1', 'said after', now(), true);
  expect((await stored()).map(({ content }) => content)).toEqual(['said after']);
});

it('are dropped where nobody knows any more who spoke', async () => {
  await speaks('u1', 'said by a stranger', now());
  expect([await stored(), await opened.database.read.participant.count()]).toEqual([[], 0]);
  await speaks('u1', 'said by a guest', now(), true);
  expect((await stored()).map(({ senderName }) => senderName)).toEqual(['Ann']);
});

it('are stored with how sure the recogniser was, and left out of summaries where that is too little', async () => {
  await speaks('u1', 'push the lane', now(), true);
  await speaks('u1', 'Subtitles by the Amara.org community', now(), true);
  const rows = await stored();
  expect(rows.map((row) => toMessage(row, now()).asr)).toEqual([
    expect.objectContaining({ engine: 'sherpa', confidence: 0.8, unheard: null }),
    expect.objectContaining({ engine: 'sherpa', confidence: 0.8, unheard: 'phantom' }),
  ]);
  const lines = await new MessageStore(opened.database).lines(session.projectId, session.id, 10);
  expect(lines.map(({ content }) => content)).toEqual(['push the lane']);
});

it('are stored under the id that their speaker has since', async () => {
  const { id } = await enter('old');
  const { projectId } = session;
  await opened.database.transaction(async (tx) => {
    await store.update(tx, id, { externalUserId: 'new' });
    const former = {
      projectId,
      participantId: id,
      externalUserId: 'old',
      formerId: id,
      movedAt: now(),
      firstIdAfter: null,
    };
    await new FormerIdStore(opened.database).add(tx, former);
  });
  await speaks('old', 'said before the move', now());
  expect(await stored()).toMatchObject([{ participantId: id, externalUserId: 'new' }]);
});
