import findMyWay from 'find-my-way';

/**
 * Finds the entry for a path by its parts. A literal part goes before a parameter at the same place; a parameter takes one
 * part that is not empty.
 */
export class PathFinder<T> {
  private readonly router = findMyWay({ maxParamLength: Number.MAX_SAFE_INTEGER });

  /** `path` as the contract writes it: /api/projects/{projectId}. Throws where another path is like it. */
  set(path: string, entry: T): void {
    this.router.on('GET', path.replaceAll(/\{(\w+)\}/g, ':$1([^/]+)'), () => {}, entry);
  }

  /** `path` as a client sends it, without its query. Nothing is decoded: `%` stands for itself. */
  find(path: string): { readonly entry: T; readonly params: Record<string, string> } | null {
    const found = this.router.find('GET', path.replaceAll('%', '%25'));
    return found && { entry: found.store, params: { ...found.params } as Record<string, string> };
  }
}
