import { mkdir, mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { DebugAudio } from '../../../daemon/modules/sessions/bot/debug-audio.js';

const pcm = Int16Array.from({ length: 1_000 }, (_, index) => index - 500);
const fileBytes = 44 + 2_000;

describe('DebugAudio', () => {
  let folder: string;
  let audio: DebugAudio;
  beforeEach(async () => {
    folder = join(await mkdtemp(join(tmpdir(), 'earshot-test-')), 'audio');
    audio = new DebugAudio(folder, () => 2 * fileBytes);
    await audio.start();
  });
  afterEach(() => rm(join(folder, '..'), { recursive: true }));

  it('gives back a WAV file that nobody else can read', async () => {
    const path = audio.pathOf((await audio.write(pcm)) ?? '');
    const file = await readFile(path);
    expect(file.toString('latin1', 0, 4)).toBe('RIFF');
    expect(file.readUInt32LE(4)).toBe(fileBytes - 8);
    expect(file.readUInt32LE(40)).toBe(2_000);
    expect(file.readInt16LE(44)).toBe(-500);
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect((await stat(folder)).mode & 0o777).toBe(0o700);
  });

  it('keeps what fits into the quota, and more once something has gone', async () => {
    const [first] = [await audio.write(pcm), await audio.write(pcm)];
    expect(await audio.write(pcm)).toBeNull();
    expect(await readdir(folder)).toHaveLength(2);
    await audio.remove(first ?? '');
    expect(await audio.write(pcm)).not.toBeNull();
  });

  it('counts after a restart what is there, without what was half written', async () => {
    const kept = await audio.write(pcm);
    await writeFile(join(folder, 'b.wav.part'), Buffer.alloc(fileBytes));
    const restarted = new DebugAudio(folder, () => 2 * fileBytes);
    await restarted.start();
    expect(await readdir(folder)).toEqual([kept]);
    expect([await restarted.write(pcm), await restarted.write(pcm)]).toEqual([expect.any(String), null]);
  });

  it('names what is older than asked', async () => {
    const [old] = [(await audio.write(pcm)) ?? '', await audio.write(pcm)];
    await utimes(audio.pathOf(old), new Date(), new Date('2026-01-01T00:00:00Z'));
    expect(await audio.namesBefore(new Date('2026-01-02T00:00:00Z'))).toEqual([old]);
  });

  it('removes twice what is there once, and counts it once', async () => {
    const name = (await audio.write(pcm)) ?? '';
    await Promise.all([audio.remove(name), audio.remove(name)]);
    await audio.remove(name);
    expect([await audio.write(pcm), await audio.write(pcm), await audio.write(pcm)]).toEqual([
      expect.any(String),
      expect.any(String),
      null,
    ]);
  });

  it('fails where the folder is gone, and has the quota for later', async () => {
    await rm(folder, { recursive: true });
    for (const _ of [1, 2, 3]) await expect(audio.write(pcm)).rejects.toMatchObject({ code: 'ENOENT' });
    await mkdir(folder);
    expect(await audio.write(pcm)).not.toBeNull();
  });

  it('says so when a file cannot be removed', async () => {
    const name = (await audio.write(pcm)) ?? '';
    await rm(audio.pathOf(name));
    await mkdir(audio.pathOf(name));
    await expect(audio.remove(name)).rejects.toMatchObject({ code: expect.stringMatching(/EISDIR|EPERM/) });
  });

  it('takes nothing but its own names', () => {
    expect(() => audio.pathOf('../secret.wav')).toThrow('Not a recording');
  });
});
