/** `earshotd ids …`. */
import { z } from 'zod';
import { ExternalUserId } from '../../../src/contract/common.js';
import { DomainError } from '../../../src/contract/errors.js';
import { SanctionName } from '../../../src/contract/moderation/sanction-record.js';
import { isPathPart } from '../../../src/contract/path-part.js';
import { type AdminHandler, handlerOf } from '../../platform/admin-operation.js';
import type { Database } from '../../platform/database/database.js';
import { nameKinds, renameFolded } from '../../platform/database/folded-ids.js';
import { Refused } from '../../platform/refused.js';
import type { PersonMoves } from './moves.js';

const others = nameKinds.filter((kind) => kind !== 'person');
const renamed = {
  projectId: z.uuid(),
  from: z.string().refine((text) => !isPathPart(text), 'is for the ids . and .. alone; rename others by the API'),
};

export const renameFoldedId = {
  name: 'ids.rename',
  input: z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('person'), ...renamed, to: ExternalUserId }),
    z.object({ kind: z.enum(others), ...renamed, to: SanctionName }),
  ]),
  output: z.object({}),
};

interface RenameNeeds {
  readonly database: Database;
  readonly moves: Pick<PersonMoves, 'movePerson'>;
  readonly projects: { tenantOf(projectId: string): Promise<string | null> };
}

/** Renames what earlier versions stored under a name that no path can carry. */
export const idOperations = ({ database, moves, projects }: RenameNeeds): AdminHandler[] => [
  handlerOf(renameFoldedId, async (asked) => {
    const { projectId, from, to } = asked;
    const tenantId = await projects.tenantOf(projectId);
    if (tenantId === null) throw new Refused(`There is no project ${projectId}.`);
    if (asked.kind === 'person') {
      const grant = { projectId, tenantId, role: 'owner' } as const;
      await moves.movePerson(grant, { user: from, to, isNamed: true }).catch((error: unknown) => {
        if (!(error instanceof DomainError)) throw error;
        const details = error.details?.map(({ path, message }) => `\n${path}: ${message}`) ?? [];
        throw new Refused(`${error.message}${details.join('')}`);
      });
      return {};
    }
    const count = await database.transaction((tx) => renameFolded(tx, database, asked));
    if (count === null) throw new Refused(`There is a ${asked.kind} ${to} already. Choose another name.`);
    if (count === 0) throw new Refused(`There is no ${asked.kind} ${from} in this project.`);
    return {};
  }),
];
