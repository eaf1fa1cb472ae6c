/** The program `earshotd`: its commands, each loaded only when it runs. */
import { Command } from 'commander';
import { harmlessLines } from '../src/text/printable.js';
import type { RestoreOptions } from './commands/backups.js';
import type { CopyOptions } from './commands/copy.js';
import type { TestOptions } from './commands/plugins.js';
import type { ServiceOptions } from './commands/service/service.js';
import { type SettingOptions, withSettings } from './commands/setting-options.js';
import type { SimulateOptions } from './commands/simulate.js';
import type { InstallOptions } from './commands/speech.js';
import type { ListOptions, RecommendOptions } from './commands/speech-models.js';
import type { ServeOptions } from './commands/speech-serve.js';
import { version } from './platform/version.js';

/** Commands that go on when the reader of their output has left, as in `earshotd run | head`. */
const outlivingReaders: ReadonlySet<string> = new Set(['run', 'exec']);

export async function main(argv: readonly string[]): Promise<void> {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
    if (!argv.some((word) => outlivingReaders.has(word))) process.exit(process.exitCode ?? 0);
  });
  const program = new Command('earshotd')
    .version(version)
    .description('The Earshot daemon: voice rooms, moderation, player progress.');
  program.showHelpAfterError();
  program.configureOutput({
    writeOut: (text) => process.stdout.write(harmlessLines(text)),
    writeErr: (text) => process.stderr.write(harmlessLines(text)),
  });
  for (const register of [
    registerDaemon,
    registerSimulation,
    registerConfig,
    registerUsers,
    registerTenants,
    registerJobs,
    registerIds,
    registerKeys,
    registerBackups,
    registerCopy,
    registerService,
    registerPlugins,
    registerSpeech,
  ])
    register(program);
  try {
    await program.parseAsync([...argv]);
  } catch (error) {
    process.exitCode = (await import('./commands/failures.js')).report(error);
  }
}

function registerDaemon(program: Command): void {
  withSettings(program.command('run'))
    .description('run the daemon until it is stopped')
    .action(async (options: SettingOptions) => (await import('./commands/run.js')).run(options));
  withSettings(program.command('exec'))
    .description('run a command with a temporary daemon, whose address and key are in its environment')
    .argument('<command...>', 'after --')
    .option('--with-speech', 'if no speech recogniser works, run nothing and exit with code 69')
    .action(async (command: string[], options: SettingOptions & { withSpeech?: boolean }) =>
      (await import('./commands/exec.js')).exec(command, options),
    );
  withSettings(program.command('migrate'))
    .description('migrate the database to the schema of this version')
    .option('--wait', 'wait up to five minutes for a database that does not answer yet')
    .action(async (options: SettingOptions & { wait?: boolean }) =>
      (await import('./commands/migrate.js')).migrateOnly(options),
    );
  withSettings(program.command('openapi'))
    .description('print the OpenAPI document')
    .action(async (options: SettingOptions) => (await import('./commands/openapi.js')).printOpenApi(options));

  withSettings(program.command('doctor'))
    .description('check whether a daemon can run on this machine, and how to fix problems')
    .action(async (options: SettingOptions) => (await import('./commands/doctor.js')).doctor(options));
  withSettings(program.command('support-bundle [file]'))
    .description('write versions, doctor, settings, log, metrics and sizes into an archive, without secrets')
    .action(async (file: string | undefined, options: SettingOptions) =>
      (await import('./commands/support-bundle.js')).supportBundle(file, options),
    );
}

function registerSimulation(program: Command): void {
  program
    .command('simulate')
    .description('simulate a season file with made-up players: who reaches what, and when; nothing is stored')
    .requiredOption('-f, --file <file>', 'season file in YAML, with `players`')
    .option('--players <count>', 'how many', '1000')
    .option('--minutes <minutes>', 'minutes that each of them plays; default: 30, or what --days allows')
    .option('--days <days>', 'days of the season to simulate; default: until its end')
    .option('--seed <number>', 'seed; the same number repeats a simulation', '1')
    .option('--json', 'as JSON')
    .action(async (options: SimulateOptions) => (await import('./commands/simulate.js')).simulate(options));
}

function registerConfig(program: Command): void {
  const config = program.command('config').description('check and print the settings');
  withSettings(config.command('check'))
    .description('check the settings')
    .action(async (options: SettingOptions) => (await import('./commands/config.js')).check(options));
  withSettings(config.command('print'))
    .description('print the settings in force, secrets as ***')
    .action(async (options: SettingOptions) => (await import('./commands/config.js')).printSettings(options));
  config
    .command('init [file]')
    .description('write a commented file of all settings in YAML, and a JSON schema for editors beside it')
    .action(async (file: string | undefined) => (await import('./commands/config.js')).init(file));
  config
    .command('schema')
    .description('print the JSON schema of a settings file in YAML')
    .action(async () => (await import('./commands/config.js')).printSchema());
  config
    .command('defaults')
    .description('list every setting with its default')
    .action(async () => (await import('./commands/config.js')).defaults());
}

function registerUsers(program: Command): void {
  const users = program
    .command('users')
    .description('accounts; passwords are prompted for, hidden, or read from standard input');
  withSettings(users.command('create <email>'))
    .description('create an account')
    .option('--admin', 'make it an administrator of the tenant')
    .option('--tenant <tenant>', 'id or name; default: the only one')
    .action(async (email: string, options: SettingOptions & { admin?: boolean; tenant?: string }) =>
      (await import('./commands/users.js')).create(email, options),
    );
  withSettings(users.command('list'))
    .description('list the accounts')
    .option('--tenant <tenant>', 'id or name; default: all tenants')
    .option('--json', 'as JSON')
    .action(async (options: SettingOptions & { tenant?: string; json?: boolean }) =>
      (await import('./commands/users.js')).list(options),
    );
  withSettings(users.command('reset-password <email>'))
    .description('set a new password; every login of the account ends')
    .action(async (email: string, options: SettingOptions) =>
      (await import('./commands/users.js')).resetPassword(email, options),
    );
  withSettings(users.command('disable <email>'))
    .description('keep an account from signing in; every login of the account ends')
    .option('--withdraw', 'also revoke the keys that it made, and withdraw its open invitations')
    .action(async (email: string, options: SettingOptions & { withdraw?: boolean }) =>
      (await import('./commands/users.js')).disable(email, options),
    );
  withSettings(users.command('enable <email>'))
    .description('let an account sign in again')
    .action(async (email: string, options: SettingOptions) =>
      (await import('./commands/users.js')).enable(email, options),
    );
  withSettings(users.command('unlink <email>'))
    .description(
      'let whoever has the address at the identity provider now sign in to the account; every login of it ends',
    )
    .action(async (email: string, options: SettingOptions) =>
      (await import('./commands/users.js')).unlink(email, options),
    );
}

function registerTenants(program: Command): void {
  const tenants = program.command('tenants').description('the studios of this installation, separate from each other');
  withSettings(tenants.command('create <name>'))
    .description(
      'create a tenant with its administrator, whose password is prompted for, hidden, or read from standard input',
    )
    .requiredOption('--admin-email <email>', 'address of the administrator')
    .action(async (name: string, options: SettingOptions & { adminEmail: string }) =>
      (await import('./commands/tenants.js')).create(name, options),
    );
  withSettings(tenants.command('list'))
    .description('list the tenants')
    .option('--json', 'as JSON')
    .action(async (options: SettingOptions & { json?: boolean }) =>
      (await import('./commands/tenants.js')).list(options),
    );
  withSettings(tenants.command('disable <tenant>'))
    .description('disable a tenant with its accounts, keys and projects')
    .action(async (tenant: string, options: SettingOptions) =>
      (await import('./commands/tenants.js')).disable(tenant, options),
    );
  withSettings(tenants.command('enable <tenant>'))
    .description('enable a disabled tenant')
    .action(async (tenant: string, options: SettingOptions) =>
      (await import('./commands/tenants.js')).enable(tenant, options),
    );
}

function registerJobs(program: Command): void {
  const jobs = program.command('jobs').description('background work during which the daemon crashed');
  withSettings(jobs.command('list'))
    .description('list jobs that are retried alone, or set aside because the daemon crashed twice during them')
    .option('--json', 'as JSON')
    .action(async (options: SettingOptions & { json?: boolean }) => (await import('./commands/jobs.js')).list(options));
  withSettings(jobs.command('resume <job> [subject]'))
    .description('resume a job; without the subject, all that was set aside of it')
    .action(async (job: string, subject: string | undefined, options: SettingOptions) =>
      (await import('./commands/jobs.js')).resume(job, subject, options),
    );
}

function registerIds(program: Command): void {
  const ids = program.command('ids').description('ids of earlier versions that no path can carry: . and ..');
  withSettings(ids.command('rename <kind> <from> <to>'))
    .description('rename a person, team, room, template or batch that `earshotd doctor` names')
    .requiredOption('--project <id>', 'project that it is in')
    .action(async (kind: string, from: string, to: string, options: SettingOptions & { project: string }) =>
      (await import('./commands/ids.js')).rename({ kind, from, to }, options),
    );
}

function registerKeys(program: Command): void {
  withSettings(program.command('rotate-key'))
    .description('rotate the master key of all secrets at rest, while the daemon runs')
    .action(async (options: SettingOptions) => (await import('./commands/keys.js')).rotate(options));
  const key = program.command('key').description('keys that open secrets at rest, and keys that sign');
  withSettings(key.command('export'))
    .description('print the key ring, which a restore elsewhere needs; keep it apart from backups')
    .action(async (options: SettingOptions) => (await import('./commands/keys.js')).exportRing(options));
  withSettings(key.command('renew [names...]'))
    .description('make new signing keys at the next start; without names, list them with what ends then')
    .action(async (names: string[], options: SettingOptions) =>
      (await import('./commands/keys.js')).renew(names, options),
    );
}

function registerBackups(program: Command): void {
  withSettings(program.command('backup [file]'))
    .description('copy the database while it is in use; default: to a file in `backups` in the data folder')
    .action(async (file: string | undefined, options: SettingOptions) =>
      (await import('./commands/backups.js')).backup(file, options),
    );
  withSettings(program.command('verify [file]'))
    .description('read a whole backup and say whether it can be restored here; default: the database in use')
    .option('--key-ring <file>', 'file with the output of `earshotd key export` from the original installation')
    .option('--identity <file>', 'file with the identity of age that opens an encrypted backup')
    .action(async (file: string | undefined, options: SettingOptions & { keyRing?: string; identity?: string }) =>
      (await import('./commands/backups.js')).verify(file, options),
    );
  withSettings(program.command('restore [file]'))
    .description('verify a backup and replace the database with it; the old one is kept; stop the daemon first')
    .option('--key-ring <file>', 'file with the output of `earshotd key export` from the original installation')
    .option('--identity <file>', 'file with the identity of age that opens an encrypted backup')
    .option('--verify', 'try it in a folder of its own, while the daemon runs; without a file: the newest backup')
    .option('--hold-webhooks', 'let webhooks wait for `webhooks release`, also where a database was replaced')
    .action(async (file: string | undefined, options: RestoreOptions) =>
      (await import('./commands/backups.js')).restore(file, options),
    );
  const store = program.command('backup-store').description('backups in the S3-compatible store');
  withSettings(store.command('list'))
    .description('list them, with their sizes')
    .action(async (options: SettingOptions) => (await import('./commands/backups.js')).listStore(options));
  withSettings(store.command('fetch [name]'))
    .description('put one into the folder of backups, with the recordings; without a name: the newest')
    .action(async (name: string | undefined, options: SettingOptions) =>
      (await import('./commands/backups.js')).fetchFromStore(name, options),
    );
  const webhooks = program.command('webhooks').description('webhooks that wait after a restore');
  withSettings(webhooks.command('release'))
    .description('send what has waited since a restore, once the machine of the backup has stopped')
    .action(async (options: SettingOptions) => (await import('./commands/webhooks.js')).release(options));
}

function registerCopy(program: Command): void {
  withSettings(program.command('copy'))
    .description('copy a whole database between a SQLite file and PostgreSQL; stop the daemons first')
    .option('--from <address>', 'file:PATH, postgresql:…, or a file that holds the address; default: the one in use')
    .requiredOption('--to <address>', 'an empty one, in the same forms')
    .action(async (options: CopyOptions) => (await import('./commands/copy.js')).copy(options));
}

function registerService(program: Command): void {
  const service = program
    .command('service')
    .description('the daemon as a service of systemd, under an account of its own');
  const inFolder = (command: Command) =>
    command.option('--unit-folder <folder>', 'where units lie', '/etc/systemd/system');
  inFolder(service.command('install'))
    .description('make the account, the data folder and the unit, and start it')
    .option('--user <name>', 'account of the daemon; made where it is missing', 'earshot')
    .option('--data-dir <folder>', 'data folder', '/var/lib/earshot')
    .option('--settings <file>', 'file of NAME=value lines; made where it is missing', '/etc/earshot/earshot.env')
    .option(
      '--credential <name=file>',
      'secret setting from a file that only root reads; as often as needed',
      collected,
      [],
    )
    .option('--no-start', 'do not start it now')
    .option('--print', 'print the unit, and change nothing')
    .action(async (options: ServiceOptions) => (await import('./commands/service/service.js')).install(options));
  service
    .command('status')
    .description('say whether the service runs; exits with 3 where it does not')
    .action(async () => (await import('./commands/service/service.js')).status());
  inFolder(service.command('uninstall'))
    .description('stop the service and remove its unit; account, settings and data stay')
    .action(async (options: ServiceOptions) => (await import('./commands/service/service.js')).uninstall(options));
}

const collected = (value: string, before: readonly string[]): readonly string[] => [...before, value];

function registerPlugins(program: Command): void {
  const plugins = program.command('plugins').description('plugins of your own, for every project of the installation');
  withSettings(plugins.command('install <folder>'))
    .description('install a plugin, or a new version, from a folder with manifest.json and one module')
    .action(async (folder: string, options: SettingOptions) =>
      (await import('./commands/plugins.js')).install(folder, options),
    );
  withSettings(plugins.command('uninstall <slug>'))
    .description('uninstall a plugin; its annotations stay')
    .action(async (slug: string, options: SettingOptions) =>
      (await import('./commands/plugins.js')).uninstall(slug, options),
    );
  withSettings(plugins.command('list'))
    .description('list the installed plugins')
    .option('--json', 'as JSON')
    .action(async (options: SettingOptions & { json?: boolean }) =>
      (await import('./commands/plugins.js')).list(options),
    );
  withSettings(plugins.command('test <folder>'))
    .description('run a plugin on recorded events and print what it finds; nothing is stored')
    .option('--events <file>', 'file of events, one per line, as `earshot events tail --json` prints them')
    .option('--last <count>', 'without a file: number of the newest events of the log; up to 100', '20')
    .option('--settings <file>', 'JSON file with settings; default: those of the plugin')
    .option('--secret <secret>', 'secret that signs requests to an endpoint')
    .option('--json', 'print one JSON object for each event')
    .action(async (folder: string, options: TestOptions) =>
      (await import('./commands/plugins.js')).test(folder, options),
    );
}

function registerSpeech(program: Command): void {
  const speech = program.command('speech').description('the embedded speech recogniser');
  withSettings(speech.command('install [name]'))
    .description('install the recogniser, or a model of `speech list`, for every daemon of this account')
    .option('--from <file|URL>', 'take the model from here; with a name: its archive')
    .option('--sha256 <hex>', 'its checksum')
    .option('--if-wanted', 'do nothing if EARSHOT_SPEECH_INSTALL or EARSHOT_TRANSCRIBER says that it is not used')
    .action(async (name: string | undefined, options: InstallOptions) =>
      (await import('./commands/speech.js')).installSpeech(name, options),
    );
  withSettings(speech.command('list'))
    .description('list the models that can be installed by name: languages, size, speed, licence')
    .option('--json', 'print JSON')
    .action(async (options: ListOptions) => (await import('./commands/speech-models.js')).listModels(options));
  withSettings(speech.command('recommend'))
    .description('measure the installed recognisers for ten seconds: how many speakers each keeps up with')
    .option('--language <code>', 'only models that know it, such as de')
    .action(async (options: RecommendOptions) => (await import('./commands/speech-models.js')).recommend(options));
  withSettings(speech.command('serve'))
    .description('offer the embedded recogniser to other machines, as an OpenAI-compatible server')
    .option('--host <address>', 'address to listen on; others than 127.0.0.1 need a key', '127.0.0.1')
    .option('--port <port>', 'port to listen on', '8765')
    .action(async (options: ServeOptions) => (await import('./commands/speech-serve.js')).serve(options));
  speech
    .command('sample <file.wav>')
    .description('write a short recording of a voice, for trying a room without a microphone')
    .action(async (file: string) => (await import('./commands/speech.js')).writeSample(file));
}
