/** `npm run bench -- speech --clips FOLDER`, with recordings that libsndfile wrote, and a small model beside pocketsphinx. */
import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, describe, expect, it } from 'vitest';
import { clip, speechForTests, spokenFile } from '../../support/speech-clips.js';

const here = fileURLToPath(new URL('.', import.meta.url));
const root = join(here, '../../..');
const run = promisify(execFile);
const speech = await speechForTests();
const folder = mkdtempSync(join(tmpdir(), 'earshot-bench-'));
afterAll(() => rmSync(folder, { recursive: true }));

const encoding = `
import sys, numpy, soundfile
sound, rate = soundfile.read('cards.wav')
soundfile.write('cards.flac', numpy.stack([numpy.repeat(sound, 3)] * 2, 1), 48000)
soundfile.write('cards.opus', sound, rate, format='OGG', subtype='OPUS')
`;

if (speech !== null)
  describe('npm run bench -- speech', () => {
    it('measures each recogniser on WAV, FLAC and Opus, and names what it leaves out', {
      timeout: 300_000,
    }, async () => {
      const [clips, models] = [join(folder, 'clips'), join(folder, 'speech', 'models')];
      for (const dir of [clips, models]) mkdirSync(dir, { recursive: true });
      symlinkSync(join(here, '.installed/models/zipformer'), join(models, 'zipformer'));
      writeFileSync(join(clips, 'cards.wav'), spokenFile(0.5, await clip(speech, 'cards/001'), 1));
      await run(join(here, '.installed/venv/bin/python'), ['-c', encoding], { cwd: clips });
      writeFileSync(join(clips, 'cards.txt'), 'Ten of clubs.\n');
      writeFileSync(join(clips, 'damaged.flac'), 'no sound');
      writeFileSync(join(clips, 'damaged.txt'), 'nothing');
      writeFileSync(join(clips, 'wordless.wav'), spokenFile(1));
      const picture = join(folder, 'bench.svg');
      const { stdout } = await run(
        process.execPath,
        ['bench/run.mjs', 'speech', '--clips', clips, '--picture', picture],
        { cwd: root, env: { ...process.env, EARSHOT_SPEECH_DIR: join(folder, 'speech') } },
      );
      expect(stdout).toContain('3 recordings, 9 words (clips)');
      const row = (name: string) => stdout.split('\n').find((line) => line.includes(`'${name}'`)) ?? '';
      expect(row('pocketsphinx')).toMatch(/'0 %'.*'\d\.\d{3}'.*'\d+ ms'.*'\d+ ms'.*'\d+ MB'/);
      expect(row('zipformer')).toMatch(/'\d+(\.\d)? %'.*'\d\.\d{3}'/); // random weights: anything but right
      expect(stdout).toMatch(/wordless\.wav is left out: .*wordless\.txt is missing/);
      expect(stdout).toContain('damaged.flac is left out: ');
      const svg = readFileSync(picture, 'utf8');
      for (const drawn of ['Wrong words', 'Delay p99', 'pocketsphinx', 'zipformer']) expect(svg).toContain(drawn);
    });
  });
