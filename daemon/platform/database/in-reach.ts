/** What a project must be for anything to happen in it: neither deleted nor of a tenant that the operator has disabled. */
export const projectInReach = { deletedAt: null, tenant: { disabledAt: null } } as const;

/** The same about rows that hold a `tenantId`, as a condition of a raw statement; deleted projects lose their rows anyway. */
export const tenantEnabled = (alias: string): string =>
  `NOT EXISTS (SELECT 1 FROM "Tenant" AS disabled WHERE disabled."id" = ${alias}."tenantId" AND disabled."disabledAt" IS NOT NULL)`;
