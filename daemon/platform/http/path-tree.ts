/**
 * Finds the entry for a path by its parts, in a time that does not grow with the number of paths. A literal part goes
 * before a parameter at the same place; a parameter takes one part that is not empty.
 */
interface Branch<T> {
  readonly literals: Map<string, Branch<T>>;
  parameter: Branch<T> | null;
  value: T | null;
}

const branch = <T>(): Branch<T> => ({ literals: new Map(), parameter: null, value: null });
const partsOf = (path: string): string[] => path.slice(1).split('/');

export class PathTree<T> {
  private readonly root = branch<T>();

  /** `path` as the contract writes it: /api/projects/{projectId}. Each place takes one. */
  set(path: string, value: T): void {
    let at = this.root;
    for (const part of partsOf(path)) at = part.startsWith('{') ? parameterOf(at) : literalOf(at, part);
    if (at.value !== null) throw new Error(`Another path stands at the place of ${path}.`);
    at.value = value;
  }

  /** `path` as a client sends it, neither decoded nor changed. */
  find(path: string): T | null {
    return path.startsWith('/') ? search(this.root, partsOf(path), 0) : null;
  }
}

function parameterOf<T>(at: Branch<T>): Branch<T> {
  at.parameter ??= branch();
  return at.parameter;
}

function literalOf<T>(at: Branch<T>, part: string): Branch<T> {
  const next = at.literals.get(part) ?? branch();
  at.literals.set(part, next);
  return next;
}

function search<T>(at: Branch<T>, parts: readonly string[], index: number): T | null {
  const part = parts[index];
  if (part === undefined) return at.value;
  const literal = at.literals.get(part);
  const found = literal === undefined ? null : search(literal, parts, index + 1);
  if (found !== null || part === '' || at.parameter === null) return found;
  return search(at.parameter, parts, index + 1);
}
