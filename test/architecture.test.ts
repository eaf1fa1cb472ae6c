/** The few rules of the house: who may import whom, and where suppliers and the database are known. */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { readDataMap } from '../prisma/tools/data-map.mjs';
import { errorCatalogue } from '../src/contract/error-catalogue.js';
import { ownEventTypes } from '../src/contract/events.js';

const root = fileURLToPath(new URL('..', import.meta.url));

const sources = (folder: string): string[] =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !name.includes('generated'))
    .map((name) => `${folder}/${name}`);
const files = ['src', 'daemon', 'commands', 'web'].flatMap(sources);
const textOf = new Map(files.map((file) => [file, readFileSync(join(root, file), 'utf8')]));
const text = (file: string): string => textOf.get(file) ?? '';
const specifiers = (file: string): string[] =>
  [...text(file).matchAll(/(?:from|import\()\s*'([^']+)'/g)].map(([, specifier = '']) => specifier);
/** Files of ours that the file imports, as paths from the root. */
const importsOf = (file: string): string[] =>
  specifiers(file)
    .filter((specifier) => specifier.startsWith('.'))
    .map((specifier) => normalize(join(dirname(file), specifier)).replace(/\.js$/, '.ts'));
/** Files that are loaded with it: neither its types nor those that it imports later. */
const runningImportsOf = (file: string): string[] =>
  [...text(file).matchAll(/^(?:import|export) (?!type )[^;]*?from '(\.[^']+)';/gms)].map(([, specifier = '']) =>
    normalize(join(dirname(file), specifier)).replace(/\.js$/, '.ts'),
  );
const startsWithOne = (file: string, places: readonly string[]): boolean =>
  places.some((place) => file.startsWith(place));

/** `daemon/modules/<domain>/`, for the files of a module. */
const moduleOf = (file: string): string | null => /^daemon\/modules\/[^/]+\//.exec(file)?.[0] ?? null;

/** The daemon stands on these of the library: the contract, and what both sides must compute alike. */
const shared = ['contract', 'media', 'names', 'signing', 'text'].map((folder) => `src/${folder}/`);

/** True if the programs may import this file. */
const isPublished = (target: string): boolean =>
  moduleOf(target) === null || /^daemon\/modules\/[^/]+\/(module|directory|accounts\/bootstrap)\.ts$/.test(target);

/** Parts that commands of `earshotd` use by themselves: with no daemon, and often before there is one. */
const standAlone = [
  ...['identity', 'plugins/installed', 'sessions'].map((place) => `daemon/modules/${place}/admin-operations.ts`),
  ...['plugin-folder', 'trial'].map((name) => `daemon/modules/plugins/installed/${name}.ts`),
  'daemon/modules/gameplay/simulator/',
  'daemon/modules/sessions/speech-install/',
  ...['speech-settings', 'recognisers/select', 'recognisers/scratch'].map(
    (name) => `daemon/modules/sessions/${name}.ts`,
  ),
  'daemon/modules/rooms/embedded/room-child.ts',
];

/** The first place that fits says what its files may import. */
const borders: readonly {
  readonly place: RegExp;
  readonly may: (target: string, file: string) => boolean;
}[] = [
  { place: /^src\/contract\//, may: (target) => startsWithOne(target, ['src/contract/']) },
  // Whatever a browser or Node.js offers differently stands at the end of the arrows: nothing else of the client needs it.
  {
    place: /^src\/client\/voice\//,
    may: (target) => target.startsWith('src/') && !/^src\/(cli|browser)\//.test(target),
  },
  {
    place: /^src\/client\//,
    may: (target) =>
      startsWithOne(target, ['src/client/', 'src/contract/', 'src/signing/']) && !/\/voice\//.test(target),
  },
  {
    place: /^src\/browser\//,
    may: (target) =>
      startsWithOne(target, ['src/browser/', 'src/client/', 'src/contract/', 'src/media/frame-layout.ts']),
  },
  { place: /^src\/cli\//, may: (target) => target.startsWith('src/') },
  { place: /^src\//, may: (target) => target.startsWith('src/') && !/^src\/(cli|browser)\//.test(target) },
  { place: /^commands\//, may: (target) => target.startsWith('src/') },
  { place: /^web\//, may: (target) => startsWithOne(target, ['web/', 'src/browser/', 'src/client/', 'src/contract/']) },
  { place: /^daemon\/platform\//, may: (target) => startsWithOne(target, ['daemon/platform/', ...shared]) },
  {
    place: /^daemon\/modules\//,
    may: (target, file) => {
      if (startsWithOne(target, ['daemon/platform/', moduleOf(file) ?? '', ...shared])) return true;
      return file === `${moduleOf(file)}module.ts` && moduleOf(target) !== null;
    },
  },
  // The programs: they put together what the modules above publish.
  {
    place: /^daemon\/commands\//,
    may: (target) =>
      startsWithOne(target, ['daemon/', 'src/']) && (isPublished(target) || startsWithOne(target, standAlone)),
  },
  { place: /^daemon\//, may: (target) => startsWithOne(target, ['daemon/', 'src/']) && isPublished(target) },
];

describe('a file imports only what its place may', () => {
  it.each(borders.map(({ place, may }) => ({ place, may })))('$place', ({ place, may }) => {
    const here = files.filter((file) => borders.find((border) => border.place.test(file))?.place === place);
    expect(here.length).toBeGreaterThan(0);
    const refused = here.flatMap((file) =>
      importsOf(file)
        .filter((target) => !may(target, file))
        .map((target) => `${file} imports ${target}`),
    );
    expect(refused).toEqual([]);
  });
});

describe('what every command loads', () => {
  it('is of the contract no more than its foundation, because schemas take long to make', () => {
    const loaded = new Set<string>();
    const visit = (file: string): void => {
      if (loaded.has(file)) return;
      loaded.add(file);
      for (const target of runningImportsOf(file)) visit(target);
    };
    visit('src/cli/command.ts');
    const ofContract = [...loaded].filter((file) => file.startsWith('src/contract/')).sort();
    expect(ofContract).toEqual(['common', 'projects/projects', 'route'].map((name) => `src/contract/${name}.ts`));
  });
});

describe('what a browser gets', () => {
  const reached = (entry: string, seen = new Set<string>()): Set<string> => {
    if (seen.has(entry)) return seen;
    seen.add(entry);
    for (const target of importsOf(entry)) reached(target, seen);
    return seen;
  };

  it.each(['src/browser/index.ts', 'src/browser/seal-worker.ts', 'web/room/main.ts'])(
    '%s needs nothing of Node.js, and few packages',
    (entry) => {
      const all = [...reached(entry)];
      expect(all.length).toBeGreaterThan(1);
      const packages = new Set(all.flatMap(specifiers).filter((specifier) => !specifier.startsWith('.')));
      expect([...packages].filter((name) => !['zod', 'eventsource'].includes(name))).toEqual([]);
    },
  );
});

describe('a supplier is known in few places', () => {
  it.each([
    ['Express', /^express$/, /^daemon\/platform\/(http|idempotency|observability)\/|routes\.ts$/],
    ['Prisma', /^@prisma\/|generated\//, /^daemon\/platform\/database\//],
    ['oclif', /^@oclif\//, /^(src\/cli|commands)\//],
    ['zod: commands and pages take the schemas of the contract', /^zod$/, /^(src|daemon)\//],
  ])('%s', (_, supplier, allowed) => {
    const users = files.filter((file) => specifiers(file).some((specifier) => supplier.test(specifier)));
    expect(users.length).toBeGreaterThan(0);
    expect(users.filter((file) => !allowed.test(file))).toEqual([]);
  });

  it('the library sends its requests from one place', () => {
    const library = files.filter((file) => /^src\/(client|browser|contract)\//.test(file));
    expect(library.filter((file) => /(?<![.\w])fetch\(/.test(text(file)))).toEqual(['src/client/transport.ts']);
  });

  // It holds its sources weakly, so a timeout may never fire, and what listens to it stays in memory.
  it('nobody combines signals by AbortSignal.any', () => {
    expect(files.filter((file) => /AbortSignal\.any\(/.test(text(file)))).toEqual([]);
  });

  it('one place prints for each program', () => {
    const printers = files.filter((file) => /console\.|process\.std(out|err)\.write/.test(text(file)));
    // Versions, and what the build made ready, are printed before anything else is loaded.
    expect(printers).toEqual(['src/cli/main.ts', 'src/terminal/terminal.ts', 'daemon/main.ts', 'daemon/start.ts']);
  });

  it('the environment is read where settings are loaded, and by programs', () => {
    const readers = files.filter((file) => /process\.env\b/.test(text(file)));
    const allowed =
      /^(src\/(start|terminal)\/|daemon\/modules\/sessions\/recognisers\/pocketsphinx-engine\.ts|daemon\/platform\/config\/load\.ts|daemon\/commands\/|daemon\/modules\/sessions\/speech-install\/places\.ts|src\/cli\/)/;
    expect(readers.filter((file) => !allowed.test(file))).toEqual([]);
  });
});

/** Tables by the module that owns them, as the data map says; `platform` belongs to no domain. */
const owners = new Map(
  readDataMap().map(({ name, file, fields }) => [name, { module: file.replace('.prisma', ''), fields }] as const),
);
const clientName = (table: string): string => table.charAt(0).toLowerCase() + table.slice(1);
const tables = [...owners.keys()];
/** Calls of the Prisma client, and raw statements. */
const call = new RegExp(
  `\\.(${tables.map(clientName).join('|')})\\s*\\.(find|count|create|update|upsert|delete|aggregate|groupBy)|\\$(query|execute)Raw`,
);
/** Tables that a text names: as Prisma does, in SQL, and for rows in sets. */
const tablesIn = (source: string): string[] =>
  tables.filter((table) =>
    new RegExp(
      `\\.${clientName(table)}\\s*\\.(find|count|create|update|upsert|delete|aggregate|groupBy)|"${table}"|'${table}'`,
    ).test(source),
  );
const ownerOf = (file: string): string => moduleOf(file)?.split('/')[2] ?? 'platform';

/** Queries that name a table of another module, each with its reason. */
const crossings: Readonly<Record<string, string>> = {
  'daemon/platform/database/in-reach.ts Project':
    'the condition that a project is within reach is stated once, for joins',
  'daemon/platform/database/in-reach.ts Tenant': 'the same',
  'daemon/platform/database/backup.ts Tenant': 'a backup is looked into as a whole',
  'daemon/platform/database/backup.ts User': 'the same',
  'daemon/platform/events/retention.ts Tenant': 'a gap in the log is told to every tenant',
};
/** Prisma also reaches a neighbour's table by the name of a relation. */
const relations: Readonly<Record<string, string>> = {
  'daemon/modules/identity/accounts/store.ts projects': 'how many projects a tenant has, for the list of the operator',
  'daemon/modules/identity/api-keys/store.ts project':
    'whether the project of a key is within reach, read with the key',
};

describe('the database', () => {
  const daemon = files.filter((file) => file.startsWith('daemon/'));

  it('is reached in stores alone', () => {
    const store =
      /(^|[/-])store\.ts$|\/sql\.ts$|^daemon\/platform\/(database|events)\/|^daemon\/platform\/secrets\/stores\.ts$/;
    expect(daemon.filter((file) => call.test(text(file)) && !store.test(file))).toEqual([]);
    expect(daemon.filter((file) => call.test(text(file))).length).toBeGreaterThan(20);
  });

  it('has its models in files that are named after a module, or after the platform', () => {
    const modules = new Set(files.flatMap((file) => moduleOf(file)?.split('/')[2] ?? []));
    expect(
      [...owners.values()].map(({ module }) => module).filter((one) => !modules.has(one) && one !== 'platform'),
    ).toEqual([]);
  });

  it('has no table that a query of another module names', () => {
    const found = daemon.flatMap((file) =>
      tablesIn(text(file))
        .filter((table) => owners.get(table)?.module !== ownerOf(file))
        .map((table) => `${file} ${table}`),
    );
    expect(found.toSorted()).toEqual(Object.keys(crossings).toSorted());
  });

  it('has no table that a query of another module reaches by a relation', () => {
    // A value, not the type of a field. The one condition that all may set is that the project is within reach.
    const named = (field: string) =>
      new RegExp(`\\b${field}: (?!projectInReach\\b)(?=[{a-z])(?!(string|number|boolean)\\b)`);
    const foreign = (module: string): string[] =>
      [...owners.values()]
        .filter((one) => one.module === module)
        .flatMap(({ fields }) => [...fields])
        .flatMap(([field, { type }]) => (owners.has(type) && owners.get(type)?.module !== module ? [field] : []));
    const found = daemon
      .filter((file) => call.test(text(file)))
      .flatMap((file) =>
        [...new Set(foreign(ownerOf(file)))]
          .filter((field) => named(field).test(text(file)))
          .map((field) => `${file} ${field}`),
      );
    expect(found.toSorted()).toEqual(Object.keys(relations).toSorted());
  });
});

describe('a refusal of the catalogue', () => {
  const giving = files.filter((file) => /^(daemon|src\/client)\//.test(file)).map(text);

  it.each(Object.keys(errorCatalogue))('%s is given somewhere, not only compared with', (code) => {
    const given = new RegExp(`(?<![!=]== |case )'${code}'`);
    expect(giving.some((source) => given.test(source))).toBe(true);
  });
});

describe('each thing of the contract belongs to one module', () => {
  const modules = [...new Set(files.flatMap((file) => moduleOf(file) ?? []))];
  const modulesWith = (pattern: RegExp): string[] =>
    modules.filter((module) => files.some((file) => file.startsWith(module) && pattern.test(text(file))));
  const groups = new Set(
    [...text('src/contract/routes.ts').matchAll(/\b(\w+Routes)\b(?=[^;]* from )/g)].map(([, group = '']) => group),
  );

  it('knows the groups of routes', () => {
    expect(groups.size).toBeGreaterThan(20);
  });

  it.each([...groups])('%s', (group) => {
    expect(modulesWith(new RegExp(`\\bbind\\(${group}\\b`))).toHaveLength(1);
  });

  /** The first that fits says which module announces an event. */
  const announcing: readonly (readonly [RegExp, string])[] = [
    [/^participant\.(joined|left)$/, 'sessions'],
    [/^participant\./, 'people'],
    [/\.annotation\./, 'plugins'],
    [/^rule\./, 'rules'],
    [/^(session|message|bot)\./, 'sessions'],
    [/^webhook\./, 'webhooks'],
    [/^room\./, 'rooms'],
    [/^(sanction|review)\./, 'moderation'],
    [/^gathering\./, 'gatherings'],
    [/^(challenge|battlepass|leaderboard)\./, 'gameplay'],
    [/^consumer\./, 'platform'],
    [/^audit\./, 'audit'],
  ];
  /** They name events of others because they follow them, forward them or show them. */
  const readers = [
    ...['daemon/modules/moderation/sanctions/room-enforcer.ts', 'daemon/modules/rooms/media/room-event-forwarder.ts'],
    'daemon/modules/rooms/elsewhere/moved-people.ts',
    ...['daemon/modules/mqtt/publisher.ts', 'daemon/modules/people/logged-history.ts'],
    ...['daemon/modules/figures/service.ts', 'daemon/modules/streams/filter.ts'],
    ...['sentiment', 'toxicity', 'summary', 'moderation-api'].map(
      (plugin) => `daemon/modules/plugins/catalogue/${plugin}.ts`,
    ),
  ];
  const named = (pattern: RegExp, fits: (match: string) => boolean): string[] => {
    const naming = files.filter((file) => file.startsWith('daemon/') && !readers.includes(file));
    const found = naming.filter((file) => [...text(file).matchAll(pattern)].some(([, match = '']) => fits(match)));
    return [...new Set(found.map(ownerOf))];
  };

  it.each(ownEventTypes)('%s', (type) => {
    const module = announcing.find(([pattern]) => pattern.test(type))?.[1];
    const whole = named(/'([a-z]+(?:\.[a-z]+)+)'/g, (name) => name === type);
    const start = named(/`([a-z]+(?:\.[a-z]+)*\.)\$\{\w+\}`/g, (name) => type.startsWith(name));
    expect(whole.length > 0 ? whole : start).toEqual([module]);
  });
});

describe('a handler', () => {
  it('takes the project as it was authorised, not from the path', () => {
    const handling = files.filter((file) => /^daemon\/modules\/.*routes\.ts$/.test(file));
    expect(handling.filter((file) => /\bproject\.projectId\b/.test(text(file))).length).toBeGreaterThan(10);
    expect(handling.filter((file) => /\bparams(\.projectId\b|: \{[^}]*\bprojectId\b)/.test(text(file)))).toEqual([]);
  });
});
