// Part of `npm run build`: bundles both programs, which would open hundreds of files one by one.
// It reads the sources; after a change of a command alone this is all that has to run.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFileSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'rolldown';
import { parseAst } from 'rolldown/parseAst';
import { writeLicences } from './bundle-licences.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const require = createRequire(import.meta.url);

const sources = readdirSync(join(root, 'commands'), { recursive: true })
  .map((file) => file.replaceAll('\\', '/'))
  .filter((file) => file.endsWith('.ts'));
/** Names of the rows that a file states, in the object that it exports. */
const rowsIn = (file) =>
  parseAst(readFileSync(join(root, 'commands', file), 'utf8'), { lang: 'ts' })
    .body.find(({ type }) => type === 'ExportDefaultDeclaration')
    .declaration.properties.map(({ key }) => key.name ?? key.value);
/** Each command is a file of its own, as oclif finds them; what they share lies in chunks. A row becomes such a file here. */
const commands = sources.flatMap((file) =>
  file.endsWith('/rows.ts')
    ? rowsIn(file).map((name) => [`commands/${dirname(file)}/${name}`, `row:${dirname(file)}/${name}`])
    : [[`commands/${file.slice(0, -'.ts'.length)}`, `commands/${file}`]],
);
const commandsOfRows = {
  name: 'commands-of-rows',
  // The source maps hold what is made here: it names files from the root, so that builds in two folders are the same.
  resolveId: (id) =>
    id.startsWith('row:') ? id : id.startsWith('root:') ? join(root, id.slice('root:'.length)) : null,
  load: (id) => {
    if (!id.startsWith('row:')) return null;
    const [, topic, name] = /^row:(.+)\/(.+)$/.exec(id);
    return [
      "import { commandOf } from 'root:src/cli/command/row.ts';",
      `import rows from ${JSON.stringify(`root:commands/${topic}/rows.ts`)};`,
      `export default commandOf(rows[${JSON.stringify(name)}]);`,
    ].join('\n');
  },
};

/** Help command of oclif: a plugin apart would be sought at every start, and would load an oclif of its own. */
const help = join(dirname(require.resolve('@oclif/plugin-help')), 'commands');
const ofPlugins = [['commands/help', join(help, 'help.js')]];

/** CommonJS, because Node.js 20 keeps compiled code of nothing else. */
const program = { platform: 'node', format: 'cjs', extension: 'cjs', sourcemap: true };

const bundles = [
  {
    folder: 'dist/cli',
    ...program,
    plugins: [commandsOfRows],
    // Native code and WebAssembly cannot go in; the library needs mqtt anyway, and few commands do.
    external: [/^node-datachannel/, /^@evan\/opus/, /^mqtt/],
    input: {
      run: 'src/cli/run.ts',
      complete: 'src/cli/completion/complete.ts',
      'not-found': 'src/cli/not-found.ts',
      help: 'src/cli/help.ts',
      ...Object.fromEntries([...commands, ...ofPlugins]),
    },
  },
  {
    folder: 'dist/earshotd',
    ...program,
    // Native code, what finds its WebAssembly beside itself, and what is used only where somebody has installed it.
    external: [
      ...[/^node-datachannel/, /^@evan\/opus/, /^better-sqlite3/, /^@node-rs\//, /^@jitl\//],
      ...['sherpa-onnx-node', '@livekit/rtc-node', 'pg-native', 'bufferutil', 'utf-8-validate'],
    ],
    // Programs and threads of their own are named as `programFile` in daemon/platform/package.ts finds them.
    input: {
      main: 'daemon/main.ts',
      'commands/exec-guard': 'daemon/commands/exec-guard.ts',
      'modules/plugins/sandbox/process': 'daemon/modules/plugins/sandbox/process.ts',
      'modules/rooms/embedded/process': 'daemon/modules/rooms/embedded/process.ts',
      'modules/rooms/livekit/ears-process': 'daemon/modules/rooms/livekit/ears-process.ts',
      'modules/sessions/recognisers/sherpa-process': 'daemon/modules/sessions/recognisers/sherpa-process.ts',
      'platform/database/backup-process': 'daemon/platform/database/backup-process.ts',
      'platform/database/log-thread': 'daemon/platform/database/log-thread.ts',
      'platform/database/trial-process': 'daemon/platform/database/trial-process.ts',
      'platform/http/bodies/body-thread': 'daemon/platform/http/bodies/body-thread.ts',
      'platform/http/openapi-thread': 'daemon/platform/http/openapi-thread.ts',
    },
  },
  {
    folder: 'dist/start',
    ...program,
    input: { earshot: 'src/cli/main.ts', 'ready-help': 'src/cli/ready-help.ts', earshotd: 'daemon/start.ts' },
  },
];

/** Says which build the files are of: what was compiled of another is not taken for it. */
function writeBuild(folder, output) {
  const hash = createHash('sha256');
  for (const { fileName, code = '' } of output) hash.update(`${fileName}\0${code}\0`);
  writeFileSync(join(root, folder, 'build'), hash.digest('hex').slice(0, 16));
}

for (const bundle of bundles) {
  const {
    folder,
    platform,
    input,
    external = [],
    plugins = [],
    sourcemap = false,
    format = 'es',
    extension = 'js',
  } = bundle;
  rmSync(join(root, folder), { recursive: true, force: true });
  const { output } = await build({
    cwd: root,
    input,
    platform,
    external,
    plugins,
    resolve: { extensionAlias: { '.js': ['.ts', '.js'] } },
    output: {
      // `import()` in such a file would need what Node.js calls experimental.
      ...{ dir: folder, format, sourcemap, dynamicImportInCjs: false, comments: false },
      ...{ entryFileNames: `[name].${extension}`, chunkFileNames: `chunks/[name]-[hash].${extension}` },
    },
    logLevel: 'warn',
  });
  writeLicences(folder, output);
  writeBuild(folder, output);
}

// Looks for its WebAssembly beside the chunk that it is in.
copyFileSync(
  join(dirname(require.resolve('@echogarden/fvad-wasm')), 'fvad.wasm'),
  join(root, 'dist/earshotd/chunks/fvad.wasm'),
);

// src/names/version.ts says it behind the version. A build without a repository is told it by EARSHOT_COMMIT.
const commitOfRepository = () =>
  existsSync(join(root, '.git'))
    ? spawnSync('git', ['rev-parse', '--short=12', 'HEAD'], { cwd: root, encoding: 'utf8' }).stdout
    : '';
writeFileSync(join(root, 'dist/commit'), (process.env.EARSHOT_COMMIT ?? commitOfRepository() ?? '').trim());
