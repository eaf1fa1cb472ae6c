import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { unpackedPocketsphinx } from '../../../daemon/modules/sessions/recognisers/pocketsphinx-engine.js';
import { failureOf } from '../../../daemon/modules/sessions/recognisers/pocketsphinx-probe.js';
import { installSpeech } from '../../../daemon/modules/sessions/speech-install/install.js';
import { writeSample } from '../../../daemon/modules/sessions/speech-install/sample.js';
import { wavFile } from '../../../daemon/modules/sessions/wav.js';
import { clip, speechForTests } from '../../support/speech-clips.js';

const speech = await speechForTests();

describe.skipIf(speech === null)('speech install', { timeout: 300_000 }, () => {
  if (speech === null) return;
  let dataDir: string;
  const engineDir = () => join(dataDir, 'speech', 'pocketsphinx');
  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'earshot-test-'));
    await cp(join(speech.dataDir, 'speech'), join(dataDir, 'speech'), { recursive: true });
  });
  afterAll(() => rm(dataDir, { recursive: true }));

  it('finds what is there and fetches nothing', async () => {
    const result = await installSpeech({ speechDir: join(dataDir, 'speech'), path: '' });
    expect(result).toMatchObject({ ok: true, engine: 'pocketsphinx', fetched: false });
  });

  it('replaces an engine that does not work, past the remains of an interrupted run', async () => {
    await rm(join(engineDir(), 'usr/share/pocketsphinx/model/en-us/en-us/mdef'));
    const broken = await unpackedPocketsphinx(engineDir());
    expect(broken === null ? null : await failureOf(broken)).toMatch(/^pocketsphinx: /);
    await mkdir(join(dataDir, 'speech/.unpacking/usr/bin'), { recursive: true });
    await mkdir(join(dataDir, 'speech/.incoming'));
    await writeFile(join(dataDir, 'speech/.incoming/pocketsphinx_0_amd64.deb'), 'half');

    const progress: number[] = [];
    const onProgress = ({ fetchedBytes, totalBytes }: { fetchedBytes: number; totalBytes: number }) =>
      progress.push(fetchedBytes / totalBytes);
    const result = await installSpeech({ speechDir: join(dataDir, 'speech'), path: '', onProgress });

    expect(result).toEqual({ ok: true, engine: 'pocketsphinx', location: engineDir(), fetched: true });
    expect(progress.at(-1)).toBe(1);
    const mended = await unpackedPocketsphinx(engineDir());
    expect(mended === null ? 'missing' : await failureOf(mended)).toBeNull();
    expect(await readdir(join(dataDir, 'speech'))).toEqual(['pocketsphinx']);
  });

  it('writes a sample to speak with', async () => {
    const file = join(dataDir, 'sample.wav');
    await writeSample(file);
    expect(await readFile(file)).toEqual(wavFile(await clip(speech, 'goforward'), 16_000));
  });
});
