/** The generators of clients that the OpenAPI document is tried with, and how each is called. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export const folder = import.meta.dirname;
export const installed = join(folder, '.installed');

export interface Generator {
  readonly name: string;
  readonly language: string;
  readonly version: () => string;
  /** Folder of this one with the program that makes the calls, and where it is compiled in `.installed`. */
  readonly sources: string;
  /** Files of `sources`; default: all of them. */
  readonly files?: readonly string[];
  /** Command lines, run where copies of the sources lie beside `openapi.json` and `openapi-3.0.json`. */
  readonly generate: string;
  readonly compile?: string;
  readonly run: string;
}

const npmVersion = (name: string) => () =>
  String(
    (
      JSON.parse(readFileSync(join(installed, 'typescript/node_modules', name, 'package.json'), 'utf8')) as {
        version: string;
      }
    ).version,
  );

const typescript = (name: string, generate: string, packageName = name): Generator => ({
  name: packageName,
  language: 'TypeScript',
  version: npmVersion(packageName),
  sources: 'typescript',
  files: ['calls.ts', `${name}.ts`, 'tsconfig.json'],
  generate,
  compile: `tsc -p . && rolldown ${name}.ts --file out/calls.mjs --platform node --log-level silent`,
  run: 'node out/calls.mjs',
});

const light = '--global-property apiTests=false,modelTests=false,apiDocs=false,modelDocs=false';
const openapiGenerator = (
  language: string,
  name: string,
  rest: Omit<Generator, 'name' | 'language' | 'version' | 'generate'>,
  options = '',
) => ({
  name: `openapi-generator ${name}`,
  language,
  version: () => '7.25.0',
  generate: `openapi-generator generate -i openapi-3.0.json -g ${name} -o generated ${options}${light}`,
  ...rest,
});

export const generators: readonly Generator[] = [
  typescript('openapi-typescript', 'openapi-typescript openapi.json -o generated/schema.ts'),
  typescript(
    'hey-api',
    'openapi-ts -i ./openapi.json -o generated -c @hey-api/client-fetch --no-log-file -s',
    '@hey-api/openapi-ts',
  ),
  typescript('orval', 'orval --input ./openapi.json --output ./generated/client.ts --client fetch'),
  typescript(
    'openapi-typescript-codegen',
    'node ../../node_modules/openapi-typescript-codegen/bin/index.js --input openapi.json --output generated --client fetch',
  ),
  typescript('swagger-typescript-api', 'swagger-typescript-api generate -p openapi.json -o generated -n client.ts'),
  typescript('openapi-zod-client', 'openapi-zod-client openapi.json -o generated/client.ts'),
  typescript('oazapfts', 'oazapfts openapi.json generated/client.ts'),
  {
    ...typescript('typescript-fetch', ''),
    ...openapiGenerator('TypeScript', 'typescript-fetch', { sources: 'typescript', run: 'node out/calls.mjs' }),
  },
];
