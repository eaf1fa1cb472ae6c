/** The last seconds of sound of a room: in memory until somebody reports, stored then, and gone when their time is over. */
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { EvidenceBuffer, evidenceMemory } from '../../daemon/modules/sessions/bot/evidence-buffer.js';
import { mixSounds } from '../../daemon/modules/sessions/evidence-sound.js';
import { requestAccess } from '../../src/client/room/request-access.js';
import { RoomEvents } from '../../src/client/room/room-events.js';
import { RoomPublisher } from '../../src/client/voice/publisher.js';
import { speechFrames } from '../../src/client/voice/speech-frames.js';
import { type Recording, readWav } from '../../src/client/voice/wav-file.js';
import { auditRoutes } from '../../src/contract/audit/audit.js';
import { personRoutes } from '../../src/contract/people/person.js';
import { personMoveRoutes } from '../../src/contract/people/person-moves.js';
import { settingsRoutes } from '../../src/contract/projects/settings.js';
import { caseRoutes } from '../../src/contract/reports/cases.js';
import { reportSettingsRoutes } from '../../src/contract/reports/report-settings.js';
import { reportRoutes } from '../../src/contract/reports/reports.js';
import { sessionRoutes } from '../../src/contract/sessions/sessions.js';
import { commandLine } from '../support/cli.js';
import { startDaemon, type TestDaemon } from '../support/daemon.js';
import { eventually } from '../support/eventually.js';
import { tone, toneWav } from '../support/tone.js';
import { unzipped } from '../support/unzipped.js';
import { rowsBeside, writeBeside } from '../support/write-beside.js';

const dayMs = 86_400_000;
const patienceMs = 20_000;
let aheadMs = 0;
let daemon: TestDaemon;
const closing: { close(): void }[] = [];
beforeAll(async () => {
  daemon = await startDaemon({
    now: () => new Date(Date.now() + aheadMs),
    settings: { EARSHOT_TRANSCRIBER: 'off', EARSHOT_EVIDENCE_SECONDS: '10', EARSHOT_EVIDENCE_RETENTION_DAYS: '7' },
  });
});
afterEach(() => {
  for (const one of closing.splice(0)) one.close();
});
afterAll(() => daemon.stop());

const params = () => ({ projectId: daemon.projectId });
const hold = (evidenceSeconds: number) =>
  daemon.admin.call(reportSettingsRoutes.update, { params: params(), body: { evidenceSeconds } });
const report = (externalUserId: string, roomId: string, lastSeconds: number | null = 60) =>
  daemon.admin.call(reportRoutes.create, {
    params: params(),
    body: {
      ...{ externalUserId, roomId, category: 'threats', reporterUserId: `reporter-of-${externalUserId}` },
      ...(lastSeconds === null ? {} : { evidence: { lastSeconds } }),
    },
  });
const soundOf = async (id: string) =>
  (await daemon.admin.call(reportRoutes.get, { params: { ...params(), id } })).sound;
const audioOf = async (id: string, query: { externalUserId?: string } = {}) => {
  const answer = await daemon.admin.fetch(reportRoutes.audio, { params: { ...params(), id }, query });
  expect(answer.headers.get('content-disposition')).toMatch(/^attachment; filename=[a-z]+-\d{4}-\d\d-\d\d\.wav$/);
  return readWav(new Uint8Array(await answer.arrayBuffer()));
};
/** What the database holds of sound. */
const stored = () => rowsBeside(daemon.databaseUrl, 'SELECT "sealed" FROM "ReportSound"');

/** A room with a bot and somebody in it who has spoken for two seconds. */
async function spokenIn(roomId: string, userId: string) {
  const body = { title: roomId, externalRoomId: roomId };
  const session = await daemon.client.call(sessionRoutes.create, { params: params(), body });
  const path = { ...params(), id: session.id };
  await eventually(async () => {
    expect((await daemon.client.call(sessionRoutes.get, { params: path })).bot.state).toBe('listening');
  }, patienceMs);
  const access = await requestAccess(daemon.client, daemon.projectId, { roomId, userId });
  const publisher = new RoomPublisher(access);
  await publisher.join();
  const told: (number | undefined)[] = [];
  const events = new RoomEvents(access);
  closing.push(events, { close: () => void publisher.leave() });
  events.subscribe((event) => {
    const people = event.type === 'room.state' ? event.people : event.type === 'room.peer' ? [event.person] : [];
    told.push(...people.filter(({ bot }) => bot).map(({ keepsSeconds }) => keepsSeconds));
  });
  await events.open();
  const speak = () => publisher.play(speechFrames(tone(2), 0));
  await speak();
  return { told, speak };
}

/** How much of the sound is a tone of this frequency, from 0 to about 1. */
function shareOf({ rate, length, at }: Recording, hertz: number): number {
  let [cos, sin, power] = [0, 0, 0];
  for (let index = 0; index < length; index++) {
    const [sample, angle] = [at(index), (2 * Math.PI * hertz * index) / rate];
    cos += sample * Math.cos(angle);
    sin += sample * Math.sin(angle);
    power += sample * sample;
  }
  return (2 * (cos * cos + sin * sin)) / (length * Math.max(power, 1e-9));
}

describe('the sound of the last seconds', { timeout: 90_000 }, () => {
  it('is not held, nor stored, where the project does not ask for it', async () => {
    const { told } = await spokenIn('quiet', 'ann');
    const { id } = await report('ann', 'quiet');
    await eventually(() => expect(told.length).toBeGreaterThan(0));
    expect(told.every((seconds) => seconds === undefined)).toBe(true);
    expect(await soundOf(id)).toEqual([]);
    expect(await stored()).toEqual([]);
    await expect(audioOf(id)).rejects.toMatchObject({ status: 404, code: 'report_audio_not_found' });
  });

  it('goes when its speaker is erased, which a legal hold stops, and is held no longer once it is turned off', async () => {
    await hold(5);
    const { told, speak } = await spokenIn('brief', 'cleo');
    await eventually(() => expect(told).toContain(5));
    await speak();
    const { id, caseId } = await report('dora', 'brief');
    await eventually(async () => expect((await soundOf(id)).map((one) => one.externalUserId)).toEqual(['cleo']));
    const cli = commandLine(() => ({ EARSHOT_URL: daemon.url, EARSHOT_API_KEY: daemon.apiKey }));
    const archive = join(daemon.dataDir, 'incident.zip');
    expect(await cli.run(['cases', 'export', caseId ?? '', '--out', archive])).toMatchObject({ code: 0 });
    cli.dispose();
    const exported = unzipped(readFileSync(archive));
    rmSync(archive);
    const sound = exported.get(`sound/${id}.wav`);
    expect(shareOf(readWav(new Uint8Array(sound ?? [])), 440)).toBeGreaterThan(0.5);
    expect(exported.get('incident.html')?.toString()).toContain(`<audio controls src="sound/${id}.wav">`);
    await hold(0);
    await eventually(() => expect(told.at(-1)).toBeUndefined(), patienceMs);
    await speak();
    const later = await report('eve', 'brief');
    const erase = () => daemon.client.call(personRoutes.erase, { params: { ...params(), user: 'cleo' } });
    const held = { params: { ...params(), id: caseId ?? '' } };
    await daemon.admin.call(caseRoutes.hold, { ...held, body: { reason: 'LG Bonn, 3 O 12/26' } });
    await expect(erase()).rejects.toMatchObject({ code: 'legal_hold' });
    await daemon.admin.call(caseRoutes.liftHold, held);
    await erase();
    expect(await soundOf(id)).toEqual([]);
    expect(await soundOf(later.id)).toEqual([]);
    expect(await stored()).toEqual([]);
  });

  it('is that of somebody who was moved since they spoke, under their new id', async () => {
    await hold(10);
    const { told, speak } = await spokenIn('moved', 'ivy');
    await eventually(() => expect(told).toContain(10));
    await speak();
    const body = { externalUserId: 'ivy-joined' };
    await daemon.admin.call(personMoveRoutes.move, { params: { ...params(), user: 'ivy' }, body });
    const { id } = await report('jon', 'moved');
    const named = async () => (await soundOf(id)).map((one) => one.externalUserId);
    await eventually(async () => expect(await named()).toEqual(['ivy-joined']), patienceMs);
    expect(shareOf(await audioOf(id), 440)).toBeGreaterThan(0.5);
    await daemon.admin.call(personRoutes.erase, { params: { ...params(), user: 'ivy-joined' } });
    await hold(0);
  });

  it('is that of debug audio around a named message, and stays when the recording goes', async () => {
    const body = { title: 'kept', externalRoomId: 'kept', autoStart: false };
    const keepAudio = (enabled: boolean) =>
      daemon.admin.call(settingsRoutes.debugAudio, { params: params(), body: { enabled } });
    await daemon.admin.call(settingsRoutes.put, { params: params(), body: { tokenProvider: 'embedded' } });
    await keepAudio(true);
    const session = await daemon.client.call(sessionRoutes.create, { params: params(), body });
    const say = (externalUserId: string) =>
      daemon.client.call(sessionRoutes.say, {
        params: { ...params(), id: session.id },
        body: { externalUserId, content: 'words' },
      });
    const [named, silent] = [await say('gus'), await say('hal')];
    // As the bot leaves an utterance.
    const file = join(daemon.dataDir, 'audio', 'recorded.wav');
    writeFileSync(file, toneWav(2));
    const expiresAt = new Date(Date.now() + dayMs).toISOString().replace('Z', '+00:00');
    const update = `UPDATE "Message" SET "audioFile" = 'recorded.wav', "audioExpiresAt" = ? WHERE "id" = ?`;
    await writeBeside(daemon.databaseUrl, update, expiresAt, named.id);
    const reporting = (id: string) =>
      daemon.admin.call(reportRoutes.create, {
        params: params(),
        body: { category: 'threats', reporterUserId: `by-${id}`, evidence: { messageIds: [id] } },
      });
    const { id } = await reporting(named.id);
    await eventually(
      async () => expect((await soundOf(id)).map((one) => one.externalUserId)).toEqual(['gus']),
      patienceMs,
    );
    rmSync(file);
    const heard = await audioOf(id);
    expect(heard.length / heard.rate).toBeCloseTo(2, 1);
    expect(shareOf(heard, 440)).toBeGreaterThan(0.1);
    for (const { sealed } of await stored()) expect(sealed).toMatch(/^s1[.:]/);
    await keepAudio(false);
    const later = await reporting(silent.id);
    await daemon.admin.call(personRoutes.erase, { params: { ...params(), user: 'gus' } });
    expect([await soundOf(id), await soundOf(later.id), await stored()]).toEqual([[], [], []]);
  });

  it('is announced, stored only with a report, encrypted, and played to moderators', async () => {
    await hold(60);
    const { told, speak } = await spokenIn('loud', 'bob');
    await eventually(() => expect(told).toContain(10)); // the operator's maximum
    await speak();
    expect(await stored()).toEqual([]);

    const unasked = await report('amy', 'loud', null);
    const { id, caseId } = await report('bob', 'loud');
    const [sound] = await eventually(async () => {
      const found = await soundOf(id);
      expect(found).toHaveLength(1);
      return found;
    }, patienceMs);
    expect(await soundOf(unasked.id)).toEqual([]);
    expect(sound).toMatchObject({ externalUserId: 'bob' });
    expect(sound?.seconds).toBeGreaterThan(1.5);
    expect(sound?.seconds).toBeLessThan(11);
    const heard = await audioOf(id);
    expect(heard.length / heard.rate).toBeGreaterThan(1.5);
    expect(shareOf(heard, 440)).toBeGreaterThan(0.1);
    expect(shareOf(heard, 950)).toBeLessThan(0.05);
    await expect(audioOf(id, { externalUserId: 'ann' })).rejects.toMatchObject({ code: 'report_audio_not_found' });
    for (const { sealed } of await stored()) expect(sealed).toMatch(/^s1[.:]/);

    const { entries } = await daemon.admin.call(auditRoutes.list, { params: params(), query: {} });
    expect(entries.map(({ action }) => action)).toContain('getReportAudio');

    const decision = { decision: 'no_action' as const, reasonCode: 'no_violation' as const };
    await daemon.admin.call(caseRoutes.decide, { params: { ...params(), id: caseId ?? '' }, body: decision });
    expect((await audioOf(id)).length).toBe(heard.length);
    const undecided = await report('ben', 'loud');
    const upheld = await report('cid', 'loud');
    for (const one of [undecided, upheld])
      await eventually(async () => expect(await soundOf(one.id)).toHaveLength(1), patienceMs);
    const measure = {
      ...({ decision: 'sanction', reasonCode: 'violation' } as const),
      sanction: { type: 'mute', duration: 60 } as const,
    };
    await daemon.admin.call(caseRoutes.decide, { params: { ...params(), id: upheld.caseId ?? '' }, body: measure });
    aheadMs += 8 * dayMs;
    await daemon.restart();
    await eventually(async () => expect(await stored()).toHaveLength(2), patienceMs);
    await expect(audioOf(id)).rejects.toMatchObject({ code: 'report_audio_not_found' });
    expect(await soundOf(undecided.id)).toHaveLength(1);
    aheadMs += 173 * dayMs;
    await daemon.restart();
    await eventually(async () => expect(await stored()).toHaveLength(1), patienceMs);
    expect(await soundOf(upheld.id)).toHaveLength(1); // its sanction can still be appealed against
    aheadMs += 20 * dayMs;
    await eventually(async () => {
      await daemon.restart();
      expect(await stored()).toEqual([]);
    }, patienceMs);
  });
});

describe('sound of several people', () => {
  it('is mixed at its times, with longer silence cut', async () => {
    const sound = (atMs: number) => ({ startedAt: new Date(atMs), durationMs: 1_000, packed: Buffer.from(toneWav(1)) });
    const seconds = async (...at: number[]) => {
      const { length, rate } = readWav(new Uint8Array(await mixSounds(at.map(sound))));
      return length / rate;
    };
    expect(await seconds(0)).toBeCloseTo(1, 2);
    expect(await seconds(1_500, 0)).toBeCloseTo(2.5, 2);
    expect(await seconds(0, 500, 3_600_000, 7_200_000)).toBeCloseTo(1.5 + 2 + 1 + 2 + 1, 2);
  });
});

describe('the memory for it', () => {
  const packet = (publicationId: string, arrivedAtMs: number, bytes: number, audible = true) => ({
    ...{ externalUserId: publicationId, publicationId, audible, sequence: 0, timestamp: arrivedAtMs * 48, arrivedAtMs },
    payload: new Uint8Array(bytes),
  });
  const framesOf = (buffer: EvidenceBuffer, nowMs: number) =>
    Object.fromEntries(
      buffer.held(new Date(nowMs)).map(({ externalUserId, frames }) => [externalUserId, frames.length]),
    );

  it('is bounded by time, by speaker, and for all rooms; the oldest sound goes first', () => {
    const memory = evidenceMemory(100_000);
    const [one, other] = [new EvidenceBuffer(memory, 'tenant'), new EvidenceBuffer(memory, 'other')];
    one.keep(1);
    for (let at = 0; at < 3_000; at += 20) one.push(packet('ann', at, 100), null);
    expect(framesOf(one, 3_000)).toEqual({ ann: 50 });
    for (let at = 3_000; at < 3_020; at += 1) one.push(packet('ben', at, 1_000), null);
    expect(framesOf(one, 3_020)).toEqual({ ann: 49, ben: 8 }); // 8 KiB for a second
    one.push(packet('eve', 3_020, 100, false), null);
    expect(framesOf(one, 3_020)).not.toHaveProperty('eve');

    other.keep(1);
    for (let at = 3_000; at < 3_020; at += 1) other.push(packet('cleo', at, 1_000), null);
    expect(memory.taken).toBeLessThanOrEqual(100_000);
    expect(framesOf(other, 3_020).cleo).toBeGreaterThan(0);
    one.keep(0);
    expect(one.held(new Date(3_020))).toEqual([]);
    other.keep(0);
    expect(memory.taken).toBe(0);
  });

  it('holds nothing for longer where the clock is set back', () => {
    const buffer = new EvidenceBuffer(evidenceMemory(100_000), 'tenant');
    buffer.keep(30);
    buffer.push(packet('ann', 3_600_000, 100), null);
    expect(framesOf(buffer, 3_600_000)).toEqual({ ann: 1 });
    buffer.push(packet('ann', 5_000, 100), null); // an hour was set back
    expect(framesOf(buffer, 5_000)).toEqual({ ann: 1 });
    expect(framesOf(buffer, 40_000)).toEqual({});
  });

  it('leaves a share to every tenant', () => {
    const memory = evidenceMemory(50_000);
    const [greedy, other] = [new EvidenceBuffer(memory, 'greedy'), new EvidenceBuffer(memory, 'other')];
    for (const buffer of [greedy, other]) buffer.keep(60);
    for (let one = 0; one < 100; one++) greedy.push(packet(`speaker ${one}`, one, 1_000), null);
    const alone = memory.taken;
    expect(alone).toBeGreaterThan(20_000);
    expect(alone).toBeLessThanOrEqual(25_000 + 1_512); // half of it, and one frame
    for (let at = 0; at < 4; at++) other.push(packet('ann', at, 1_000), null);
    expect(framesOf(other, 4)).toEqual({ ann: 4 });
    for (const buffer of [greedy, other]) buffer.keep(0);
    expect(memory.taken).toBe(0);
  });

  it('counts what small frames take in memory, not their bytes alone', () => {
    const memory = evidenceMemory(100_000);
    const buffer = new EvidenceBuffer(memory, 'tenant');
    buffer.keep(60);
    for (let at = 0; at < 1_000; at += 1) buffer.push(packet('ann', at, 3), null);
    expect(framesOf(buffer, 1_000).ann).toBeLessThan(200);
  });
});
