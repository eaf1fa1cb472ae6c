/** How the supervisor keeps bots in their rooms; the rooms and the sessions are the test's. */
import { expect, it } from 'vitest';
import { evidenceMemory } from '../../daemon/modules/sessions/bot/evidence-buffer.js';
import { loadVoiceActivity } from '../../daemon/modules/sessions/bot/voice-activity.js';
import type { VoiceRole } from '../../daemon/modules/sessions/room-takeover.js';
import type { BotStatus } from '../../daemon/modules/sessions/service.js';
import { BotSupervisor } from '../../daemon/modules/sessions/supervisor.js';
import { createLogger } from '../../daemon/platform/observability/logger.js';
import { Session } from '../../src/contract/sessions/sessions.js';
import { eventually } from '../support/eventually.js';
import { joined } from '../support/speech-clips.js';
import { OpenTap, spokenPackets } from '../support/spoken-packets.js';

const at = new Date().toISOString();
const counters = { peers: 0, packets: 0, missed: 0, speechSeconds: 0, utterances: 0, dropped: 0, failed: 0 };
const session = Session.parse({
  ...{ id: 's', tenantId: 't', projectId: 'p', externalRoomId: 'r', gateway: '', title: 's', createdByUserId: 'u' },
  ...{ createdAt: at, status: 'active', idleTimeout: 0, language: null, endedAt: null },
  bot: { state: 'joining', cause: null, since: at, counters },
});
const settings = {
  ...{
    tokenProvider: 'embedded',
    e2eEncryptionMode: 'disabled',
    e2eEncryptionPassword: null,
    debugAudioEnabled: false,
  },
  ...{ botUserId: null, botUserData: null, speechConfidenceMin: null, noSpeechProbabilityMax: null },
  ...{ speechLanguage: null, speechVocabulary: [] },
};

const roleOf = (isHeld: boolean) => ({ isHeld, isTakenOver: false, url: 'http://a', onChange: () => {} });

async function supervising(role: VoiceRole, opened: Promise<void> = Promise.resolve()) {
  const [taps, reported]: [OpenTap[], BotStatus[]] = [[], []];
  const newDetector = await loadVoiceActivity();
  const bots = new BotSupervisor({
    sessions: {
      wanted: async () => [session],
      reportBot: async (_project, _id, status) => void reported.push(status),
      endIdle: async () => {},
      resumeIdled: async () => null,
    },
    database: { version: () => null, transaction: () => Promise.reject(new Error('There is no database.')) },
    directory: { activeIn: async () => session },
    transcripts: { append: async () => ({}), note: async () => {} },
    settings: { open: () => opened.then(() => settings) },
    rooms: {
      problemOf: () => null,
      room: () => null,
      onEvent: () => () => {},
      tap: () => {
        const tap = new OpenTap();
        taps.push(tap);
        return tap;
      },
    },
    role,
    keys: { inForce: async () => null },
    evidence: evidenceMemory(0),
    evidenceSeconds: async () => 0,
    recordings: { write: async () => null, remove: async () => {} },
    partials: { isWanted: () => false, publish: () => {} },
    people: { byExternalIds: async () => [] },
    speech: { load: async () => ({ queue: null, newDetector }) },
    log: createLogger('silent'),
    now: () => new Date(),
  });
  await bots.start({ onEvents: () => () => {} });
  return { bots, taps, reported };
}

it('a bot that has lost its room is launched again, and hears what is said then', async () => {
  const { bots, taps, reported } = await supervising(roleOf(true));
  await eventually(() => expect(bots.states()).toMatchObject({ listening: 1 }));
  taps[0]?.close();
  await eventually(() => expect(reported).toContainEqual({ state: 'failed', cause: 'room_unreachable' }));
  await eventually(() => expect(taps).toHaveLength(2));
  await eventually(() => expect(bots.states()).toEqual({ failed: 0, listening: 1 }));
  taps[1]?.say(spokenPackets(joined(1), { externalUserId: 'u', startedAtMs: Date.now() }));
  await eventually(() =>
    expect(reported.at(-1)).toMatchObject({ state: 'listening', cause: 'recogniser_unavailable' }),
  );
  await bots.stop();
});

it('no bot is launched for rooms that another daemon has got meanwhile', async () => {
  const role = roleOf(true);
  let open: () => void = () => {};
  const { bots, taps } = await supervising(role, new Promise((resolve) => (open = resolve)));
  await new Promise((resolve) => setTimeout(resolve, 100)); // the settings of the project are being read
  role.isHeld = false;
  open();
  await bots.stop();
  expect(taps).toEqual([]);
});
