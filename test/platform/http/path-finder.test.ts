/** Routes at a path are those that Express would find, asked for one pattern after the other. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { PathFinder } from '../../../daemon/platform/http/path-finder.js';
import { allRoutes } from '../../../src/contract/routes.js';
import { scale } from '../../support/scale.js';

const paths = [...new Set(allRoutes.map(({ path }) => path))];
const words = [...new Set(paths.flatMap((path) => path.split('/')).filter((part) => !part.startsWith('{')))];

const finderOf = (all: readonly string[]): PathFinder<string> => {
  const finder = new PathFinder<string>();
  for (const path of all) finder.set(path, path);
  return finder;
};
const foundAt = (finder: PathFinder<string>, asked: string) => finder.find(asked)?.entry ?? null;
const patternOf = (path: string) => new RegExp(`^${path.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '[^/]+')}$`);
/** Literal parts sort before parameters, from the left. */
const rankOf = (path: string): string =>
  path
    .split('/')
    .map((part) => (part.startsWith('{') ? '1' : '0'))
    .join('');
const expectedAt = (all: readonly string[], asked: string): string | null =>
  all.filter((path) => patternOf(path).test(asked)).sort((a, b) => rankOf(a).localeCompare(rankOf(b)))[0] ?? null;

const part = fc.oneof(
  fc.constantFrom(...words),
  fc.constantFrom('', '%2F', 'x y', '{id}', '..', '__proto__'),
  fc.uuid(),
);
const asked = fc.oneof(
  fc.array(part, { maxLength: 8 }).map((parts) => `/${parts.join('/')}`),
  fc.constantFrom(...paths).chain((path) =>
    fc.array(part, { minLength: path.split('/').length, maxLength: path.split('/').length }).map((parts) =>
      path
        .split('/')
        .map((own, index) => (own.startsWith('{') ? parts[index] : own))
        .join('/'),
    ),
  ),
  fc.string(),
);

describe('the finder of paths', () => {
  it('finds the path of the contract that a request is for', () => {
    const finder = finderOf(paths);
    fc.assert(
      fc.property(asked, (path) => {
        expect(foundAt(finder, path)).toBe(expectedAt(paths, path));
      }),
      { numRuns: scale(500, 50_000) },
    );
  });

  it('goes back from a literal part behind which nothing fits', () => {
    const few = ['/a/b/c', '/a/{x}/d', '/{y}/b/e'];
    const finder = finderOf(few);
    for (const path of ['/a/b/c', '/a/b/d', '/a/b/e', '/z/b/e', '/a/b/f', '/a//d', 'a/b/c', '/a/b'])
      expect(foundAt(finder, path)).toBe(expectedAt(few, path));
  });

  it('takes one path a place', () => {
    const finder = finderOf(['/a/{x}']);
    expect(() => finder.set('/a/{y}', 'other')).toThrow('already declared');
  });
});
