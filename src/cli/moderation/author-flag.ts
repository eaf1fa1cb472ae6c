/** `--by`: only what one author did, whatever kind of author that is. */
import * as Flags from '@oclif/core/flags';
import { UsageError } from '../../terminal/usage-error.js';
import type { Kind } from '../names/kinds.js';

export const authorFlag = {
  by: Flags.string({
    description: 'Only sanctions by this author: an e-mail address, me, key:NAME, rule:NAME, or system',
    exclusive: ['moderator'],
  }),
};

interface AuthorQuery {
  readonly createdByUserId?: string;
  readonly createdByRuleId?: string;
  readonly bySystem?: boolean;
}

/** Throws UsageError, UnknownName. */
export async function authorQuery(
  typed: string | undefined,
  idOf: (kind: Kind, text: string) => Promise<string>,
): Promise<AuthorQuery> {
  if (typed === undefined) return {};
  if (typed === 'system') return { bySystem: true };
  const [, kind, name = ''] = /^(rule|key|plugin|user):(.+)$/i.exec(typed) ?? [];
  switch (kind?.toLowerCase()) {
    case 'rule':
      return { createdByRuleId: await idOf('rule', name) };
    case 'key':
      return { createdByUserId: await idOf('moderator', name) };
    case 'plugin':
      throw new UsageError(
        'Plugins only annotate; rules impose sanctions: --by rule:NAME. `earshot rules list` shows them.',
      );
    default:
      return { createdByUserId: await idOf('moderator', name === '' ? typed : name) };
  }
}
