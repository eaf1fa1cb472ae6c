/** Rules, as moderation asks for them. */
import type { Platform } from '../../platform/platform.js';
import { RuleStore } from './resource/rule-store.js';

export interface RuleDirectory {
  /** Returns the rules that the project has, as `id`, and their versions, as `id@version`, out of these. */
  known(projectId: string, ids: string[]): Promise<ReadonlySet<string>>;
  /** Names by id, of deleted rules too. */
  names(projectId: string, ids: readonly string[]): Promise<ReadonlyMap<string, string>>;
}

/** Directory of rules for moderation; made before the rest of the module. */
export function ruleDirectory({ database }: Pick<Platform, 'database'>): RuleDirectory {
  const rules = new RuleStore(database);
  return {
    known: (projectId, ids) => rules.known(projectId, ids),
    names: (projectId, ids) => rules.names(projectId, ids),
  };
}
