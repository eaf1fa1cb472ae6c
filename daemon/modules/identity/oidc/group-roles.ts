/** What a person's groups give them, by the setting EARSHOT_IDENTITY_ROLES. */
import { type ProjectRole, projectRoles } from '../../../../src/contract/route.js';
import { ownValue } from '../../../../src/names/own-value.js';

/** By group: `admin`, `member`, or a role in a project such as `moderator@Project`; `*` is every project. */
export type GroupRoles = Readonly<Record<string, readonly string[]>>;

export interface GroupGrants {
  /** True if one of the groups is in the setting: the person gets an account. */
  readonly isMember: boolean;
  /** True if the person is an administrator of the tenant. */
  readonly isAdmin: boolean;
  readonly projects: readonly { readonly project: string; readonly role: ProjectRole }[];
}

export function grantsOf(groups: readonly string[], roles: GroupRoles): GroupGrants {
  const granted = groups.map((group) => ownValue(roles, group));
  const all = granted.flatMap((some) => some ?? []);
  return {
    isMember: granted.some((some) => some !== undefined),
    isAdmin: all.includes('admin'),
    projects: all.flatMap((text) => {
      const at = text.indexOf('@');
      const role = projectRoles.find((name) => name === text.slice(0, at));
      return at === -1 || role === undefined ? [] : [{ project: text.slice(at + 1), role }];
    }),
  };
}
