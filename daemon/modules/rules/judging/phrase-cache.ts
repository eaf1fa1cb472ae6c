/** Keeps the phrases of projects prepared until a version of a rule changes; those used longest ago are let go first. */
import { LRUCache } from 'lru-cache';
import type { WholeRule } from '../resource/rule-store.js';
import { RulePhrases } from './phrases.js';

/** All projects together: some 70 MB. */
const nodesMax = 1_000_000;

interface CachedPhrases {
  /** Rules and versions that the phrases are of. */
  readonly versions: string;
  readonly phrases: RulePhrases;
}

export class PhraseCache {
  private readonly known = new LRUCache<string, CachedPhrases>({
    maxSize: nodesMax,
    sizeCalculation: ({ phrases }) => phrases.size,
  });

  /** Phrases of all rules that judge in the project, which share one automaton. */
  async phrasesOf({ projectId, rules }: { readonly projectId: string; readonly rules: readonly WholeRule[] }) {
    const versions = rules.map(({ row: { id, version } }) => `${id}@${version}`).join();
    const before = this.known.get(projectId);
    if (before?.versions === versions) return before.phrases;
    const phrases = await RulePhrases.compile(
      rules.map(({ row: { id: ruleId }, definition }) => ({ ruleId, definition })),
    );
    this.known.set(projectId, { versions, phrases });
    return phrases;
  }
}
