/** A file of sanctions by the CLI: fast, and applied once whatever is killed on the way; on both databases. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { EarshotClient } from '../../src/client/earshot-client.js';
import { accountRoutes } from '../../src/contract/identity/accounts.js';
import { sanctionRoutes } from '../../src/contract/moderation/sanctions.js';
import { projectRoutes } from '../../src/contract/projects/projects.js';
import { administrator, DaemonProcess } from '../support/daemon-process.js';
import { inSqlite } from '../support/database.js';
import { hasPostgresql, type PostgresqlServer, startPostgresql } from '../support/postgresql.js';
import { programEnvironment } from '../support/program-environment.js';
import { scale, torture } from '../support/scale.js';

const program = fileURLToPath(new URL('../../bin/earshot.js', import.meta.url));
const sqlite = { name: 'SQLite', here: true, open: async (): Promise<PostgresqlServer | null> => null };
const postgresql = { name: 'PostgreSQL', here: hasPostgresql, open: startPostgresql };
/** test/moderation/sanction-batches.test.ts takes the small run to both. */
const databases = torture ? [sqlite, postgresql] : [sqlite];
const lineCount = scale(300, 10_000);
const kills = scale(1, 4);
/** "applies 10,000 lines set-based in ≤ 10 s" */
const budgetMs = 10_000;
const patienceMs = scale(120_000, 600_000);

describe.each(databases)('sanctions apply on $name', ({ name, here, open }) => {
  describe.skipIf(!here)('', () => {
    let server: PostgresqlServer | null = null;
    let daemon: DaemonProcess;
    let token: string;
    let projectId: string;
    let applyMs: number;

    beforeAll(async () => {
      server = await open();
      daemon = new DaemonProcess(server === null ? inSqlite : { DATABASE_URL: server.url });
      await daemon.start();
      const login = { body: administrator };
      ({ accessToken: token } = await new EarshotClient({ baseUrl: daemon.url }).call(
        accountRoutes.loginCredentials,
        login,
      ));
      const [project] = await client().call(projectRoutes.list, {});
      projectId = project?.id ?? '';
    });
    afterAll(async () => {
      await daemon.dispose();
      await server?.stop();
    });

    const client = () => new EarshotClient({ baseUrl: daemon.url, credential: { kind: 'bearer', token } });
    const start = (...args: string[]): ChildProcess =>
      spawn(process.execPath, [program, 'sanctions', ...args], {
        env: { ...programEnvironment, HOME: daemon.dataDir, EARSHOT_URL: daemon.url, EARSHOT_TOKEN: token },
        stdio: ['ignore', 'ignore', 'pipe'],
      });
    const ended = async (child: ChildProcess) => {
      const [stderr] = await Promise.all([child.stderr === null ? '' : text(child.stderr), once(child, 'close')]);
      return { code: child.exitCode, stderr };
    };
    const run = (...args: string[]) => ended(start(...args));
    const file = (batch: string): string[] => {
      const path = join(daemon.dataDir, `${batch}.ndjson`);
      const line = (index: number) => ({ type: 'mute', externalUserId: `${batch}-${index}`, reason: 'raid' });
      const lines = Array.from({ length: lineCount }, (_, index) => JSON.stringify(line(index)));
      writeFileSync(path, lines.join('\n'));
      return ['apply', '--file', path, '--batch', batch];
    };
    const count = async (batchId: string, activeOnly: boolean) => {
      const query = { batchId, limit: 1, offset: 0, activeOnly: String(activeOnly) };
      return (await client().call(sanctionRoutes.list, { params: { projectId }, query })).total;
    };
    /** Moments within the time that a whole run takes. */
    const moments = Array.from({ length: kills }, (_, index) => (index + 1) / (kills + 1));

    it('issues each line once and takes all of them back', { timeout: patienceMs }, async () => {
      const begin = performance.now();
      const applied = await run(...file('raid'));
      applyMs = performance.now() - begin;
      expect(applied).toEqual({ code: 0, stderr: expect.stringContaining(`${lineCount} issued, 0 unchanged`) });
      expect(await run(...file('raid'))).toMatchObject({ stderr: expect.stringContaining(`0 issued, ${lineCount}`) });
      expect(await count('raid', true)).toBe(lineCount);
      const undoing = performance.now();
      expect(await run('undo', 'raid')).toMatchObject({ code: 0 });
      const undoMs = performance.now() - undoing;
      expect([await count('raid', true), await count('raid', false)]).toEqual([0, lineCount]);
      if (!torture) return;
      console.log(`${name}: ${lineCount} lines applied in ${applyMs | 0} ms, taken back in ${undoMs | 0} ms`);
      expect(applyMs).toBeLessThan(budgetMs);
    });

    it('goes on after it was killed itself', { timeout: patienceMs }, async () => {
      for (const [round, moment] of moments.entries()) {
        const batch = `killed-${round}`;
        const child = start(...file(batch));
        const end = once(child, 'close');
        await sleep(applyMs * moment);
        child.kill('SIGKILL');
        await end;
        expect(await run(...file(batch))).toMatchObject({ code: 0 });
        expect(await count(batch, false)).toBe(lineCount);
      }
    });

    it('goes on after the daemon was killed, and says that it is gone', { timeout: patienceMs }, async () => {
      for (const [round, moment] of moments.entries()) {
        const batch = `orphaned-${round}`;
        const outcome = ended(start(...file(batch)));
        await sleep(applyMs * moment);
        await daemon.end('SIGKILL');
        const { code } = await outcome;
        expect([0, 7]).toContain(code);
        await daemon.start();
        const there = await count(batch, false);
        expect(code === 0 ? [lineCount] : [0, lineCount]).toContain(there);
        expect(await run(...file(batch))).toMatchObject({ code: 0 });
        expect(await count(batch, false)).toBe(lineCount);
      }
    });
  });
});
