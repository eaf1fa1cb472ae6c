/** Packages that a program needs, read from apt's own list of dependencies. Pure. */

/**
 * Packages needed by `roots`, including these, from the output of `apt-cache depends --recurse`. Of alternatives the
 * first is taken, of a virtual package the first provider, as apt does on a system that has none of them. `given`, and
 * what only that needs, is left out.
 */
export function packageClosure(
  aptCacheDepends: string,
  roots: readonly string[],
  given: ReadonlySet<string>,
): string[] {
  const needs = readDepends(aptCacheDepends);
  const closure = new Set<string>();
  const visit = (name: string): void => {
    if (closure.has(name) || given.has(name)) return;
    closure.add(name);
    for (const needed of needs.get(name) ?? []) visit(needed);
  };
  for (const root of roots) visit(root);
  return [...closure];
}

/**
 * The output, by example: `libsphinxbase3` opens a paragraph, ` |Depends: libblas3` is a first alternative,
 * `  Depends: <libblas.so.3>` the last one, here virtual, with its providers on the lines below, indented further.
 */
function readDepends(text: string): Map<string, string[]> {
  const needs = new Map<string, string[]>();
  let current: string[] = [];
  let chosen = false; // within a group of alternatives
  let providerWanted = false;
  for (const line of text.split('\n')) {
    const dependency = /^ ([ |])(?:Pre)?Depends: (\S+)$/.exec(line);
    const provider = /^ {4}(\S+)$/.exec(line);
    if (dependency !== null) {
      const [, bar, name = ''] = dependency;
      const virtual = name.startsWith('<');
      if (!chosen && !virtual) current.push(name);
      providerWanted = !chosen && virtual;
      chosen = bar === '|' && (chosen || !virtual);
    } else if (provider?.[1] !== undefined && providerWanted) {
      current.push(provider[1]);
      providerWanted = false;
    } else if (/^\S+$/.test(line)) {
      current = [];
      chosen = false;
      needs.set(line, current);
    }
  }
  return needs;
}
