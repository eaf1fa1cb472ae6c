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
const shared = [
  ...[
    'src/contract/',
    'src/signing.ts',
    'src/frame-cipher.ts',
    'src/webhook-payload.ts',
    'src/printable.ts',
    'src/fold.ts',
    'src/media-tracks.ts',
    'src/own-value.ts',
    'src/nearest.ts',
    'src/event-types.ts',
  ],
];

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
    place: /^src\/(client\/|portable\.ts|webhooks\.ts)/,
    may: (target) =>
      startsWithOne(target, ['src/client/', 'src/contract/', 'src/webhooks.ts']) && !/\/voice\//.test(target),
  },
  {
    place: /^src\/browser\//,
    may: (target) =>
      startsWithOne(target, ['src/browser/', 'src/client/', 'src/contract/', 'src/portable.ts', 'src/frame-layout.ts']),
  },
  { place: /^src\/[^/]+\.ts$/, may: (target) => target.startsWith('src/') && !/^src\/(cli|browser)\//.test(target) },
  { place: /^src\/cli\//, may: (target) => target.startsWith('src/') },
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
    expect(printers).toEqual(['src/cli/main.ts', 'src/cli/terminal/terminal.ts', 'daemon/main.ts', 'daemon/start.ts']);
  });

  it('the environment is read where settings are loaded, and by programs', () => {
    const readers = files.filter((file) => /process\.env\b/.test(text(file)));
    const allowed =
      /^(src\/(code-cache|compiled-bundle)\.ts|daemon\/platform\/config\/load\.ts|daemon\/commands\/|daemon\/modules\/sessions\/speech-install\/places\.ts|src\/cli\/)/;
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

  it('is all that a store knows: jobs stand in files of their own', () => {
    const stores = daemon.filter((file) => /store\.ts$/.test(file));
    expect(stores.length).toBeGreaterThan(30);
    expect(stores.filter((file) => importsOf(file).some((target) => /\/scheduler\//.test(target)))).toEqual([]);
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

  it('is not handed to neighbours as a store', () => {
    const published = daemon.filter((file) => /\/(directory|index)\.ts$/.test(file));
    expect(published.filter((file) => /^ {2}readonly \w+: \w*Store;/m.test(text(file)))).toEqual([]);
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

  it('is given columns of JSON as values: stores encode and read them', () => {
    const columns = (module: string): string[] =>
      [...owners.values()]
        .filter((one) => one.module === module)
        .flatMap(({ fields }) => [...fields].flatMap(([field, { type }]) => (type === 'String' ? [field] : [])));
    const found = daemon
      .filter((file) => moduleOf(file) !== null && !/(store|-rows)\.ts$/.test(file))
      .flatMap((file) =>
        [...new Set(columns(ownerOf(file)))]
          .filter((field) => new RegExp(`\\b${field}: JSON\\.(stringify|parse)\\(`).test(text(file)))
          .map((field) => `${file} ${field}`),
      );
    expect(found).toEqual([]);
    const reading = daemon.filter((file) =>
      /\b(json(Text)?OrNull|jsonOf|withJson)\b[^;]*column-values\.js/.test(text(file)),
    );
    expect(reading.length).toBeGreaterThan(10);
    expect(reading.filter((file) => !/(store|-rows|\/columns)\.ts$/.test(file))).toEqual([]);
  });
});

describe('a refusal of the catalogue', () => {
  const giving = files.filter((file) => /^(daemon|src\/client)\//.test(file)).map(text);

  it.each(Object.keys(errorCatalogue))('%s is given somewhere, not only compared with', (code) => {
    const given = new RegExp(`(?<![!=]== |case )'${code}'`);
    expect(giving.some((source) => given.test(source))).toBe(true);
  });
});

describe('the platform', () => {
  /** Words that mean something there too: callers, reach, the log, and numbers. */
  const shared = ['audit', 'figure', 'function', 'identity', 'project', 'stream'];
  const singular = (name: string): string => name.replace(/s$/, '');
  const domains = [...new Set(files.flatMap((file) => moduleOf(file)?.split('/')[2] ?? []))].map(singular);
  /** Comments left out. */
  const wordsOf = (file: string): string[] =>
    text(file)
      .replaceAll(/\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/.*$/gm, '')
      .replaceAll(/([a-z])(?=[A-Z])/g, '$1 ')
      .toLowerCase()
      .split(/[^a-z]+/);
  const named: Readonly<Record<string, string>> = {
    'daemon/platform/capacity.ts mqtt': 'shares of the open files by kind of connection',
    'daemon/platform/http/connection-limits.ts mqtt': 'the same',
    'daemon/platform/database/bounded-postgresql.ts session': 'the name of a setting of PostgreSQL',
    'daemon/platform/http/authorisation.ts gameplay': 'where the contract says that a route names its project',
    'daemon/platform/http/authentication.ts room': 'the kinds of credentials',
    'daemon/platform/http/authorisation.ts room': 'the one room that a moderator by link acts in',
    'daemon/platform/http/bind.ts room': 'the kinds of credentials',
    'daemon/platform/http/caller.ts room': 'the one room that a moderator by link acts in',
    'daemon/platform/module.ts room': 'the kinds of credentials',
    'daemon/platform/http/errors.ts room': 'the challenge of RFC 6750 for the code of a room token',
    'daemon/platform/person-records.ts people': 'the kinds of records that the contract lists',
    'daemon/platform/quota/quota.ts gameplay': 'the name of a setting',
    'daemon/platform/http/pages.ts room': 'the pages that browsers load',
  };

  it('names no domain, but for the settings of all', () => {
    const found = files
      .filter((file) => file.startsWith('daemon/platform/') && !file.startsWith('daemon/platform/config/'))
      .flatMap((file) => {
        const words = new Set(wordsOf(file).map(singular));
        return domains.filter((name) => words.has(name) && !shared.includes(name)).map((name) => `${file} ${name}`);
      });
    expect(found.toSorted()).toEqual(Object.keys(named).toSorted());
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

describe('an operator command', () => {
  it('is stated by a module, so that the folded list is recorded as a whole', () => {
    const made = files.filter((file) => /\bhandlerOf\(/.test(text(file)));
    expect(made.length).toBeGreaterThan(3);
    const offered = made.flatMap((file) => [...text(file).matchAll(/export const (\w+Operations)\b/g)]);
    const users = files.filter((file) => offered.some(([, name]) => new RegExp(`\\b${name}\\(`).test(text(file))));
    expect(offered).toHaveLength(made.length);
    expect(users.filter((file) => !/^daemon\/(modules\/[^/]+\/module|platform\/storage)\.ts$/.test(file))).toEqual([]);
  });
});

describe('the rules of a module', () => {
  const rules = files.filter((file) => /^daemon\/modules\/.*(\/|-)rules\.ts$/.test(file));
  const tests = sources('test').map((file) => ({ file, source: readFileSync(join(root, file), 'utf8') }));

  it.each(rules)('%s have a test of many cases: a table, or properties', (rule) => {
    const importing = tests.filter(({ file, source }) =>
      [...source.matchAll(/from '(\.[^']+)'/g)].some(
        ([, specifier = '']) => normalize(join(dirname(file), specifier)).replace(/\.js$/, '.ts') === rule,
      ),
    );
    expect(importing.filter(({ source }) => /\bit\.each\b|\bfc\.assert\(/.test(source))).not.toEqual([]);
  });

  it.each(rules)('%s reach neither the database nor the network', (rule) => {
    const reached = runningImportsOf(rule).filter((file) => /store\.ts$|\/sql\.ts$|\/http\/|\/outbound\//.test(file));
    expect(reached).toEqual([]);
  });
});

describe('an exported name', () => {
  const isCode = (name: string): boolean => /\.m?[jt]s$/.test(name) && !name.includes('node_modules');
  const outside = ['test', 'bench', 'bin', 'examples'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter(isCode)
      .map((name) => [`${folder}/${name}`, readFileSync(join(root, folder, name), 'utf8')] as const),
  );
  /** `file name`; `file *` where all of its names are taken. */
  const taken = new Set<string>();
  for (const [file, whole] of [...textOf, ...outside]) {
    const source = whole.replaceAll(/\/\*[\s\S]*?\*\//g, '');
    const take = (specifier: string, name: string) =>
      taken.add(`${normalize(join(dirname(file), specifier)).replace(/\.js$/, '.ts')} ${name}`);
    for (const [, names = '', specifier = ''] of source.matchAll(
      /(?:import|export)\s+(?:type\s+)?([^'";]*?)\s+from\s+'(\.[^']+)'/g,
    ))
      for (const name of names.replace(/[{}]/g, '').split(','))
        take(
          specifier,
          name
            .trim()
            .replace(/^type /, '')
            .replace(/ as .*/s, ''),
        );
    for (const [, specifier = '', name = '*'] of source.matchAll(/import\(\s*'(\.[^']+)'\s*\)(?:\.(\w+))?/g))
      take(specifier, name);
  }
  /** Files that are started, or published to whoever imports the package. */
  const entries = ['src/index.ts', 'src/portable.ts', 'src/browser/index.ts', 'src/cli/main.ts', 'daemon/start.ts'];

  /** Declarations of other files name them, without an import, because a type is inferred there. */
  const inferred = new Set([
    ...['NameArgument', 'OptionalNameArgument', 'NameFlag', 'Values', 'BulkRows', 'Audit', 'Boards', 'Mqtt'],
  ]);

  it('is imported by another file; types too', () => {
    const offered = files.filter(
      (file) => /^(src|daemon)\//.test(file) && !entries.includes(file) && !taken.has(`${file} *`),
    );
    const exported = offered.flatMap((file) =>
      [...text(file).matchAll(/^export (?:async |abstract )?(?:interface|type|const|function|class) (\w+)/gm)].map(
        ([, name = '']) => `${file} ${name}`,
      ),
    );
    expect(exported.length).toBeGreaterThan(1_000);
    expect(exported.filter((name) => !taken.has(name) && !inferred.has(name.replace(/.* /, '')))).toEqual([]);
  });
});
