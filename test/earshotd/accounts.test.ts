import { statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { EarshotClient } from '../../src/client/earshot-client.js';
import { accountRoutes } from '../../src/contract/identity/accounts.js';
import { apiKeyRoutes } from '../../src/contract/identity/api-keys.js';
import { projectRoutes, projectUserRoutes } from '../../src/contract/projects/projects.js';
import { DaemonProcess } from '../support/daemon-process.js';
import { earshotd } from '../support/program.js';

const daemon = new DaemonProcess();
beforeAll(async () => {
  await daemon.start();
});
afterAll(() => daemon.dispose());

const operate = (args: string[], input = '') => earshotd(daemon.dataDir, args, { input });
const done = { code: 0, stderr: '' };
async function login(email: string, password: string) {
  const anonymous = new EarshotClient({ baseUrl: daemon.url });
  const { accessToken } = await anonymous.call(accountRoutes.loginCredentials, { body: { email, password } });
  return new EarshotClient({ baseUrl: daemon.url, credential: { kind: 'bearer', token: accessToken } });
}
const password = 'a password of length';

describe('earshotd, while the daemon runs', () => {
  it("asks it by a socket that is its owner's alone", () => {
    expect(statSync(join(daemon.dataDir, 'control.sock')).mode & 0o777).toBe(0o600);
  });

  it('creates an account, resets its password and disables it, effective at once', async () => {
    expect(await operate(['users', 'create', 'Ann@example.com'], `${password}\n`)).toMatchObject(done);
    const first = await login('ann@example.com', password);
    expect(await first.call(accountRoutes.me, {})).toMatchObject({ email: 'ann@example.com', role: 'member' });

    expect(await operate(['users', 'reset-password', 'ann@example.com'], 'another password')).toMatchObject(done);
    await expect(first.call(accountRoutes.me, {})).rejects.toMatchObject({ status: 401 });
    await expect(login('ann@example.com', password)).rejects.toMatchObject({ code: 'login_failed' });
    const second = await login('ann@example.com', 'another password');

    expect(await operate(['users', 'disable', 'ann@example.com'])).toMatchObject(done);
    await expect(second.call(accountRoutes.me, {})).rejects.toMatchObject({ status: 401 });
    await expect(login('ann@example.com', 'another password')).rejects.toMatchObject({ code: 'login_failed' });

    expect(await operate(['users', 'enable', 'ann@example.com'])).toMatchObject(done);
    await expect(second.call(accountRoutes.me, {})).rejects.toMatchObject({ status: 401 });
    await login('ann@example.com', 'another password');
  }, 60_000);

  it('says which keys and invitations of a disabled account go on, and withdraws them', async () => {
    await operate(['users', 'create', 'dora@example.com', '--admin', '--tenant', 'default'], password);
    const dora = await login('dora@example.com', password);
    const [project] = await dora.call(projectRoutes.list, {});
    const params = { projectId: project?.id ?? '' };
    const { key } = await dora.call(apiKeyRoutes.create, { body: { name: 'nightly', scopes: ['projects'] } });
    await dora.call(projectUserRoutes.invite, { params, body: { email: 'eve@example.com' } });
    const script = new EarshotClient({ baseUrl: daemon.url, credential: { kind: 'apiKey', key } });
    const listed = await operate(['users', 'disable', 'dora@example.com']);
    expect(listed).toMatchObject(done);
    expect(listed.stdout).toMatch(/Goes on: key nightly\. To end it: earshot api-keys revoke \S+\n/);
    expect(listed.stdout).toMatch(/Goes on: invitation of eve@example\.com\./);
    expect(listed.stdout).toContain('earshotd users disable dora@example.com --withdraw');
    expect(await script.call(projectRoutes.list, {})).toHaveLength(1);
    const withdrawn = await operate(['users', 'disable', 'dora@example.com', '--withdraw']);
    expect(withdrawn.stdout).toContain('Withdrawn: key nightly.\nWithdrawn: invitation of eve@example.com.\n');
    await expect(script.call(projectRoutes.list, {})).rejects.toMatchObject({ status: 401 });
    expect((await operate(['users', 'disable', 'dora@example.com'])).stdout.trim().split('\n')).toHaveLength(1);
  }, 60_000);

  it('keeps tenants apart, and puts one out of use', async () => {
    const created = await operate(['tenants', 'create', 'Studio Two', '--admin-email', 'two@example.com'], password);
    expect(created).toMatchObject(done);
    const admin = await login('two@example.com', password);
    const projects = await admin.call(projectRoutes.list, {});
    expect(projects).toMatchObject([{ name: 'default', role: 'owner', isConfigured: true }]);
    const { key } = await admin.call(apiKeyRoutes.create, { body: { name: 'k', scopes: ['projects'] } });
    const script = new EarshotClient({ baseUrl: daemon.url, credential: { kind: 'apiKey', key } });
    expect(await script.call(projectRoutes.list, {})).toHaveLength(1);

    expect(await operate(['tenants', 'disable', 'Studio Two'])).toMatchObject(done);
    await expect(admin.call(accountRoutes.me, {})).rejects.toMatchObject({ status: 401 });
    await expect
      .poll(() => script.call(projectRoutes.list, {}).catch(({ status }) => status), { timeout: 5_000 })
      .toBe(401);
    const tenants = JSON.parse((await operate(['tenants', 'list', '--json'])).stdout);
    expect(tenants).toMatchObject([
      { name: 'default', disabledAt: null },
      { name: 'Studio Two', users: 1, projects: 1, disabledAt: expect.any(String) },
    ]);
    expect(await operate(['tenants', 'enable', 'Studio Two'])).toMatchObject(done);
    await login('two@example.com', password);
  }, 60_000);

  it('lists accounts with what may be wrong with them', async () => {
    await operate(['users', 'create', 'carl@example.com', '--tenant', 'default'], password);
    await operate(['users', 'disable', 'carl@example.com']);
    const { stdout } = await operate(['users', 'list', '--json']);
    expect(JSON.parse(stdout)).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ email: 'admin@localhost', role: 'admin', tenant: 'default', disabledAt: null }),
        expect.objectContaining({ email: 'two@example.com', tenant: 'Studio Two' }),
        expect.objectContaining({ email: 'carl@example.com', role: 'member', disabledAt: expect.any(String) }),
      ]),
    );
    const two = await operate(['users', 'list', '--tenant', 'Studio Two']);
    expect(two.stdout).toMatch(
      /^EMAIL +ROLE +TENANT +CREATED AT +DISABLED AT +LINKED TO\ntwo@example.com +admin +Studio Two +\S+ +- +-\n$/,
    );
    const unlinked = await operate(['users', 'unlink', 'carl@example.com']);
    expect(unlinked).toMatchObject({ ...done, stdout: expect.stringContaining('was linked to nobody') });
    expect(await operate(['users', 'list', '--tenant', 'nope'])).toMatchObject({ code: 1, stdout: '' });
  }, 60_000);

  it.each([
    ['an address that is taken', ['users', 'create', 'admin@localhost', '--tenant', 'default'], password],
    ['an address that nobody has', ['users', 'disable', 'nobody@example.com'], ''],
    ['a password that is too short', ['users', 'reset-password', 'admin@localhost'], 'short'],
    ['a tenant that is not there', ['tenants', 'disable', 'Nobody'], ''],
  ])('refuses %s in one line', async (_, args, input) => {
    const { code, stdout, stderr } = await operate(args, input);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr.trim().split('\n')).toHaveLength(1);
  });
});

describe('earshotd, while no daemon runs', () => {
  it('works directly on the files', async () => {
    await daemon.end('SIGKILL');
    expect(await operate(['users', 'create', 'offline@example.com', '--tenant', 'default'], password)).toMatchObject(
      done,
    );
    await daemon.start();
    await login('offline@example.com', password);
    expect(await operate(['users', 'disable', 'offline@example.com'])).toMatchObject(done);
  }, 90_000);
});
