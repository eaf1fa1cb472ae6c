/**
 * Knows which answers the event stream keeps fresh: those whose pages read them again after certain events. Nobody reads such
 * an answer again on the return to its screen, unless one of these events came meanwhile.
 */

export type QueryKey = readonly unknown[];

/** Returns the parts of a key as texts. */
const partsOf = (key: QueryKey): readonly string[] => key.map((part) => JSON.stringify(part));

export class KeptAnswers {
  /** By the parts of a key, what the types of events that change its answers begin with. */
  private readonly starts = new Map<string, { readonly parts: readonly string[]; readonly types: Set<string> }>();
  /** The stream is open. */
  isLive = false;

  /** Notes that answers whose keys begin so are read again after events of these types. */
  add(key: QueryKey, types: readonly string[]): void {
    const parts = partsOf(key);
    const id = parts.join();
    const known = this.starts.get(id) ?? { parts, types: new Set() };
    for (const type of types) known.types.add(type);
    if (known.types.size > 0) this.starts.set(id, known);
  }

  /** True for an answer that needs no look at the clock. */
  isKept = (key: QueryKey): boolean => this.isLive && this.typesOf(key).length > 0;

  /** True if the event may have changed the answer; also where nobody says by which events it changes. */
  mayChange(key: QueryKey, { type }: { readonly type: string }): boolean {
    const types = this.typesOf(key);
    return types.length === 0 || types.some((start) => type.startsWith(start));
  }

  private typesOf(key: QueryKey): readonly string[] {
    const own = partsOf(key);
    return [...this.starts.values()]
      .filter(({ parts }) => parts.every((part, index) => part === own[index]))
      .flatMap(({ types }) => [...types]);
  }
}

export const kept = new KeptAnswers();
