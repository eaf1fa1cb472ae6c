/** The few rules of the house: who may import whom, and where suppliers and the database are known. */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

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
const startsWithOne = (file: string, places: readonly string[]): boolean =>
  places.some((place) => file.startsWith(place));

/** `daemon/modules/<domain>/`, for the files of a module. */
const moduleOf = (file: string): string | null => /^daemon\/modules\/[^/]+\//.exec(file)?.[0] ?? null;

/** The daemon stands on these of the library: the contract, and what both sides must compute alike. */
const shared = [
  ...['src/contract/', 'src/signing.ts', 'src/frame-cipher.ts', 'src/webhook-payload.ts', 'src/printable.ts'],
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
      return file === `${moduleOf(file)}module.ts` && /^daemon\/modules\/[^/]+\/index\.ts$/.test(target);
    },
  },
  // The programs: they put together what the rooms above offer.
  { place: /^daemon\//, may: (target) => startsWithOne(target, ['daemon/', 'src/']) },
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

  it('a module publishes types through index.ts, nothing that runs', () => {
    const running = files
      .filter((file) => /^daemon\/modules\/[^/]+\/index\.ts$/.test(file))
      .filter((file) => /^export (?!type )/m.test(text(file)));
    expect(running).toEqual([]);
  });

  it('no imports go in a circle, types left out', () => {
    const done = new Set<string>();
    const circles: string[] = [];
    const visit = (file: string, path: readonly string[]): void => {
      if (path.includes(file)) circles.push([...path.slice(path.indexOf(file)), file].join(' → '));
      if (done.has(file) || path.includes(file)) return;
      const running = [...text(file).matchAll(/^(?:import|export) (?!type )[^;]*?from '(\.[^']+)';/gms)].map(
        ([, specifier = '']) => normalize(join(dirname(file), specifier)).replace(/\.js$/, '.ts'),
      );
      for (const target of running) visit(target, [...path, file]);
      done.add(file);
    };
    for (const file of files) visit(file, []);
    expect(circles).toEqual([]);
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
      expect([...packages].filter((name) => !['zod', 'eventsource-parser'].includes(name))).toEqual([]);
    },
  );
});

describe('a supplier is known in few places', () => {
  it.each([
    ['Express', /^express$/, /^daemon\/platform\/(http|idempotency|observability)\/|routes\.ts$/],
    ['Prisma', /^@prisma\/|generated\//, /^daemon\/platform\/database\//],
    ['oclif', /^@oclif\//, /^(src\/cli|commands)\//],
    ['zod in the contract, and where text from outside is read', /^zod$/, /^(src|daemon)\//],
  ])('%s', (_, supplier, allowed) => {
    const users = files.filter((file) => specifiers(file).some((specifier) => supplier.test(specifier)));
    expect(users.length).toBeGreaterThan(0);
    expect(users.filter((file) => !allowed.test(file))).toEqual([]);
  });

  it('the library sends its requests from one place', () => {
    const library = files.filter((file) => /^src\/(client|browser|contract)\//.test(file));
    expect(library.filter((file) => /(?<![.\w])fetch\(/.test(text(file)))).toEqual(['src/client/transport.ts']);
  });

  it('one place prints for each program', () => {
    const printers = files.filter((file) => /console\.|process\.std(out|err)\.write/.test(text(file)));
    expect(printers).toEqual(['src/cli/terminal.ts', 'daemon/main.ts']);
  });

  it('the environment is read where settings are loaded, and by programs', () => {
    const readers = files.filter((file) => /process\.env\b/.test(text(file)));
    const allowed = /^(daemon\/platform\/config\/load\.ts|daemon\/commands\/|daemon\/modules\/sessions\/|src\/cli\/)/;
    expect(readers.filter((file) => !allowed.test(file))).toEqual([]);
  });
});

describe('the composition root', () => {
  it('fits on two screens', () => {
    expect(text('daemon/daemon.ts').split('\n').length).toBeLessThanOrEqual(120);
  });
});
