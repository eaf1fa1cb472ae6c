import { setTimeout as sleep } from 'node:timers/promises';
import BetterSqlite from 'better-sqlite3';
import { uuidv7 } from 'uuidv7';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Database, Transaction } from '../../../daemon/platform/database/database.js';
import { isUniqueViolation } from '../../../daemon/platform/database/errors.js';
import { GroupCommit } from '../../../daemon/platform/database/group-commit.js';
import { EventLog } from '../../../daemon/platform/events/log.js';
import type { NewEvent } from '../../../daemon/platform/events/logged.js';
import { LocalWakeUps } from '../../../daemon/platform/events/wake-ups.js';
import { systemClock } from '../../../daemon/platform/time/clock.js';
import { databases, type TestDatabase } from '../../support/database.js';

const tenantRow = (name: string) => ({ id: uuidv7(), name, createdAt: new Date() });
const event: NewEvent = {
  type: 'test.happened',
  tenantId: 't',
  projectId: null,
  resourceId: 'test:1',
  action: 'occurred',
  data: {},
};

describe.each(databases)('the database on $name', ({ name, open, here }) => {
  describe.skipIf(!here)('', () => {
    let opened: TestDatabase;
    let database: Database;
    beforeAll(async () => {
      opened = await open();
      database = opened.database;
    });
    afterAll(() => opened.close());

    it('keeps an acknowledged write made beside a transaction that rolls back', async () => {
      let open: () => void = () => {};
      const opened = new Promise<void>((resolve) => {
        open = resolve;
      });
      const failing = database.transaction(async (tx) => {
        await tx.tenant.create({ data: tenantRow('inside') });
        open();
        await sleep(100);
        throw new Error('roll back');
      });
      failing.catch(() => {});
      await opened;
      await database.transaction((tx) => tx.tenant.create({ data: tenantRow('beside') }));
      await expect(failing).rejects.toThrow('roll back');
      const names = (await database.read.tenant.findMany()).map(({ name }) => name);
      expect(names).toEqual(['beside']);
    });

    it('stores once what is committed, whatever a step after the commit throws', async () => {
      const reported: unknown[] = [];
      database.reportHookError = (error) => reported.push(error);
      let later = 0;
      const commits = new GroupCommit<string, string>('delivery_records', (names) =>
        database.transaction(async (tx) => {
          for (const name of names) await tx.tenant.create({ data: tenantRow(name) });
          database.afterCommit(tx, () => {
            throw new Error('hook');
          });
          database.afterCommit(tx, () => {
            later += 1;
          });
          return names;
        }),
      );
      const names = ['hooked 1', 'hooked 2', 'hooked 3'];
      expect(await Promise.all(names.map((name) => commits.submit(name)))).toEqual(names);
      const rows = await database.read.tenant.findMany({ where: { name: { startsWith: 'hooked' } } });
      expect(rows.map(({ name }) => name).sort()).toEqual(names);
      expect([reported.length, later]).toEqual([1, 1]);
      expect(reported[0]).toMatchObject({ message: 'hook' });
    });

    it('returns times, flags and large numbers of a statement that is written out as the client has them', async () => {
      const row = { ...tenantRow('written out'), disabledAt: new Date(0) };
      const number = (index: number) => (database.dialect === 'sqlite' ? '?' : `$${index}`);
      await database.transaction(async (tx) => {
        await tx.tenant.create({ data: row });
        await tx.streamHead.upsert({
          where: { shard: 7 },
          create: { shard: 7, position: BigInt(Number.MAX_SAFE_INTEGER) },
          update: {},
        });
      });
      const text = `SELECT t."name", t."disabledAt", h."position" FROM "Tenant" AS t, "StreamHead" AS h
        WHERE t."id" = ${number(1)} AND h."shard" = ${number(2)}`;
      const wanted = [{ name: 'written out', disabledAt: new Date(0), position: BigInt(Number.MAX_SAFE_INTEGER) }];
      expect(await database.read.$queryRawUnsafe(text, row.id, 7)).toEqual(wanted);
      expect(await database.transaction((tx) => tx.$queryRawUnsafe(text, row.id, 7))).toEqual(wanted);
    });

    it('goes on after another process has kept the file longer than it waits', async () => {
      if (name !== 'SQLite') return; // a file alone can be kept
      await database.transaction((tx) => tx.$executeRawUnsafe('PRAGMA busy_timeout = 20'));
      const other = new BetterSqlite(database.url.slice('file:'.length));
      other.exec('BEGIN IMMEDIATE');
      await expect(database.transaction((tx) => tx.tenant.create({ data: tenantRow('locked out') }))).rejects.toThrow();
      other.exec('COMMIT');
      other.close();
      const made = await database.transaction((tx) => tx.tenant.create({ data: tenantRow('afterwards') }));
      expect(made.name).toBe('afterwards');
    });

    it('does nothing for a transaction that has ended', async () => {
      const ended = await database.transaction(async (tx) => ({ tx }));
      const rename = `UPDATE "Tenant" SET "name" = 'too late'`;
      await expect(ended.tx.$executeRawUnsafe(rename)).rejects.toThrow();
      await database.transaction(async () => {
        await expect(ended.tx.$executeRawUnsafe(rename)).rejects.toThrow();
      });
      const late = tenantRow('too late');
      await expect(ended.tx.tenant.create({ data: late })).rejects.toThrow();
      await database.transaction(async (tx) => {
        await tx.tenant.count();
        await expect(ended.tx.tenant.create({ data: late })).rejects.toThrow();
      });
      expect(await database.read.tenant.count({ where: { name: 'too late' } })).toBe(0);
    });

    it('stores nothing of what a failed transaction was still doing', async () => {
      const rows = Array.from({ length: 20 }, () => tenantRow('still under way'));
      const failing = database.transaction((tx) =>
        Promise.all([
          ...rows.map((data) => tx.tenant.create({ data })),
          Promise.reject(new Error('no')),
          ...rows.map(({ id }) => tx.tenant.update({ where: { id }, data: { name: 'still under way' } })),
        ]),
      );
      const beside = database.transaction((tx) => tx.tenant.create({ data: tenantRow('beside it') }));
      await expect(failing).rejects.toThrow('no');
      await beside;
      expect(await database.read.tenant.count({ where: { name: 'still under way' } })).toBe(0);
      expect(await database.read.tenant.count({ where: { name: 'beside it' } })).toBe(1);
    });

    it('takes statements that are written out and others for one transaction', async () => {
      const [first, second] = [tenantRow('mixed'), tenantRow('mixed')];
      const mixed = async (tx: Transaction) => {
        await tx.tenant.create({ data: first });
        const changed = await tx.$executeRawUnsafe(`UPDATE "Tenant" SET "name" = 'mixed twice' WHERE "name" = 'mixed'`);
        expect(changed).toBe(1);
        expect((await tx.tenant.findUniqueOrThrow({ where: { id: first.id } })).name).toBe('mixed twice');
        await tx.tenant.create({ data: second });
      };
      await expect(database.transaction((tx) => mixed(tx).then(() => Promise.reject(new Error('no'))))).rejects.toThrow(
        'no',
      );
      expect(await database.read.tenant.count({ where: { id: { in: [first.id, second.id] } } })).toBe(0);
      await database.transaction(mixed);
      expect(await database.read.tenant.count({ where: { id: { in: [first.id, second.id] } } })).toBe(2);
    });

    it('adds up 20 parallel read-modify-writes', async () => {
      const row = tenantRow('0');
      await database.transaction((tx) => tx.tenant.create({ data: row }));
      const addOne = async (tx: Transaction) => {
        if (database.dialect === 'postgresql')
          await tx.$queryRawUnsafe('SELECT 1 FROM "Tenant" WHERE id = $1 FOR UPDATE', row.id);
        const { name } = await tx.tenant.findUniqueOrThrow({ where: { id: row.id } });
        await tx.tenant.update({ where: { id: row.id }, data: { name: String(Number(name) + 1) } });
      };
      await Promise.all(Array.from({ length: 20 }, () => database.transaction(addOne)));
      expect((await database.read.tenant.findUniqueOrThrow({ where: { id: row.id } })).name).toBe('20');
    });

    it('names a unique violation as such', async () => {
      const row = tenantRow('twice');
      await database.transaction((tx) => tx.tenant.create({ data: row }));
      const again = database.transaction((tx) => tx.tenant.create({ data: row }));
      await expect(again).rejects.toSatisfy(isUniqueViolation);
    });

    it('runs what hangs on a commit only after a commit', async () => {
      const ran: string[] = [];
      const failing = database.transaction(async (tx) => {
        database.afterCommit(tx, () => ran.push('rolled back'));
        throw new Error('no');
      });
      await expect(failing).rejects.toThrow('no');
      await database.transaction(async (tx) => database.afterCommit(tx, () => ran.push('committed')));
      expect(ran).toEqual(['committed']);
    });

    it('gives positions without gaps, in the order in which they become visible', async () => {
      const log = new EventLog(database, new LocalWakeUps(), systemClock);
      await log.start();
      const seen: bigint[] = [];
      let writing = true;
      const reader = (async () => {
        let after = 0n;
        for (;;) {
          const last = !writing;
          await sleep(1);
          const page = await log.read({ after, limit: 100 });
          seen.push(...page.map(({ position }) => position));
          after = page.at(-1)?.position ?? after;
          if (last && page.length === 0) return;
        }
      })();
      const write = () => database.transaction((tx) => log.append(tx, event, event));
      await Promise.all(
        Array.from({ length: 16 }, async () => {
          for (let round = 0; round < 5; round += 1) await write();
        }),
      );
      writing = false;
      await reader;
      expect(seen).toEqual(Array.from({ length: 160 }, (_, index) => BigInt(index + 1)));
      expect(await log.head()).toBe(160n);
    });

    it('lets others have their turn between transactions that follow one another', async () => {
      let isTheirTurn = false;
      setImmediate(() => {
        isTheirTurn = true;
      });
      let transactions = 0;
      for (; !isTheirTurn && transactions < 2_000; transactions += 1)
        await database.transaction((tx) => tx.$executeRawUnsafe('UPDATE "StreamHead" SET "shard" = "shard"'));
      expect(isTheirTurn).toBe(true);
    });

    it('stores an event as it will be told, times to the millisecond', async () => {
      const log = new EventLog(database, new LocalWakeUps(), () => new Date('2026-01-01T00:00:00.123Z'));
      const [stored] = await database.transaction((tx) =>
        log.append(tx, { ...event, projectId: 'p', data: { text: 'čeština \u{1f600}' }, changes: { text: null } }),
      );
      expect((await log.find(stored?.id ?? ''))?.event).toEqual(stored);
      expect(stored?.timestamp).toBe('2026-01-01T00:00:00.123Z');
    });

    it.each(['ahead', 'in the transaction'])(
      'redacts what concerned a person and keeps id and type, %s',
      async (when) => {
        const log = new EventLog(database, new LocalWakeUps(), systemClock);
        const about = {
          ...event,
          projectId: 'p2',
          subjectUserId: 'u1',
          resourceId: 'participant:7',
          data: { secret: 'words' },
        };
        const naming = { ...about, subjectUserId: null, resourceId: 'gathering:8', data: { ownerId: 'person-1' } };
        const other = { ...about, subjectUserId: 'u2', resourceId: 'participant:9' };
        const [stored, named, left] = await database.transaction((tx) => log.append(tx, about, naming, other));
        const person = { id: 'person-1', externalUserId: 'u1' };
        if (when === 'ahead') await log.redaction.ahead('p2', person, await log.head());
        else await database.transaction((tx) => log.redaction.person(tx, 'p2', person, 0n));
        expect((await log.find(named?.id ?? ''))?.event.payload.data).toEqual({ id: '8', redacted: true });
        expect((await log.find(left?.id ?? ''))?.event.payload.data).toEqual(other.data);
        const kept = await log.find(stored?.id ?? '');
        expect(kept?.event.payload).toEqual({ action: 'occurred', data: { id: '7', redacted: true } });
        expect(kept?.event.type).toBe('test.happened');
      },
    );
  });
});
