import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, isAbsolute, join, relative, resolve } from 'node:path';
import { configDefaults, defineConfig, type Plugin } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * Suites that begin first: some collect garbage again and again, which takes the longer the more their worker has loaded;
 * the others take long though their files are short.
 */
const first = [
  ...[
    'examples/fresh-clone',
    'examples/documents/documents',
    'memory/recent-keys',
    'memory/ranks',
    'memory/transcriptions',
  ],
  ...['hostile/crash-loops', 'hostile/mqtt-floods'],
  ...['contract/generated/refusals', 'contract/generated/inherited-names', 'contract/generated/generated'],
  ...['browser/docs-page', 'browser/room-elsewhere', 'verification/verification', 'hostile/large-erasure'],
  ...['sessions/speech-install/install', 'webhooks/webhook-backlog', 'hostile/sanction-batches', 'plugins/crash'],
  ...['memory/daemon', 'memory/person-export', 'earshotd/package', 'hostile/heavy-events'],
  ...['rules/crash', 'cli/trigger', 'endtoend/crash', 'audit/coverage', 'leaderboards/set-aside', 'fuzz/fuzz'],
];

/**
 * What `npm test` leaves to `npm run test:long`: suites that drive a browser, attack, kill or stop processes, speak for
 * minutes, start a program again and again, ask every operation, race, compare with a model at random, or install what is
 * published. Four fifths of the time are theirs.
 */
const long = [
  'test/{browser,examples,fuzz,hostile,memory,torture,upgrades,verification,walk}/**/*.test.ts',
  'test/contract/{access-walk,cursors}.test.ts',
  'test/contract/{authorisation,generated}/**/*.test.ts',
  'test/{audit/coverage,endtoend/tour,gatherings/races,reports/legal-hold,sessions/message-search}.test.ts',
  'test/{leaderboards/{model,periods,rebuilds},moderation/ranked-restrictions,webhooks/webhook-operations}.test.ts',
  'test/{endtoend/{recognisers,stopping},game-events/lone-event,gatherings/many-invited,identity/begun-requests}.test.ts',
  'test/{plugins/{switched-off,unanswered},reports/{evidence,joined-cases},rooms/{encryption,restrictions}}.test.ts',
  'test/{people/{erasing-strangers,person-moves},platform/database/heard-changes}.test.ts',
  'test/{cli/{asking,completion,emergency,pager,sign-in,trigger},identity/{external-login,oidc-{roles,subjects,tokens}}}.test.ts',
  'test/**/*{backlog,crash,frozen,takeover,two-daemons}*.test.ts',
  'test/{leaderboards/{locks,merged-players,removals,set-aside},play/*-walk,challenges/counting-conflicts}.test.ts',
  'test/{cli/{fed-back,nasty-files},clock/long-times,people/moves-beside-players,sessions/message-order}.test.ts',
  'test/rooms/other-daemon.test.ts',
  'test/plugins/hostile-code.test.ts',
  'test/earshotd/{backups,client-package,copy,deb,exec,first-start,folded-ids,keys,killed-commands,one-daemon}.test.ts',
  'test/earshotd/{endure,package,tenant-disabled,unusual-files}.test.ts',
  'test/sessions/{debug-audio,first-words,lossy-rooms,moonshine-room,partials,speech-realtime,speech-server,stalled-rooms}.test.ts',
  'test/sessions/long-listening.test.ts',
  'test/sessions/bot/{bot,causes,partials,spoken-times}.test.ts',
  'test/sessions/speech-install/**/*.test.ts',
  'test/{audit/{audit,guests},identity/{accounts,login-codes,oidc-flows},people/{awkward-ids,erasure,retention}}.test.ts',
  'test/cli/{compiled-code,gameplay-screens,hostile-text,listen,names,operator-evening,rooms,rooms-watch}.test.ts',
  'test/cli/{sanction-batches,unreachable}.test.ts',
  'test/{client/{lost-answers,room/seat},endtoend/{draining,kept-keys},installation/backup-{copies,schedule}}.test.ts',
  'test/earshotd/{accounts,background-speech,doctor,doctor-parts,process-faults,ready,service,set-up,speech}.test.ts',
  'test/{game-events/event-keys,moderation/kept-evidence,reports/late-lines,seasons/{deletions,simulate}}.test.ts',
  'test/{platform/observability/metrics,webhooks/held-after-restore}.test.ts',
  'test/platform/{database/{bounded-postgresql,lost-races,point-in-time,pooler},http/methods,idempotency/claims}.test.ts',
  'test/rooms/{daemon,engine,events,host-addresses}.test.ts',
  'test/sessions/recognisers/{order,pocketsphinx}.test.ts',
  'test/streams/stream-cuts.test.ts',
];

/** Suites on SQLite of modules with SQL of their own: `npm run test:postgresql` has their daemons on PostgreSQL. */
const withOwnSql = [
  'test/audit/recording.test.ts',
  'test/challenges/set-progress.test.ts',
  'test/functions/functions.test.ts',
  'test/game-events/{event-export,event-import,intake-lane,rate-limits}.test.ts',
  'test/gatherings/{commands,events,failing-jobs,gatherings,members}.test.ts',
  'test/identity/{api-keys,passwords,revocation}.test.ts',
  'test/leaderboards/{rebuild-crash,sdk}.test.ts',
  'test/moderation/{moderator-notes,reviews,sanctions}.test.ts',
  'test/people/{alike,notices,participant,person-export,person}.test.ts',
  'test/players/{operators,sdk}.test.ts',
  'test/plugins/{moderation-api,own-plugins,plugins}.test.ts',
  'test/projects/project-removal.test.ts',
  'test/reports/{case-commands,case-export,concealed,report-limits}.test.ts',
  'test/seasons/season.test.ts',
  'test/sessions/session-removal.test.ts',
  'test/streams/{person-stream,stream}.test.ts',
  'test/walk/*.test.ts',
  'test/webhooks/{webhook-answers,webhooks}.test.ts',
];

/** Suites that ask both databases by themselves: short and long ones have SQLite, and `npm run test:postgresql` the other. */
const askBoth = (): string[] =>
  readdirSync(join(import.meta.dirname, 'test'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.test.ts'))
    .map((name) => `test/${name}`)
    .filter((path) => /EachDatabase\(|\bdatabases\b.*support\/database\.js/.test(readFileSync(path, 'utf8')));

/** Which suites run, by the npm script: `short`, `long`, `postgresql`, or `all`, which is the default. */
const suites = process.env.EARSHOT_TEST_SUITES;

/** Vitest begins with the largest files otherwise. A long suite that begins last would have the other workers wait for it. */
class FirstOnesFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const place = ({ moduleId }: TestSpecification) =>
      first.findIndex((name) => moduleId.endsWith(`/test/${name}.test.ts`));
    const sorted = await super.sort(files);
    const begin = sorted.filter((file) => place(file) >= 0).sort((a, b) => place(a) - place(b));
    return [...begin, ...sorted.filter((file) => place(file) < 0)];
  }
}

const root = import.meta.dirname;
const isSource = /^(daemon|src|commands)\/.*\.[jt]s$/;

/**
 * `npm test` has just built: its suites load that, and no worker has to make a thousand sources ready. All of them, so
 * that nothing is loaded twice. A suite run by hand takes the sources, and its stack traces name their lines.
 */
const built: Plugin = {
  name: 'built',
  enforce: 'pre',
  resolveId(id, importer) {
    if (importer === undefined || !(id.startsWith('.') || isAbsolute(id))) return null;
    const path = relative(root, resolve(dirname(importer), id));
    const file = join(root, 'dist', path.replace(/\.ts$/, '.js'));
    return isSource.test(path) && existsSync(file) ? { id: file, external: true } : null;
  },
};

export default defineConfig({
  plugins: process.env.EARSHOT_TEST_BUILT === '1' ? [built] : [],
  test: {
    // The others take minutes and gigabytes, or peers that test/peers/install.sh installs.
    include: [
      ...(suites === 'long' ? long : suites === 'postgresql' ? [...withOwnSql, ...askBoth()] : ['test/**/*.test.ts']),
      ...(process.env.EARSHOT_TORTURE === '1' ? ['test/**/*.torture.ts'] : []),
      ...(process.env.EARSHOT_PEERS === '1' ? ['test/**/*.peers.ts'] : []),
    ],
    exclude: [...configDefaults.exclude, ...(suites === 'short' ? long : [])],
    testTimeout: 60_000,
    hookTimeout: 120_000,
    maxWorkers: 4, // more than two cores: many suites wait for speech, for clocks and for processes
    // The files of a worker share what they import: nothing of ours keeps state in a module.
    isolate: false,
    // Requests and rows live briefly: a larger space for new objects saves a tenth of the processor time.
    execArgv: ['--min-semi-space-size=32', '--max-semi-space-size=64'],
    sequence: { sequencer: FirstOnesFirst },
    // What is built is loaded as its users load it.
    server: { deps: { external: [/\/dist\//] } },
    // `npm run coverage`: how many branches have a test, of what is hard to see from outside.
    coverage: {
      provider: 'v8',
      include: [
        'daemon/modules/webhooks/delivery/**/*.ts',
        'daemon/modules/moderation/sanctions/drafts.ts',
        'daemon/modules/sessions/bot/**/*.ts',
      ],
      reporter: ['text'],
      thresholds: {
        'daemon/modules/webhooks/delivery/**': { branches: 85 },
        'daemon/modules/moderation/sanctions/drafts.ts': { branches: 85 },
        'daemon/modules/sessions/bot/**': { branches: 85 },
      },
    },
  },
});
