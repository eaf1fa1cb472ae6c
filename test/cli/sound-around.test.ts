/** `sessions audio --around`: the sound around a line in one file, with the lines. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readWav } from '../../src/client/voice/wav-file.js';
import { settingsRoutes } from '../../src/contract/projects/settings.js';
import { type Message, sessionRoutes } from '../../src/contract/sessions/sessions.js';
import { commandLine } from '../support/cli.js';
import { startDaemon, type TestDaemon } from '../support/daemon.js';
import { toneWav } from '../support/tone.js';
import { writeBeside } from '../support/write-beside.js';

let daemon: TestDaemon;
let lines: Message[];
const began = Date.parse('2026-01-01T12:00:00.000Z');
const cli = commandLine(() => ({ EARSHOT_URL: daemon.url, EARSHOT_API_KEY: daemon.apiKey }));
const fileOf = (name: string) => join(daemon.dataDir, name);

beforeAll(async () => {
  daemon = await startDaemon();
  const params = { projectId: daemon.projectId };
  await daemon.client.call(settingsRoutes.debugAudio, { params, body: { enabled: true } });
  const room = { title: 'raid', externalRoomId: 'raid', autoStart: false };
  const { id } = await daemon.client.call(sessionRoutes.create, { params, body: room });
  for (const content of ['long before', 'just before', 'the line', 'at the same time', 'typed'])
    await daemon.client.call(sessionRoutes.say, {
      params: { ...params, id },
      body: { externalUserId: 'ann', content },
    });
  lines = await daemon.client.call(sessionRoutes.messages, { params: { ...params, id } });
  // Spoken for a second each at these seconds; the last was typed.
  const url = daemon.databaseUrl;
  const spoken = `UPDATE "Message" SET "timestamp" = ?, "startMs" = ?, "endMs" = ?, "audioFile" = ?,
    "audioExpiresAt" = '2099-01-01T00:00:00.000+00:00' WHERE "id" = ?`;
  for (const [index, second] of [0, 20, 22, 22.5].entries()) {
    const at = new Date(began + second * 1_000).toISOString().replace('Z', '+00:00');
    const [startMs, endMs] = [second * 1_000, second * 1_000 + 1_000];
    await writeBeside(url, spoken, at, startMs, endMs, `${index}.wav`, lines[index]?.id ?? '');
    writeFileSync(join(fileOf('audio'), `${index}.wav`), toneWav(1));
  }
  const typedAt = new Date(began + 24_000).toISOString().replace('Z', '+00:00');
  await writeBeside(url, `UPDATE "Message" SET "timestamp" = ? WHERE "id" = ?`, typedAt, lines[4]?.id ?? '');
});
afterAll(async () => {
  await daemon.stop();
  cli.dispose();
});

const audio = (file: string, around: string, message = lines[2]?.id ?? '') =>
  cli.run(['sessions', 'audio', 'raid', message, file, '--around', around]);
/** Loudest sample within 100 ms from this second on. */
const loudest = (file: string, second: number): number => {
  const sound = readWav(readFileSync(file));
  const from = Math.round(second * sound.rate);
  return Math.max(...Array.from({ length: sound.rate / 10 }, (_, index) => Math.abs(sound.at(from + index))));
};

describe('the sound around a line', () => {
  it('has everybody at their time, and the lines beside', async () => {
    const file = fileOf('heard.wav');
    const { code, stdout, stderr } = await audio(file, '5s');
    expect([code, stderr]).toEqual([0, expect.stringContaining('Sound of 3 of 4 lines')]);
    expect(stdout.split('\n').map((line) => line.replace(/^.*: /, ''))).toEqual([
      ...['just before', 'the line', 'at the same time', 'typed', ''],
    ]);
    const sound = readWav(readFileSync(file));
    expect(sound.length / sound.rate).toBe(3.5); // from 20 s on, until 23.5 s
    const one = loudest(file, 0);
    expect(one).toBeCloseTo(8_000 / 32_768, 2);
    expect(loudest(file, 1.5)).toBe(0); // nobody speaks
    expect(loudest(file, 2.1)).toBeCloseTo(one, 2);
    expect(loudest(file, 2.6)).toBeGreaterThan(one * 1.2); // two at the same time
    expect(readFileSync(fileOf('heard.srt'), 'utf8')).toContain('00:00:02,000 --> 00:00:03,000\nann: the line\n');
  });

  it('overwrites nothing', async () => {
    const { code, stderr } = await audio(fileOf('heard.wav'), '5s');
    expect([code, stderr]).toEqual([2, expect.stringContaining('already exists')]);
  });

  it('is refused where there is none, and for too long a time', async () => {
    const refused = async (message: string | undefined, around: string) =>
      (await audio(fileOf('none.wav'), around, message)).stderr;
    expect(await refused(lines[4]?.id, '0')).toContain('No sound of these lines is kept');
    expect(await refused('nothing-like-it', '5s')).toContain('has no message nothing-like-it');
    expect(await refused(lines[2]?.id, '11m')).toContain('up to 10m');
    expect(await refused(lines[2]?.id, '30')).toContain('has no unit');
  });
});
