/**
 * Moonshine, English speech recognition from the npm registry: its authors put the weights into packages for browsers. Nothing
 * of these packages is run or installed; files are taken out of their archives.
 */
import { availableParallelism, totalmem } from 'node:os';
import type { ListedModel } from './listed-model.js';

/** One version of a package, of which the archive is fetched. */
export interface NpmPackage {
  readonly name: string;
  readonly version: string;
  /** SHA-512 as the registry states it. */
  readonly integrity: string;
  /** Licence of what is taken from it. */
  readonly licence: string;
}

export interface NpmModel extends ListedModel {
  /** Has the encoder and the decoder, in this folder. */
  readonly weights: NpmPackage;
  readonly folder: string;
}

/** Has the vocabulary of both models. */
export const tokenizerPackage: NpmPackage = {
  ...{ name: 'llama-tokenizer-js', version: '1.2.2', licence: 'MIT' },
  integrity: 'sha512-Wmth393dc3odWU3IzARJ3r2oIfWgw9GdJ5Gm+hGhfECNO18UHLRqEFSf511jn4E9KcQGzuuKw4Wl08pHAemLAw==',
};
/** Has Silero's voice activity detector. */
export const sileroPackage: NpmPackage = {
  ...{ name: '@ricky0123/vad-web', version: '0.0.31', licence: 'MIT' },
  integrity: 'sha512-ePVq8TvB21sdHSxVMZOEIf9JVa7MAYpaIaNXeGgsPOiMCN8xbPCdF2LS5aYj7VRR3ZxzutedgV9ZplV65IA1Fg==',
};

const english = { licence: 'MIT', languages: ['en'], speed: 'fast' } as const;

/** The packages of version 0.1.16 have both models in one archive; from 0.1.18 on they have the small one alone. */
export const npmModels: readonly NpmModel[] = [
  {
    ...{ name: 'moonshine-base', ...english, bytes: 72_701_766, wrongWords: 10.07 },
    folder: 'package/dist/model/base/quantized',
    weights: {
      ...{ name: '@usefulsensors/moonshine-js', version: '0.1.16', licence: 'MIT' },
      integrity: 'sha512-iQIF4XHwyPxBm1l/ECJPjJLQj8RvlYj2guRsiUgrfa9vSE3gYXeaoV2DHjNgi7NIUTyl648AG2t+Ndbrj+L7TA==',
    },
  },
  {
    ...{ name: 'moonshine-tiny', ...english, bytes: 27_374_621, wrongWords: 12.66 },
    folder: 'package/dist/model/tiny/quantized',
    weights: {
      ...{ name: '@moonshine-ai/moonshine-js', version: '0.1.29', licence: 'MIT' },
      integrity: 'sha512-Gx1B3mJcbM68ihSy/LyJEuEkGq7sYMqTb04zNdcIeidU0URVlSmXP0GyiQOTTAqDZQXlIC7k+bky+FdXk0UPlg==',
    },
  },
];

/** Machines of 1 GiB report a little less or more. */
const smallMachineBytes = 1.25 * 1024 ** 3;

/** The model that a machine gets that asks for none by name: the small one where memory or cores are few. */
export function defaultNpmModel(
  memoryBytes = Math.min(totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY),
  cores = availableParallelism(),
): NpmModel {
  const name = memoryBytes <= smallMachineBytes || cores < 2 ? 'moonshine-tiny' : 'moonshine-base';
  const model = npmModels.find((one) => one.name === name);
  if (model === undefined) throw new Error(`The catalogue lacks ${name}.`);
  return model;
}

/** File name that `npm pack` gives an archive. */
export const archiveName = ({ name, version }: NpmPackage): string =>
  `${name.replace(/^@/, '').replace('/', '-')}-${version}.tgz`;

export const packagesOf = (model: NpmModel): readonly NpmPackage[] => [model.weights, tokenizerPackage, sileroPackage];
