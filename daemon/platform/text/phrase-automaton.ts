/**
 * Finds many phrases in one reading of a text (Aho-Corasick): the work grows with the text and with what is found in it,
 * not with the number of phrases. Symbols are whole words or single characters.
 */
import { Pauses } from '../database/slices.js';

interface SymbolPhrase<T> {
  readonly symbols: Iterable<string>;
  readonly value: T;
}

/** Position of a phrase: indexes of its first symbol and after its last one. */
interface Stretch {
  readonly start: number;
  readonly end: number;
}

const root = 0;
/** More than there are symbols. */
const symbolsBound = 2 ** 22;

export class PhraseAutomaton<T> {
  private readonly symbols = new Map<string, number>();
  /** The node behind a node and a symbol. */
  private readonly edges = new Map<number, number>();
  private readonly parent = [root];
  private readonly entry = [0];
  private readonly depth = [0];
  /** Nodes by their distance from the root, until they are linked. */
  private levels: number[][] = [];
  private readonly values = new Map<number, T[]>();
  /** For each node, the one of its longest proper ending that begins a phrase. */
  private readonly fallback = [root];
  /** For each node, the first at which a phrase ends, itself or along its fallbacks; the root: none. */
  private readonly reported = [root];

  private constructor() {}

  /** Lets other work run in between. Phrases without symbols are left out. */
  static async build<T>(phrases: Iterable<SymbolPhrase<T>>): Promise<PhraseAutomaton<T>> {
    const automaton = new PhraseAutomaton<T>();
    const pauses = new Pauses();
    for (const _ of automaton.built(phrases)) await pauses.next();
    return automaton;
  }

  /** At once: for short lists. */
  static small<T>(phrases: Iterable<SymbolPhrase<T>>): PhraseAutomaton<T> {
    const automaton = new PhraseAutomaton<T>();
    for (const _ of automaton.built(phrases));
    return automaton;
  }

  /** Nodes: what it costs in memory. */
  get size(): number {
    return this.parent.length;
  }

  get isEmpty(): boolean {
    return this.size === 1;
  }

  /** Values of all phrases in the text. */
  found(text: Iterable<string>): Set<T> {
    const found = new Set<T>();
    const seen = new Set<number>();
    let node = root;
    for (const symbol of text) {
      node = this.step(node, symbol);
      for (let end = this.reported[node] ?? root; end !== root && !seen.has(end); end = this.nextReported(end)) {
        seen.add(end);
        for (const value of this.values.get(end) ?? []) found.add(value);
      }
    }
    return found;
  }

  /** Returns the longest of all phrases that end at a symbol, for each symbol. */
  longest(text: readonly string[]): Stretch[] {
    const found: Stretch[] = [];
    let node = root;
    for (const [index, symbol] of text.entries()) {
      node = this.step(node, symbol);
      const end = this.reported[node] ?? root;
      if (end !== root) found.push({ start: index + 1 - (this.depth[end] ?? 0), end: index + 1 });
    }
    return found;
  }

  private nextReported(end: number): number {
    return this.reported[this.fallback[end] ?? root] ?? root;
  }

  /** Stops after each small step. */
  private *built(phrases: Iterable<SymbolPhrase<T>>): Generator<void> {
    for (const phrase of phrases) yield this.add(phrase);
    yield* this.linked();
  }

  private add({ symbols, value }: SymbolPhrase<T>): void {
    let node = root;
    for (const text of symbols) {
      const symbol = this.symbols.get(text) ?? this.symbols.size;
      this.symbols.set(text, symbol);
      node = this.edges.get(edge(node, symbol)) ?? this.grow(node, symbol);
    }
    if (node === root) return;
    const values = this.values.get(node) ?? [];
    values.push(value);
    this.values.set(node, values);
  }

  private grow(parent: number, symbol: number): number {
    const node = this.parent.length;
    this.edges.set(edge(parent, symbol), node);
    this.parent.push(parent);
    this.entry.push(symbol);
    const depth = (this.depth[parent] ?? 0) + 1;
    this.depth.push(depth);
    this.levels[depth] = this.levels[depth] ?? [];
    this.levels[depth]?.push(node);
    return node;
  }

  /** Links nodes from the root outwards: a fallback is always nearer to the root. */
  private *linked(): Generator<void> {
    for (const level of this.levels)
      for (const node of level ?? []) {
        const parent = this.parent[node] ?? root;
        const fallback = parent === root ? root : this.follow(this.fallback[parent] ?? root, this.entry[node] ?? 0);
        this.fallback[node] = fallback;
        this.reported[node] = this.values.has(node) ? node : (this.reported[fallback] ?? root);
        yield;
      }
    this.levels = [];
  }

  private step(node: number, text: string): number {
    const symbol = this.symbols.get(text);
    return symbol === undefined ? root : this.follow(node, symbol);
  }

  private follow(from: number, symbol: number): number {
    for (let node = from; ; node = this.fallback[node] ?? root) {
      const next = this.edges.get(edge(node, symbol));
      if (next !== undefined) return next;
      if (node === root) return root;
    }
  }
}

const edge = (node: number, symbol: number): number => node * symbolsBound + symbol;
