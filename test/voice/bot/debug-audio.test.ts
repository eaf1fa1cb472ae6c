import { mkdtemp, readdir, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { DebugAudio } from '../../../daemon/voice/bot/debug-audio.js';

const pcm = Int16Array.from({ length: 1_000 }, (_, index) => index - 500);
const fileBytes = 44 + 2_000;

describe('DebugAudio', () => {
  let folder: string;
  let audio: DebugAudio;
  beforeEach(async () => {
    folder = join(await mkdtemp(join(tmpdir(), 'earshot-test-')), 'audio');
    audio = new DebugAudio(folder, 2 * fileBytes);
    await audio.start();
  });
  afterEach(() => rm(join(folder, '..'), { recursive: true }));

  it('gives back a WAV file that nobody else can read', async () => {
    expect(await audio.write('m-1', pcm)).toBe(true);
    const file = await audio.read('m-1');
    expect(file?.toString('latin1', 0, 4)).toBe('RIFF');
    expect(file?.readUInt32LE(4)).toBe(fileBytes - 8);
    expect(file?.readUInt32LE(40)).toBe(2_000);
    expect(file?.readInt16LE(44)).toBe(-500);
    expect((await stat(join(folder, 'm-1.wav'))).mode & 0o777).toBe(0o600);
    expect((await stat(folder)).mode & 0o777).toBe(0o700);
  });

  it('has nothing for other messages', async () => {
    expect(await audio.read('m-2')).toBeNull();
  });

  it('keeps what fits into the quota, and more once something has gone', async () => {
    expect([await audio.write('a', pcm), await audio.write('b', pcm), await audio.write('c', pcm)]).toEqual([
      true,
      true,
      false,
    ]);
    expect(await audio.read('c')).toBeNull();
    await audio.remove('a');
    expect(await audio.write('c', pcm)).toBe(true);
  });

  it('counts after a restart what is there, without what was half written', async () => {
    await audio.write('a', pcm);
    await writeFile(join(folder, 'b.wav.part'), Buffer.alloc(fileBytes));
    const restarted = new DebugAudio(folder, 2 * fileBytes);
    await restarted.start();
    expect(await readdir(folder)).toEqual(['a.wav']);
    expect([await restarted.write('b', pcm), await restarted.write('c', pcm)]).toEqual([true, false]);
  });

  it('removes what is older than asked', async () => {
    await audio.write('old', pcm);
    await audio.write('new', pcm);
    await utimes(join(folder, 'old.wav'), new Date(), new Date('2026-01-01T00:00:00Z'));
    expect(await audio.removeBefore(new Date('2026-01-02T00:00:00Z'))).toBe(1);
    expect(await readdir(folder)).toEqual(['new.wav']);
  });

  it('takes nothing but an id for a file name', async () => {
    await expect(async () => audio.read('../secret')).rejects.toThrow('Not an id');
  });
});
