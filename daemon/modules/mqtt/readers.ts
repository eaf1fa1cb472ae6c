/** Answers the broker's questions about keys, players and projects: they decide who may follow a topic. */
import { DomainError } from '../../../src/contract/errors.js';
import { opens } from '../../../src/contract/scopes.js';
import type { ApiKeyCaller, Member, ProjectGrant } from '../../platform/http/caller.js';
import type { ProjectStore } from '../projects/store.js';

type ProjectLookup = Pick<ProjectStore, 'isOpen' | 'tenantOf' | 'inReach'>;

/** Answers whether an API key has the scope `events` and access to a project. */
export const operatorsOf = (
  apiKeys: { verify(key: string): Promise<ApiKeyCaller | null> },
  access: { grant(caller: Member, projectId: string): Promise<ProjectGrant | null> },
) => ({
  tenantFollowing: async (projectId: string, apiKey: string): Promise<string | null> => {
    const caller = await apiKeys.verify(apiKey);
    if (caller === null || !opens(caller.scopes, 'events:read')) return null;
    return (await access.grant(caller, projectId)) === null ? null : caller.tenantId;
  },
});

/** Throws player_token_invalid for players of projects that are deleted or of a disabled tenant. */
export const playersOf = <P extends { readonly projectId: string }>(
  tokens: { verify(token: string): Promise<P> },
  projects: ProjectLookup,
) => ({
  verify: async (token: string): Promise<P> => {
    const player = await tokens.verify(token);
    if (!(await projects.isOpen(player.projectId))) throw new DomainError('player_token_invalid');
    return player;
  },
});

export const topicsOf = <S extends { readonly projectId: string }>(
  topics: { find(name: string): Promise<S | null> },
  projects: ProjectLookup,
) => ({
  find: async (name: string): Promise<S | null> => {
    const subject = await topics.find(name);
    return subject !== null && (await projects.isOpen(subject.projectId)) ? subject : null;
  },
  tenantOf: projects.tenantOf,
  inReach: projects.inReach,
});
