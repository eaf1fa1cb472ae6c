/** A second tenant beside the daemon's own, with a key that holds every scope, written straight into the database. */
import { generateKey, keyHash, shownPrefix } from '../../daemon/modules/identity/api-keys/key-format.js';
import { Database } from '../../daemon/platform/database/database.js';
import { uuidv7 } from '../../daemon/platform/ids/new-id.js';
import { scopeNames } from '../../src/contract/scopes.js';

/** Creates another tenant and returns its key; `url` of the database. */
export const makeOtherTenant = async (url: string, createdAt: Date): Promise<string> =>
  (await makeOtherProject(url, createdAt)).key;

/** Creates another tenant with a project in it. */
export async function makeOtherProject(url: string, createdAt: Date): Promise<{ key: string; projectId: string }> {
  const database = await Database.connect(url);
  const [tenantId, projectId, key] = [uuidv7(), uuidv7(), generateKey()];
  try {
    await database.transaction(async (tx) => {
      await tx.tenant.create({ data: { id: tenantId, name: 'another tenant', createdAt } });
      const project = { id: projectId, tenantId, name: 'theirs', billingProjectId: projectId, createdAt };
      await tx.project.create({ data: project });
      const row = {
        id: uuidv7(),
        tenantId,
        name: 'theirs',
        keyPrefix: shownPrefix(key),
        keyHash: keyHash(key),
        createdAt,
      };
      await tx.apiKey.create({ data: { ...row, scopes: JSON.stringify(scopeNames) } });
    });
  } finally {
    await database.close();
  }
  return { key, projectId };
}
