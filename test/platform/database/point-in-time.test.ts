/** PostgreSQL goes back to a point in time by the recipe of docs/operating.md, whose lines are the ones that are used here. */
import { execFileSync } from 'node:child_process';
import { appendFileSync, chownSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, describe, expect, it } from 'vitest';
import { DaemonProcess } from '../../support/daemon-process.js';
import { hasPostgresql, postgresqlAccount, postgresqlPrograms } from '../../support/postgresql.js';
import { earshotd } from '../../support/program.js';

const page = readFileSync(join(import.meta.dirname, '../../../docs/operating.md'), 'utf8');
const [archiving = '', recovery = ''] = [
  ...page.matchAll(/^```ini\n(archive_mode[^`]*|restore_command[^`]*)^```$/gm),
].map(([, lines]) => lines);

describe.skipIf(!hasPostgresql)('the recipe for PostgreSQL', { timeout: 240_000 }, () => {
  const folder = mkdtempSync('/tmp/earshot-pitr-');
  const account = hasPostgresql ? postgresqlAccount() : null;
  const [data, wal, base] = ['data', 'wal', 'base'].map((name) => join(folder, name)) as [string, string, string];
  const run = (program: string, ...args: string[]) =>
    execFileSync(join(postgresqlPrograms, program), args, {
      ...account,
      cwd: '/',
      stdio: ['ignore', 'ignore', 'inherit'],
    });
  const own = `listen_addresses = ''\nunix_socket_directories = '${folder}'\n`;
  const log = join(folder, 'log');
  const start = (cluster: string) => {
    try {
      run('pg_ctl', 'start', '-D', cluster, '-w', '-l', log);
    } catch (cause) {
      throw new Error(readFileSync(log, 'utf8'), { cause });
    }
  };
  const stop = (cluster: string) => run('pg_ctl', 'stop', '-D', cluster, '-m', 'immediate', '-w');
  const daemon = new DaemonProcess({
    DATABASE_URL: `postgresql://earshot@localhost/postgres?host=${encodeURIComponent(folder)}`,
  });
  const command = (...args: string[]) =>
    earshotd(daemon.dataDir, args, { env: { DATABASE_URL: daemon.databaseUrl }, input: 'a long enough password\n' });
  const create = async (name: string) =>
    expect(await command('tenants', 'create', name, '--admin-email', `${name}@example.com`)).toMatchObject({ code: 0 });
  let running: string | null = null;
  afterAll(async () => {
    await daemon.dispose();
    if (running !== null) stop(running);
    rmSync(folder, { recursive: true, force: true });
  });

  it('brings back the state between two changes', async () => {
    mkdirSync(wal);
    if (account !== null) for (const one of [folder, wal]) chownSync(one, account.uid, account.gid);
    run('initdb', '-D', data, '-U', 'earshot', '--auth=trust', '--encoding=UTF8', '--no-sync');
    appendFileSync(join(data, 'postgresql.conf'), own + archiving.replaceAll('/srv/wal', wal));
    start(data);
    running = data;
    await daemon.start();
    run('pg_basebackup', '-h', folder, '-U', 'earshot', '-D', base, '-c', 'fast');
    await create('before');
    await sleep(1_500);
    const between = new Date().toISOString();
    await sleep(1_500);
    await create('after');
    await daemon.end('SIGKILL');
    run('psql', '-h', folder, '-U', 'earshot', '-c', 'SELECT pg_switch_wal()', 'postgres');
    run('pg_ctl', 'stop', '-D', data, '-m', 'fast', '-w'); // archives what is left
    running = null;
    const lines = recovery
      .replaceAll('/srv/wal', wal)
      .replace('2026-11-30 12:00:00+00', between.replace('T', ' ').replace('Z', '+00'));
    appendFileSync(join(base, 'postgresql.auto.conf'), lines);
    writeFileSync(join(base, 'recovery.signal'), '');
    start(base);
    running = base;
    writeFileSync(join(daemon.dataDir, 'webhooks.held'), '');
    await daemon.start();
    const { stdout } = await command('tenants', 'list');
    expect(stdout).toContain('before');
    expect(stdout).not.toContain('after');
    const { stdout: doctor } = await command('doctor');
    expect(doctor).toMatch(/webhooks/);
  });
});
