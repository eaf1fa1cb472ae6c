/** An account that is guessed at, where mail is configured: from elsewhere its password needs a code from an email. */
import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { hash } from '@node-rs/argon2';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { EarshotClient } from '../../src/client/earshot-client.js';
import { accountRoutes } from '../../src/contract/identity/accounts.js';
import { projectRoutes, projectUserRoutes } from '../../src/contract/projects/projects.js';
import { commandLine } from '../support/cli.js';
import { startDaemon, type TestDaemon } from '../support/daemon.js';
import { inSqlite } from '../support/database.js';
import { eventually } from '../support/eventually.js';
import { hasPostgresql, startPostgresql } from '../support/postgresql.js';
import { type SmtpReceiver, startSmtpReceiver } from '../support/smtp-receiver.js';
import { hasTerminal, onTerminal } from '../support/terminal.js';
import { writeBeside } from '../support/write-beside.js';

const password = 'a password of length';
const failuresMax = 100;
const triesMax = 5;
const enter = '\r';
const program = createRequire(import.meta.url).resolve('../../bin/earshot.js');

function codesOn(name: 'SQLite' | 'PostgreSQL'): void {
  let mail: SmtpReceiver;
  let server: { url: string; stop(): Promise<void> } | null = null;
  let daemon: TestDaemon;
  let aheadMs = 0;
  beforeAll(async () => {
    mail = await startSmtpReceiver();
    server = name === 'PostgreSQL' ? await startPostgresql() : null;
    daemon = await startDaemon({
      now: () => new Date(Date.now() + aheadMs),
      settings: {
        ...{ EARSHOT_SMTP_URL: mail.url, EARSHOT_MAIL_FROM: 'Earshot <earshot@studio.example>' },
        ...{ EARSHOT_TRUSTED_PROXIES: '127.0.0.1', EARSHOT_RATE_LIMIT_ADDRESS: '0', EARSHOT_MAILS_PER_HOUR: '0' },
        ...(server === null ? inSqlite : { DATABASE_URL: server.url }),
      },
    });
  }, 120_000);
  afterAll(async () => {
    await daemon.stop();
    await server?.stop();
    await mail.stop();
  });

  let addresses = 0;
  const newAddress = () => {
    addresses += 1;
    return `10.${addresses >> 16}.${(addresses >> 8) & 255}.${addresses & 255}`;
  };
  async function login(
    body: { email?: string; token?: string; password: string; code?: string },
    address = newAddress(),
    path: string = accountRoutes.loginCredentials.path,
  ) {
    const response = await fetch(`${daemon.url}${path}`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'X-Forwarded-For': address },
      body: JSON.stringify(body),
    });
    const { requestId: _, ...told } = z.looseObject({}).parse(await response.json());
    return { status: response.status, ...told };
  }
  /** The token of the latest invitation that was mailed to the address. */
  const invitationTo = (email: string): string =>
    mail.letters
      .filter(({ to }) => to.includes(email))
      .map(({ raw }) => /#token=([\w-]{43})/.exec(raw)?.[1] ?? '')
      .filter((token) => token !== '')
      .at(-1) ?? '';
  /** An account that was never signed in to, where a guess costs next to nothing because its stored hash says so. */
  async function makeAccount(email: string): Promise<void> {
    const params = { projectId: daemon.projectId };
    await daemon.admin.call(projectUserRoutes.invite, { params, body: { email, role: 'moderator' } });
    const token = invitationTo(email);
    await new EarshotClient({ baseUrl: daemon.url }).call(accountRoutes.acceptInvitation, {
      body: { token, password },
    });
    const cheap = await hash(password, { memoryCost: 8, timeCost: 1, parallelism: 1 });
    await writeBeside(daemon.databaseUrl, 'UPDATE "User" SET "passwordHash" = ? WHERE "email" = ?', cheap, email);
  }
  async function guessAt(address: string): Promise<void> {
    for (let n = 0; n < failuresMax; n += 20)
      await Promise.all(Array.from({ length: 20 }, () => login({ email: address, password: 'a guess' })));
  }
  const lettersTo = (email: string) =>
    mail.letters.filter(({ to, raw }) => to.includes(email) && raw.includes('Subject: Your login code'));
  /** The code of the `count`th letter. */
  async function codeOf(email: string, count = 1): Promise<string> {
    await eventually(() => expect(lettersTo(email)).toHaveLength(count));
    return /^(\d{8})\r?$/m.exec(lettersTo(email)[count - 1]?.raw ?? '')?.[1] ?? '';
  }

  let people = 0;
  let email: string;
  beforeEach(() => {
    people += 1;
    email = `person-${people}@example.com`;
  });

  it('is sent for the right password alone, answered like a wrong one, and lets in once', async () => {
    await makeAccount(email);
    await guessAt(email);
    const [abroad, other] = [newAddress(), newAddress()];
    const wrong = await login({ email, password: 'a guess' });
    const right = await login({ email, password }, abroad);
    expect(right).toEqual(wrong);
    expect(right).toMatchObject({ status: 401, code: 'login_code_sent' });
    const code = await codeOf(email);
    expect(lettersTo(email)[0]?.raw).toContain(daemon.url);
    expect(await login({ email, password: 'a guess', code })).toMatchObject({ code: 'login_code_invalid' });
    expect(await login({ email, password, code }, abroad)).toMatchObject({ status: 201, user: { email } });
    expect(await login({ email, password, code }, other)).toMatchObject({ code: 'login_code_invalid' });
    expect(await login({ email, password }, abroad)).toMatchObject({ status: 201 }); // known from now on
  });

  it('is asked for by an invitation as by a login', async () => {
    await makeAccount(email);
    const { id: projectId } = await daemon.admin.call(projectRoutes.create, { body: { name: email } });
    const invited = await daemon.admin.call(projectUserRoutes.invite, {
      params: { projectId },
      body: { email, role: 'viewer' },
    });
    expect(invited.invitationUrl).toBeNull(); // mailed
    await guessAt(email);
    const accept = (body: { password: string; code?: string }) =>
      login({ token: invitationTo(email), ...body }, newAddress(), accountRoutes.acceptInvitation.path);
    expect(await accept({ password: 'a guess of length' })).toMatchObject({ status: 401, code: 'login_code_sent' });
    expect(await accept({ password })).toMatchObject({ status: 401, code: 'login_code_sent' });
    expect(await accept({ password, code: await codeOf(email) })).toMatchObject({ status: 201, user: { email } });
  });

  it('is asked for at an address without an account, too, and sent to nobody', async () => {
    await guessAt(email);
    const before = mail.letters.length;
    expect(await login({ email, password })).toMatchObject({ status: 401, code: 'login_code_sent' });
    expect(await login({ email, password, code: '00000000' })).toMatchObject({ code: 'login_code_invalid' });
    expect(mail.letters).toHaveLength(before);
  });

  it('has five tries, ten minutes, and a successor after a minute', async () => {
    await makeAccount(email);
    await guessAt(email);
    await login({ email, password });
    const first = await codeOf(email);
    const wrong = first === '12345678' ? '87654321' : '12345678';
    for (let n = 0; n < triesMax; n += 1)
      expect(await login({ email, password, code: wrong })).toMatchObject({ code: 'login_code_invalid' });
    expect(await login({ email, password, code: first })).toMatchObject({ code: 'login_code_invalid' });
    await login({ email, password });
    aheadMs += 61_000;
    await login({ email, password });
    const second = await codeOf(email, 2);
    expect(second).not.toBe(first);
    aheadMs += 601_000;
    await guessAt(email);
    expect(await login({ email, password, code: second })).toMatchObject({ code: 'login_code_invalid' });
    await login({ email, password });
    expect(await login({ email, password, code: await codeOf(email, 3) })).toMatchObject({ status: 201 });
  });

  it('is not needed where the account is known, nor while nobody guesses', async () => {
    const home = newAddress();
    await makeAccount(email);
    expect(await login({ email, password }, home)).toMatchObject({ status: 201 });
    await guessAt(email);
    expect(await login({ email, password }, home)).toMatchObject({ status: 201 });
    expect(lettersTo(email)).toEqual([]);
  });

  it.skipIf(!hasTerminal)('is asked by `earshot login`, which takes it by --code, too', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'earshot-cli-'));
    const env = { XDG_CONFIG_HOME: folder, EARSHOT_URL: daemon.url };
    await makeAccount(email);
    await guessAt(email);
    const typed = onTerminal(`'${process.execPath}' '${program}' login --email ${email}`, env);
    await typed.answer('Password', `${password}${enter}`);
    await eventually(() => expect(typed.shown).toContain('Code from the e-mail'));
    await typed.answer('Code', `${await codeOf(email)}${enter}`);
    expect(await typed.ended).toBe(0);
    expect(typed.shown).toContain(`as ${email}`);
    rmSync(folder, { recursive: true, force: true });
  });

  it('is given to `earshot login --code` where nobody can be asked, and the login is stored', async () => {
    const cli = commandLine(() => ({ EARSHOT_URL: daemon.url }));
    const loginBy = (...more: string[]) =>
      cli.run(['login', '--email', email, '--password-stdin', ...more], { input: password });
    await makeAccount(email);
    await guessAt(email);
    const asked = await loginBy();
    expect(asked.code).toBe(3);
    expect(asked.stderr).toContain('--code');
    const code = await codeOf(email);
    expect((await loginBy('--code', code === '00000000' ? '11111111' : '00000000')).code).toBe(3);
    expect(await loginBy('--code', code)).toMatchObject({ code: 0, stderr: expect.stringContaining(`as ${email}`) });
    expect((await cli.run(['whoami'])).stdout).toContain(email);
    cli.dispose();
  });
}

describe('a code by e-mail on SQLite', { timeout: 120_000 }, () => codesOn('SQLite'));
describe.skipIf(!hasPostgresql)('a code by e-mail on PostgreSQL', { timeout: 120_000 }, () => codesOn('PostgreSQL'));
