import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('..', import.meta.url));

/** Place → what its files may import of ours. A place is the longest prefix that fits; `self` is its own folder. */
const mayImport: Readonly<Record<string, readonly string[]>> = {
  'src/contract': ['self'],
  'src/signing.ts': [],
  'src/printable.ts': [],
  'src/frame-cipher.ts': [],
  'src/webhook-payload.ts': ['src/contract'],
  'src/client': ['self', 'src/contract', 'src/signing.ts', 'src/frame-cipher.ts'],
  'src/cli': ['self', 'src/client', 'src/contract', 'src/signing.ts', 'src/webhook-payload.ts', 'src/printable.ts'],
  'src/index.ts': ['src/'],
  commands: ['src/'],
  web: ['self', 'src/contract'],
  'daemon/platform/clock.ts': [],
  'daemon/platform/refused.ts': [],
  'daemon/platform/http/sockets.ts': [],
  'daemon/platform/version.ts': [],
  'daemon/config': ['self', 'daemon/voice/transcribers'],
  'daemon/observability': ['self', 'src/printable.ts'],
  'daemon/database': ['self', 'src/contract', 'daemon/platform/clock.ts', 'daemon/platform/refused.ts'],
  'daemon/events': ['self', 'src/contract', 'daemon/database', 'daemon/platform/clock.ts', 'daemon/observability'],
  'daemon/secrets': ['self', 'daemon/database', 'daemon/platform/clock.ts', 'daemon/platform/refused.ts'],
  'daemon/control': [
    'self',
    'src/contract',
    'daemon/features',
    'daemon/secrets',
    'daemon/platform/refused.ts',
    'daemon/observability',
  ],
  'daemon/mail': ['self', 'daemon/observability'],
  'daemon/http': [
    'self',
    'src/contract',
    'daemon/platform/http/sockets.ts',
    'daemon/platform/clock.ts',
    'daemon/observability',
  ],
  'daemon/features': [
    'self',
    'src/contract',
    'src/signing.ts',
    'daemon/database',
    'daemon/events',
    'daemon/http',
    'daemon/secrets',
    'daemon/platform/clock.ts',
    'daemon/platform/refused.ts',
    'daemon/observability',
  ],
  'daemon/delivery': [
    'self',
    'src/contract',
    'src/signing.ts',
    'src/webhook-payload.ts',
    'daemon/database',
    'daemon/events',
    'daemon/http',
    'daemon/features',
    'daemon/platform/scheduler/repeat.ts',
    'daemon/platform/http/sockets.ts',
    'daemon/platform/clock.ts',
    'daemon/observability',
  ],
  'daemon/jobs': ['self', 'daemon/features', 'daemon/platform/clock.ts', 'daemon/observability'],
  'daemon/voice': [
    'self',
    'daemon/database',
    'daemon/events',
    'src/contract',
    'src/frame-cipher.ts',
    'daemon/platform/clock.ts',
    'daemon/observability',
    'daemon/http',
    'daemon/features',
  ],
  'daemon/programs': ['src/', 'daemon/'],
  'daemon/main.ts': ['daemon/programs', 'daemon/platform/version.ts', 'src/printable.ts'],
  daemon: ['src/', 'daemon/'],
};

const sources = (folder: string): string[] => {
  try {
    return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts') && !name.includes('generated'))
      .map((name) => `${folder}/${name}`);
  } catch {
    return [];
  }
};
const files = ['src', 'daemon', 'commands', 'web'].flatMap(sources);
const text = (file: string): string => readFileSync(join(root, file), 'utf8');
const specifiers = (file: string): string[] =>
  [...text(file).matchAll(/(?:from|import\()\s*'([^']+)'/g)].map(([, specifier = '']) => specifier);
const placeOf = (file: string): string =>
  Object.keys(mayImport)
    .filter((place) => file.startsWith(place))
    .sort((a, b) => b.length - a.length)[0] ?? '';

/** One folder a resource: a feature never reaches into another one. */
const featureOf = (file: string): string | null => /^daemon\/features\/([^/]+)\//.exec(file)?.[1] ?? null;

describe.each(files)('%s', (file) => {
  const place = placeOf(file);
  const own = specifiers(file)
    .filter((one) => one.startsWith('.'))
    .map((one) => normalize(join(dirname(file), one)).replace(/\.js$/, '.ts'));

  it('imports only what its place allows', () => {
    const allowed = (mayImport[place] ?? []).map((one) => (one === 'self' ? place : one));
    expect(own.filter((target) => !allowed.some((prefix) => target.startsWith(prefix)))).toEqual([]);
  });

  it('does not reach into another feature', () => {
    const feature = featureOf(file);
    expect(
      own.filter((target) => feature !== null && featureOf(target) !== null && featureOf(target) !== feature),
    ).toEqual([]);
  });
});

describe('a supplier is known in few places', () => {
  const users = (pattern: RegExp) => files.filter((file) => specifiers(file).some((one) => pattern.test(one)));

  it.each([
    ['express', /^express$/, /^daemon\/(http|observability)\/|router\.ts$/],
    ['Prisma', /^@prisma\/|generated\//, /^daemon\/database\//],
    ['oclif', /^@oclif\//, /^(src\/cli|commands)\//],
    ['zod in the contract, and where text from outside is read', /^zod$/, /^(src|daemon)\//],
  ])('%s', (_, supplier, allowed) => {
    expect(users(supplier).filter((file) => !allowed.test(file))).toEqual([]);
  });

  it('prints in one place', () => {
    const printers = files.filter((file) => /console\.|process\.std(out|err)\.write/.test(text(file)));
    expect(printers).toEqual(['src/cli/terminal.ts', 'daemon/main.ts']);
  });

  it('reads the environment in one place', () => {
    const readers = files.filter((file) => /process\.env\b/.test(text(file)));
    expect(
      readers.filter((file) => !/^(daemon\/config\/load\.ts|daemon\/programs\/|src\/cli\/|daemon\/voice\/)/.test(file)),
    ).toEqual([]);
  });
});
