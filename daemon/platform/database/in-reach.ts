/** When a project is within reach: it is neither deleted nor of a tenant that the operator has disabled. */
export const projectInReach = { deletedAt: null, tenant: { disabledAt: null } } as const;

/** The same condition for rows with a `tenantId`, in raw statements; rows of deleted projects are removed anyway. */
export const tenantEnabled = (alias: string): string =>
  `NOT EXISTS (SELECT 1 FROM "Tenant" AS disabled WHERE disabled."id" = ${alias}."tenantId" AND disabled."disabledAt" IS NOT NULL)`;

/** The same condition in raw statements for rows with a project; `projectId`: the column that holds its id. */
export const inReach = (projectId: string): string =>
  `EXISTS (SELECT 1 FROM "Project" AS p WHERE p."id" = ${projectId} AND p."deletedAt" IS NULL AND ${tenantEnabled('p')})`;
