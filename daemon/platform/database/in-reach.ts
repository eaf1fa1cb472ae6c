/** Selects projects within reach: not deleted, and not of a tenant that the operator has disabled. */
export const projectInReach = { deletedAt: null, tenant: { disabledAt: null } } as const;

/** Returns the condition for rows with a `tenantId`, in raw statements; rows of deleted projects are removed anyway. */
export const tenantEnabled = (alias: string): string =>
  `NOT EXISTS (SELECT 1 FROM "Tenant" AS disabled WHERE disabled."id" = ${alias}."tenantId" AND disabled."disabledAt" IS NOT NULL)`;

/** Returns the condition of `projectInReach` for raw statements; `projectId`: the column with the id of the project. */
export const inReach = (projectId: string): string =>
  `EXISTS (SELECT 1 FROM "Project" AS p WHERE p."id" = ${projectId} AND p."deletedAt" IS NULL AND ${tenantEnabled('p')})`;
