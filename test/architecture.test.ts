/** Rules that no linter states: who loads whom among modules, and who reaches which table. Borders stand in borders.json. */
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { readDataMap } from '../prisma/tools/data-map.mjs';
import { errorCatalogue } from '../src/contract/error-catalogue.js';

const root = fileURLToPath(new URL('..', import.meta.url));
const sources = (folder: string): string[] =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name) && !name.includes('generated'))
    .map((name) => `${folder}/${name}`);
const files = ['src', 'daemon', 'commands', 'web'].flatMap(sources);
const textOf = new Map(files.map((file) => [file, readFileSync(join(root, file), 'utf8')]));
const text = (file: string): string => textOf.get(file) ?? '';
const filesWith = (pattern: RegExp): string[] => files.filter((file) => pattern.test(text(file)));

/** Returns what is loaded together with the file: neither types nor what it imports later. */
const loadedBy = (file: string): string[] =>
  [...text(file).matchAll(/^(?:import|export) (?!type )(?:[^;]*? from )?'([^']+)';/gms)].map(([, name = '']) =>
    name.startsWith('.') ? normalize(join(dirname(file), name)).replace(/\.js$/, '.ts') : name,
  );
const reachedFrom = (file: string, seen = new Set<string>()): Set<string> => {
  for (const target of loadedBy(file)) if (!seen.has(target)) reachedFrom(target, seen.add(target));
  return seen;
};
const moduleOf = (file: string): string | null => /^daemon\/modules\/([^/]+)\//.exec(file)?.[1] ?? null;
const modules = [...new Set(files.flatMap((file) => moduleOf(file) ?? []))];
/** Modules of play stand on each other: their files import those of the modules below them. */
const standsOn: Readonly<Record<string, readonly string[]>> = {
  'game-events': [],
  challenges: ['game-events'],
  leaderboards: ['game-events'],
  seasons: ['game-events', 'challenges', 'leaderboards'],
  players: ['game-events', 'challenges', 'leaderboards'],
};

const Figures = z.object({ edges: z.number(), mutual: z.array(z.string()), inCircles: z.array(z.string()) });

describe('what a file loads', () => {
  it('is of another module only where a module is put together, or stands on the other', () => {
    const crossing = files.flatMap((file) =>
      /^daemon\/modules\/[^/]+\/(?!module\.ts$)/.test(file)
        ? loadedBy(file).flatMap((target) =>
            [null, moduleOf(file), ...(standsOn[moduleOf(file) ?? ''] ?? [])].includes(moduleOf(target))
              ? []
              : `${file} ${target}`,
          )
        : [],
    );
    expect(crossing).toEqual([]);
  });

  it('leads in no circle from a module back to it, types included', () => {
    const counted = execFileSync(process.execPath, ['bin/figures.mjs', '--json'], { cwd: root, encoding: 'utf8' });
    const { edges, mutual, inCircles } = Figures.parse(JSON.parse(counted));
    expect(edges).toBeGreaterThan(20);
    expect([...mutual, ...inCircles]).toEqual([]);
  });

  it.each(Object.entries(standsOn))(
    'is of the modules of play, types included, only what %s stands on',
    (module, below) => {
      const others = Object.keys(standsOn).filter((one) => one !== module && !below.includes(one));
      const own = files.filter((file) => moduleOf(file) === module);
      expect(own.length).toBeGreaterThan(0);
      const upwards = new RegExp(`from '(?:\\.\\./)+(?:${others.join('|')})/`);
      expect(own.filter((file) => upwards.test(text(file)))).toEqual([]);
    },
  );

  it('is of the contract no more than its foundation for every command, because schemas take long to make', () => {
    const contract = [...reachedFrom('src/cli/command/command.ts')].filter((file) => file.startsWith('src/contract/'));
    expect(contract.toSorted()).toEqual(
      ['common', 'nearest', 'path-part', 'projects/projects', 'route', 'unknown-fields'].map(
        (name) => `src/contract/${name}.ts`,
      ),
    );
  });
});

const models = readDataMap();
const ownerOf = new Map(models.map(({ name, file }) => [name, file.replace('.prisma', '')]));
const clientName = (table: string): string => table.charAt(0).toLowerCase() + table.slice(1);
const verbs = '(find|count|create|update|upsert|delete|aggregate|groupBy)';
const callsOf = (names: string): RegExp => new RegExp(`\\.(${names})\\s*\\.${verbs}`);
const query = new RegExp(
  `${callsOf(models.map(({ name }) => clientName(name)).join('|')).source}|\\$(query|execute)Raw`,
);

/** Queries that name a table of another module, or reach it by a relation, each with its reason. */
const crossings: Readonly<Record<string, string>> = {
  'daemon/platform/database/in-reach.ts Project': 'states once, for joins, that a project is within reach',
  'daemon/platform/database/in-reach.ts Tenant': 'the same',
  'daemon/platform/database/backup.ts Tenant': 'looks into a backup as a whole',
  'daemon/platform/database/backup.ts User': 'the same',
  'daemon/platform/database/copy-rows.ts Tenant':
    'looks whether the database is in use, before it becomes the copy of another',
  'daemon/platform/database/lost-database.ts Tenant': 'the same for the database of a start',
  ...Object.fromEntries(
    [
      ...[
        'AuthorityOrder',
        'Case',
        'GameEvent',
        'GameplayRevision',
        'Gathering',
        'Leaderboard',
        'LeaderboardExclusion',
      ],
      ...[
        'LeaderboardScore',
        'LeaderboardShare',
        'LeaderboardTally',
        'Participant',
        'PlayerBlock',
        'Project',
        'Report',
      ],
      ...['Reporter', 'RoomRestriction', 'Sanction', 'SanctionBatch', 'SanctionTemplate', 'Session'],
    ].map((table) => [
      `daemon/platform/database/folded-ids.ts ${table}`,
      'finds and renames ids that no path carries, whatever table they are in',
    ]),
  ),
  'daemon/platform/database/migrate.ts Case': 'drops a column that an edited migration had made',
  'daemon/platform/events/retention.ts Tenant': 'tells every tenant of a gap in the log',
  'daemon/modules/sessions/message-store.ts Participant': 'finds what minors said, of whom there may be many',
  'daemon/modules/challenges/held-event-store.ts .event': 'reads held events in one statement',
  'daemon/modules/challenges/held-event-store.ts .project': 'with the tenant that they are counted for',
  'daemon/modules/moderation/sanctions/erased-ban-store.ts .project': 'with the tenant that its event is of',
  'daemon/modules/identity/accounts/store.ts .projects': 'counts the projects of a tenant for the operator',
  'daemon/modules/projects/store.ts .user': 'an account that is disabled is no owner who stays',
  'daemon/modules/identity/api-keys/store.ts Project': 'reads with a key whether its project is within reach',
};

describe('the database', () => {
  it('is reached in stores alone', () => {
    const store =
      /(^|[/-])store\.ts$|\/sql\.ts$|^daemon\/platform\/(database|events)\/|^daemon\/platform\/secrets\/stores\.ts$/;
    expect(filesWith(query).filter((file) => !file.startsWith('web/') && !store.test(file))).toEqual([]);
    expect(filesWith(query).length).toBeGreaterThan(20);
  });

  it('has each table queried by the module that owns it in the data map', () => {
    expect([...ownerOf.values()].filter((owner) => owner !== 'platform' && !modules.includes(owner))).toEqual([]);
    const named = (table: string) => new RegExp(`${callsOf(clientName(table)).source}|["']${table}["']`);
    // A value, not the type of a field. The one condition that all may set is that the project is within reach.
    const related = (field: string) =>
      new RegExp(`\\b${field}: (?!projectInReach\\b)(?=[{a-z])(?!(string|number|boolean)\\b)`);
    const found = files
      .filter((file) => file.startsWith('daemon/'))
      .flatMap((file) => {
        const module = moduleOf(file) ?? 'platform';
        const isForeign = (table: string): boolean => (ownerOf.get(table) ?? module) !== module;
        const tables = [...ownerOf.keys()].filter((table) => isForeign(table) && named(table).test(text(file)));
        const own = models.filter(({ name }) => query.test(text(file)) && !isForeign(name));
        const relations = own.flatMap(({ fields }) =>
          [...fields].flatMap(([field, { type }]) => (isForeign(type) && related(field).test(text(file)) ? field : [])),
        );
        return [...tables, ...new Set(relations.map((field) => `.${field}`))].map((one) => `${file} ${one}`);
      });
    expect(found.toSorted()).toEqual(Object.keys(crossings).toSorted());
  });
});

describe('the contract', () => {
  const giving = filesWith(/./).filter((file) => /^(daemon|src\/client)\//.test(file));
  it.each(Object.keys(errorCatalogue))('has %s given somewhere, not only compared with', (code) => {
    expect(giving.some((file) => new RegExp(`(?<![!=]== |case )'${code}'`).test(text(file)))).toBe(true);
  });

  it('has each group of routes bound by one module', () => {
    const groups = [...text('src/contract/routes.ts').matchAll(/\b(\w+Routes)\b(?=[^;]* from )/g)].map(
      ([, group]) => group,
    );
    const binding = (group?: string) => new Set(filesWith(new RegExp(`\\bbind\\(${group}\\b`)).map(moduleOf)).size;
    expect(groups.length).toBeGreaterThan(20);
    expect(groups.filter((group) => binding(group) !== 1)).toEqual([]);
  });
});

it('the name of a type is declared in one file', () => {
  const places = new Map<string, Set<string>>();
  for (const [file, text] of textOf)
    for (const [, name = ''] of text.matchAll(/^(?:export )?(?:abstract )?(?:interface|type|class) (\w+)/gm))
      places.set(name, (places.get(name) ?? new Set()).add(file));
  expect([...places].filter(([, { size }]) => size > 1).map(([name, at]) => `${name}: ${[...at].join(', ')}`)).toEqual(
    [],
  );
});

describe('the workspace of the tools', () => {
  it('has no package that nothing uses', () => {
    const tools: { devDependencies: Record<string, string> } = JSON.parse(
      readFileSync(join(root, 'bin/tools/package.json'), 'utf8'),
    );
    const users = ['test', 'bench', 'prisma/tools', 'bin', 'package.json', 'vitest.config.ts'].flatMap((path) =>
      statSync(join(root, path)).isDirectory()
        ? readdirSync(join(root, path), { recursive: true, encoding: 'utf8' })
            .filter(
              (name) => /\.(m?js|tsx?)$/.test(name) && !name.includes('node_modules') && !name.includes('.installed'),
            )
            .map((name) => join(path, name))
        : [path],
    );
    const all = users.map((file) => readFileSync(join(root, file), 'utf8')).join('\n');
    /** The coverage of vitest, and the compiler and what it reads by itself. */
    const isFound = (name: string) => /^(@types\/|@vitest\/coverage-v8$|typescript$|@biomejs\/biome$)/.test(name);
    const isUsed = (name: string) => all.includes(`'${name}`) || all.includes(`"${name}`) || all.includes(`${name} `);
    expect(Object.keys(tools.devDependencies).filter((name) => !isFound(name) && !isUsed(name))).toEqual([]);
  });
});

/** Files of the daemon that read the clock of the machine, each with its reason. All others are given a clock. */
const wallClocks: Readonly<Record<string, string>> = {
  'daemon/platform/time/clock.ts': 'is the clock that the others are given',
  'daemon/platform/ids/new-id.ts': 'makes ids that sort by when they were made, also before there is a daemon',
  'daemon/platform/observability/logger.ts': 'dates log lines, also those about a clock that was set',
  'daemon/commands/simulate.ts': 'prints a table for a person, without a daemon',
  'daemon/commands/users.ts': 'the same',
  'daemon/modules/sessions/speech-install/sherpa-archive.ts': 'dates a file of checksums, without a daemon',
};

it('the daemon reads the clock of the machine in one place, so that a test can set it', () => {
  const readers = files.filter((file) => file.startsWith('daemon/') && /\bDate\.now\b|\bnew Date\(\)/.test(text(file)));
  expect(readers.toSorted()).toEqual(Object.keys(wallClocks).toSorted());
});

/**
 * Files of the daemon that set a timer, by what for. A timer is for the machine: it counts from now on, whatever a clock
 * says. What ends at a time that somebody was told (a sanction, a period, a retention, a session that idles) is a row with
 * that time, which `due-work.ts` looks up by the clock that the daemon is given: so it also ends after a restart and after
 * a step of the clock.
 */
const timers: Readonly<Record<string, readonly string[]>> = {
  'limits how long somebody waits: for an answer, a connection, bytes, a turn or an end': [
    'admin-socket/server.ts',
    'commands/exec-command.ts',
    'modules/moderation/sanctions/room-enforcer.ts',
    'modules/plugins/host/runner.ts',
    'modules/plugins/sandbox/child.ts',
    'modules/rooms/elsewhere/room-calls.ts',
    'modules/rooms/embedded/host.ts',
    'modules/rooms/embedded/native.ts',
    'modules/rooms/embedded/process.ts',
    'modules/rooms/embedded/room-child.ts',
    'modules/sessions/bot/bot.ts',
    'modules/sessions/recognisers/openai-realtime.ts',
    'modules/sessions/recognisers/sherpa.ts',
    'modules/sessions/supervisor.ts',
    'modules/webhooks/delivery/dispatcher.ts',
    'platform/database/postgresql-transactions.ts',
    'platform/database/safe-sqlite.ts',
    'platform/events/append-probe.ts',
    'platform/http/bodies/body-budget.ts',
    'platform/http/bodies/body-judge.ts',
    'platform/http/bodies/read-bytes.ts',
    'platform/http/drained.ts',
    'platform/http/server.ts',
    'platform/lifecycle/deadline.ts',
    'platform/lifecycle/serving.ts',
    'platform/limits/fair-turns.ts',
    'platform/limits/slow-reads.ts',
    'platform/observability/health.ts',
    'platform/outbound/names.ts',
    'platform/outbound/outbound.ts',
    'platform/time/time-limit.ts',
    'platform/turns/lock.ts',
  ],
  'tells the service manager that the process lives': ['platform/lifecycle/service-manager.ts'],
  'waits before the next attempt': [
    'modules/audit/recorder.ts',
    'modules/identity/accounts/attempts.ts',
    'modules/rooms/embedded/room-process.ts',
    'modules/rooms/livekit/ears.ts',
    'modules/sessions/recognisers/pocketsphinx-decoder.ts',
    'modules/sessions/speech-install/download.ts',
    'commands/migrate.ts',
    'platform/database/kept-connection.ts',
    'platform/scheduler/jobs.ts',
  ],
  'gathers what comes within milliseconds, or paces what is sent': [
    'modules/mqtt/latest-only.ts',
    'modules/sessions/bot/live-line.ts',
    'modules/sessions/speech-install/debian-packages.ts',
    'modules/streams/collector.ts',
    'platform/database/group-commit.ts',
    'platform/database/heard-changes.ts',
  ],
  'lets others have a turn': [
    'modules/leaderboards/drop-discarded.ts',
    'modules/sessions/recognisers/redecoder.ts',
    'platform/turns/fair-work.ts',
    'platform/turns/rests.ts',
  ],
  'ends what nobody uses any more: a thread, a process, a socket': [
    'modules/sessions/load-speech.ts',
    'modules/sessions/speech-server/realtime.ts',
    'platform/database/log-mover.ts',
    'platform/http/crumbs.ts',
    'platform/http/pipelined.ts',
    'platform/http/sse-writer.ts',
    'platform/http/upgrades.ts',
  ],
  'looks again at what another process does': [
    'commands/process-group.ts',
    'modules/rooms/elsewhere/serve-calls.ts',
    'platform/idempotency/idempotency.ts',
  ],
  'waits until a lease that others hold has ended': ['platform/database/database.ts'],
  'gives a role up before the lease of it ends by the clock of the database, however this clock is set': [
    'platform/database/role-lease.ts',
  ],
  'is the clock of repeated work': ['platform/time/ticks.ts'],
};
const setsTimer = /\b(?:setTimeout|setInterval)\(|import \{[^}]*\bsetTimeout\b[^}]*\} from 'node:timers\/promises'/;

it('a timer of the daemon is for the machine, and never as long as a time that somebody was told', () => {
  const setting = files.filter((file) => file.startsWith('daemon/') && setsTimer.test(text(file)));
  const known = Object.values(timers).flat();
  expect(setting.toSorted()).toEqual(known.map((file) => `daemon/${file}`).toSorted());
  const delays = setting.flatMap(
    (file) => text(file).match(/\b(?:setTimeout|setInterval|sleep|pause|wait|delay)\(.*/g) ?? [],
  );
  expect(
    delays.filter((line) =>
      /getTime\(\)|\bnow\(\)(?! - performance)|\bDate\b/.test(line.replaceAll('performance.now()', '')),
    ),
  ).toEqual([]);
});
