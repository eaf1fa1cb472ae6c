/** The generators of clients that the OpenAPI document is tried with, and how each is called. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export const folder = import.meta.dirname;
export const installed = join(folder, '.installed');

export interface Generator {
  readonly name: string;
  readonly language: string;
  readonly version: () => string;
  /** Folder with the program that makes the calls; it is compiled in the first part of this name in `.installed`. */
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

const lineOf = (file: string, name: string): string =>
  readFileSync(join(folder, file), 'utf8')
    .split('\n')
    .find((line) => line.trim().startsWith(name)) ?? '';
const goVersion = (module: string) => () =>
  /v([\d.]+)/.exec(lineOf('go/go.mod', `${module} `).replace(module, ''))?.[1] ?? '';
const pythonVersion = (name: string) => () =>
  /==([\d.]+)/.exec(lineOf('python/requirements.txt', `${name}==`))?.[1] ?? '';

const cargoVersion = (name: string) => () =>
  /[\d.]+/.exec(lineOf('rust/progenitor/Cargo.toml', `${name} =`))?.[0] ?? '';

/** Both Rust programs share the compiled libraries. */
const cargo = (command: string) => `cargo ${command} --quiet --locked --target-dir "$INSTALLED/rust/target"`;

/** Compiles C# with what Mono has and with the Json.NET that NSwag brings along. */
const mcs = (...more: readonly string[]) => {
  const own = ['System.Net.Http', 'System.ComponentModel.DataAnnotations', 'System.Runtime.Serialization', ...more];
  const references = ['Newtonsoft.Json', ...own].map((name) => `-r:${name}.dll`).join(' ');
  const copy = 'cp "$INSTALLED/typescript/node_modules/nswag/bin/binaries/Win/Newtonsoft.Json.dll" .';
  return `${copy} && mcs -langversion:latest -nowarn:0108,0114,0219,0612,1591 ${references}`;
};

const light = '--global-property apiTests=false,modelTests=false,apiDocs=false,modelDocs=false';
const openapiGenerator = (
  language: string,
  name: string,
  rest: Omit<Generator, 'name' | 'language' | 'version' | 'generate'>,
  options = '',
) => ({
  name: `openapi-generator ${name}`,
  language,
  version: () => /version=([\d.]+)/.exec(lineOf('install.sh', 'local name=openapi-generator-cli'))?.[1] ?? '',
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
  {
    name: 'oapi-codegen',
    language: 'Go',
    version: goVersion('github.com/oapi-codegen/oapi-codegen/v2'),
    sources: 'go/oapi-codegen',
    generate: 'oapi-codegen --config oapi-codegen.yaml openapi-3.0.json',
    compile: 'go build -o calls .',
    run: './calls',
  },
  openapiGenerator('Go', 'go', {
    sources: 'go/openapi-generator',
    compile: 'rm generated/go.mod generated/go.sum && go build -o calls .',
    run: './calls',
  }),
  {
    name: 'openapi-python-client',
    language: 'Python',
    version: pythonVersion('openapi-python-client'),
    sources: 'python/openapi-python-client',
    generate: 'openapi-python-client generate --path openapi.json --output-path generated --meta none --overwrite',
    compile: 'python3 -m compileall -q generated',
    run: 'python3 calls.py',
  },
  openapiGenerator('Python', 'python', {
    sources: 'python/openapi-generator',
    compile: 'python3 -m compileall -q generated',
    run: 'python3 calls.py',
  }),
  openapiGenerator(
    'Java',
    'java',
    {
      sources: 'java',
      compile:
        'javac -nowarn -proc:none -d out -cp "$INSTALLED/java/lib/*" Calls.java $(find generated/src/main/java -name "*.java")',
      run: 'java -cp "out:$INSTALLED/java/lib/*" Calls',
    },
    '--library native ',
  ),
  {
    name: 'NSwag',
    language: 'C#',
    version: npmVersion('nswag'),
    sources: 'csharp/nswag',
    generate:
      'NSwag openapi2csclient /input:openapi-3.0.json /output:generated/Client.cs /namespace:Earshot /classname:EarshotClient /operationGenerationMode:SingleClientFromOperationId /generateOptionalPropertiesAsNullable:true',
    compile: `${mcs()} -out:calls.exe Calls.cs generated/Client.cs`,
    run: 'mono calls.exe',
  },
  openapiGenerator(
    'C#',
    'csharp',
    {
      sources: 'csharp/openapi-generator',
      compile: `${mcs('System.Web')} -out:calls.exe Calls.cs -recurse:"generated/src/Org.OpenAPITools/*.cs"`,
      run: 'mono calls.exe',
    },
    '--library httpclient --additional-properties targetFramework=net48,nullableReferenceTypes=false,supportsRetry=false ',
  ),
  openapiGenerator('PHP', 'php', { sources: 'php', run: 'php calls.php' }),
  openapiGenerator('Kotlin', 'kotlin', {
    sources: 'kotlin',
    files: ['Calls.kt'],
    compile:
      'java -Xmx2g -cp "$INSTALLED/kotlin/lib/*" org.jetbrains.kotlin.cli.jvm.K2JVMCompiler -nowarn -no-stdlib -no-reflect -jvm-target 17 -cp "$(echo "$INSTALLED"/kotlin/lib/*.jar | tr " " :)" -d out Calls.kt generated/src/main/kotlin',
    run: 'java -cp "out:$INSTALLED/kotlin/lib/*" CallsKt',
  }),
  {
    name: 'progenitor',
    language: 'Rust',
    version: cargoVersion('progenitor-impl'),
    sources: 'rust/progenitor',
    generate: `${cargo('run --bin generate')} -- openapi-3.0.json generated/client.rs`,
    compile: cargo('build --bin calls-progenitor'),
    run: '"$INSTALLED/rust/target/debug/calls-progenitor"',
  },
  openapiGenerator(
    'C++',
    'cpp-restsdk',
    {
      sources: 'cpp',
      compile: 'cmake -S . -B build && cmake --build build --parallel 2',
      run: 'build/calls',
    },
    '--schema-mappings RoomStreamEvent=AnyType ',
  ),
  openapiGenerator(
    'Rust',
    'rust',
    {
      sources: 'rust/openapi-generator',
      compile: cargo('build'),
      run: '"$INSTALLED/rust/target/debug/calls-openapi-generator"',
    },
    '--additional-properties packageVersion=0.0.0 ',
  ),
];
