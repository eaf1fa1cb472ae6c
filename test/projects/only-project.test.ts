import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ProjectStore } from '../../daemon/modules/projects/store.js';
import type { Database } from '../../daemon/platform/database/database.js';
import { openSqlite, type TestDatabase } from '../support/database.js';

const [tenantId, at] = ['t1', new Date('2027-01-01T00:00:00Z')];

describe('the only project of a tenant', () => {
  let open: TestDatabase;
  let reads = 0;
  let counted: Database;
  beforeAll(async () => {
    open = await openSqlite();
    const { database } = open;
    await database.transaction((tx) => tx.tenant.create({ data: { id: tenantId, name: 'tenant', createdAt: at } }));
    counted = Object.create(database, {
      read: {
        get: () => {
          reads += 1;
          return database.read;
        },
      },
    });
  });
  afterAll(() => open.close());

  const create = (store: ProjectStore, id: string) =>
    counted.transaction((tx) => store.insert(tx, { id, tenantId, name: id, billingProjectId: id, createdAt: at }));

  it('is read once for many events, and again when projects come and go', async () => {
    const store = new ProjectStore(counted);
    expect(await store.onlyProjectOf(tenantId)).toBeNull();
    await create(store, 'a');
    reads = 0;
    const asked = await Promise.all(Array.from({ length: 64 }, () => store.onlyProjectOf(tenantId)));
    expect(new Set([...asked, await store.onlyProjectOf(tenantId)])).toEqual(new Set(['a']));
    expect(reads).toBe(1);
    await create(store, 'b');
    expect(await store.onlyProjectOf(tenantId)).toBeNull();
    await counted.transaction((tx) => store.markDeleted(tx, 'a', at));
    expect(await store.onlyProjectOf(tenantId)).toBe('b');
    await counted.transaction((tx) => store.markDeleted(tx, 'b', at));
    expect(await store.onlyProjectOf(tenantId)).toBeNull();
  });
});
