import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { askDaemon } from '../../daemon/admin-socket/client.js';
import { setUserDisabled } from '../../daemon/modules/identity/admin-operations.js';
import { EarshotClient } from '../../src/client/earshot-client.js';
import { auditRoutes } from '../../src/contract/audit/audit.js';
import { accountRoutes } from '../../src/contract/identity/accounts.js';
import { apiKeyRoutes } from '../../src/contract/identity/api-keys.js';
import { projectRoutes, projectUserRoutes } from '../../src/contract/projects/projects.js';
import type { ProjectRole } from '../../src/contract/route.js';
import { startDaemon, type TestDaemon } from '../support/daemon.js';
import { type SmtpReceiver, startSmtpReceiver } from '../support/smtp-receiver.js';

let mail: SmtpReceiver;
let daemon: TestDaemon;
beforeAll(async () => {
  mail = await startSmtpReceiver();
  const settings = { EARSHOT_SMTP_URL: mail.url, EARSHOT_MAIL_FROM: 'Earshot <earshot@studio.example>' };
  daemon = await startDaemon({ settings: { ...settings, EARSHOT_TRUSTED_PROXIES: '127.0.0.1' } });
});
afterAll(async () => {
  await daemon.stop();
  await mail.stop();
});

const password = 'a password of length';
const invite = (client: EarshotClient, projectId: string, email: string, role: ProjectRole) =>
  client.call(projectUserRoutes.invite, { params: { projectId }, body: { email, role } });
const letterTo = (email: string) => mail.letters.find(({ to }) => to.includes(email));

/** Accepts what the letter to the address says, from an address of its own. */
async function accept(email: string): Promise<EarshotClient> {
  const token = /#token=([\w-]+)/.exec(letterTo(email)?.raw ?? '')?.[1];
  const response = await fetch(`${daemon.url}${accountRoutes.acceptInvitation.path}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'X-Forwarded-For': `203.0.113.${mail.letters.length}` },
    body: JSON.stringify({ token, password }),
  });
  const { accessToken } = JSON.parse(await response.text());
  return new EarshotClient({ baseUrl: daemon.url, credential: { kind: 'bearer', token: accessToken } });
}
async function member(projectId: string, email: string, role: ProjectRole) {
  const { permissionId } = await invite(daemon.admin, projectId, email, role);
  return { client: await accept(email), permissionId };
}
const newProject = async (name: string) => (await daemon.admin.call(projectRoutes.create, { body: { name } })).id;
const change = (client: EarshotClient, projectId: string, permissionId: string, role: ProjectRole) =>
  client.call(projectUserRoutes.changeRole, { params: { projectId }, body: { permissionId, role } });
const remove = (client: EarshotClient, projectId: string, permissionId: string) =>
  client.call(projectUserRoutes.remove, { params: { projectId }, body: { permissionId } });
const list = (client: EarshotClient, projectId: string) =>
  client.call(projectUserRoutes.list, { params: { projectId } });

describe('an invitation', () => {
  it('goes out by mail, and the link in the letter opens the project', async () => {
    const projectId = await newProject('Letters');
    const invited = await invite(daemon.admin, projectId, 'Ann@example.com', 'moderator');
    expect(invited).toMatchObject({ email: 'ann@example.com', status: 'pending', userId: null, invitationUrl: null });
    const letter = letterTo('ann@example.com');
    expect(letter).toMatchObject({ from: 'earshot@studio.example', to: ['ann@example.com'] });
    expect(letter?.raw).toContain('Subject: You are invited to Letters');
    expect(letter?.raw).toContain(`${daemon.url}/invitation#token=`);
    const ann = await accept('ann@example.com');
    expect(await ann.call(projectRoutes.list, {})).toMatchObject([{ id: projectId, role: 'moderator' }]);
    expect(await list(ann, projectId)).toContainEqual(
      expect.objectContaining({ permissionId: invited.permissionId, status: 'accepted', email: 'ann@example.com' }),
    );
  });

  it('keeps what is in a project name out of the head of the letter', async () => {
    const projectId = await newProject('Mine\r\nBcc: everybody@example.com');
    await invite(daemon.admin, projectId, 'head@example.com', 'viewer');
    expect(letterTo('head@example.com')?.to).toEqual(['head@example.com']);
    expect(letterTo('head@example.com')?.raw).not.toMatch(/^Bcc:/m);
  });

  it('is refused for an address that has one', async () => {
    const projectId = await newProject('Once');
    await invite(daemon.admin, projectId, 'once@example.com', 'viewer');
    await expect(invite(daemon.admin, projectId, 'ONCE@example.com', 'admin')).rejects.toMatchObject({
      status: 409,
      code: 'already_invited',
    });
  });

  it('comes back as a link where the mail server is gone', async () => {
    const gone = await startSmtpReceiver();
    await gone.stop();
    const lonely = await startDaemon({ settings: { EARSHOT_SMTP_URL: gone.url, EARSHOT_LOG_LEVEL: 'fatal' } });
    try {
      const { invitationUrl } = await invite(lonely.admin, lonely.projectId, 'link@example.com', 'viewer');
      expect(invitationUrl).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/invitation#token=[\w-]{43}$/);
    } finally {
      await lonely.stop();
    }
  });
});

describe('roles in a project', () => {
  it('are changed and taken away, effective with the next request', async () => {
    const projectId = await newProject('Roles');
    const { client, permissionId } = await member(projectId, 'roles@example.com', 'viewer');
    await expect(invite(client, projectId, 'x@example.com', 'viewer')).rejects.toMatchObject({
      code: 'insufficient_role',
      message: expect.stringContaining('yours is viewer'),
    });
    expect(await change(daemon.admin, projectId, permissionId, 'admin')).toMatchObject({ role: 'admin' });
    await invite(client, projectId, 'x@example.com', 'viewer');
    expect(await remove(daemon.admin, projectId, permissionId)).toMatchObject({
      permissionId,
      removed: true,
      made: [{ name: 'x@example.com' }],
    });
    await expect(list(client, projectId)).rejects.toMatchObject({ status: 403, code: 'no_access_to_project' });
    expect(await client.call(projectRoutes.list, {})).toEqual([]);
  });

  it('are granted, changed and removed by nobody above the own one', async () => {
    const projectId = await newProject('Ladder');
    const { client: admin } = await member(projectId, 'ladder-admin@example.com', 'admin');
    const owner = await member(projectId, 'ladder-owner@example.com', 'owner');
    const viewer = await member(projectId, 'ladder-viewer@example.com', 'viewer');
    const refusal = { status: 403, code: 'insufficient_role' };
    await expect(invite(admin, projectId, 'y@example.com', 'owner')).rejects.toMatchObject(refusal);
    await expect(change(admin, projectId, viewer.permissionId, 'owner')).rejects.toMatchObject(refusal);
    await expect(change(admin, projectId, owner.permissionId, 'viewer')).rejects.toMatchObject(refusal);
    await expect(remove(admin, projectId, owner.permissionId)).rejects.toMatchObject(refusal);
    expect(await change(admin, projectId, viewer.permissionId, 'moderator')).toMatchObject({ role: 'moderator' });
    await expect(change(daemon.client, projectId, viewer.permissionId, 'owner')).rejects.toMatchObject(refusal);
  });

  it('leave one owner, however many go at once', async () => {
    const projectId = await newProject('Owners');
    const people = ['o1', 'o2', 'o3'].map((name) => `${name}@example.com`);
    for (const email of people) await member(projectId, email, 'owner');
    const owners = (await list(daemon.admin, projectId)).map(({ permissionId }) => permissionId);
    expect(owners).toHaveLength(4);
    const ends = await Promise.allSettled(
      owners.map((permissionId, index) =>
        index % 2 === 0
          ? remove(daemon.admin, projectId, permissionId)
          : change(daemon.admin, projectId, permissionId, 'admin'),
      ),
    );
    const refused = ends.filter((end) => end.status === 'rejected');
    expect(refused).toMatchObject([{ reason: { status: 409, code: 'last_owner' } }]);
    expect((await list(daemon.admin, projectId)).filter(({ role }) => role === 'owner')).toHaveLength(1);
  });

  it('are not changed through another project', async () => {
    const [one, other] = [await newProject('One side'), await newProject('Other side')];
    const { permissionId } = await invite(daemon.admin, one, 'side@example.com', 'viewer');
    await expect(change(daemon.admin, other, permissionId, 'admin')).rejects.toMatchObject({
      status: 404,
      code: 'permission_not_found',
    });
  });
});

describe('a project', () => {
  it('is renamed, and keeps its name to itself', async () => {
    const projectId = await newProject('Old name');
    const rename = (name: string) => daemon.admin.call(projectRoutes.update, { params: { projectId }, body: { name } });
    expect(await rename('New name')).toMatchObject({ id: projectId, name: 'New name', role: 'owner' });
    await expect(rename('default')).rejects.toMatchObject({ status: 409, code: 'project_name_taken' });
    await newProject('Old name');
    expect((await daemon.admin.call(projectRoutes.list, {})).map(({ name }) => name)).toContain('New name');
  });

  it('is deleted by its owner alone, and its name is free again', async () => {
    const projectId = await newProject('Short-lived');
    const { client: admin } = await member(projectId, 'not-owner@example.com', 'admin');
    const deleteBy = (client: EarshotClient) => client.call(projectRoutes.remove, { params: { projectId } });
    await expect(deleteBy(admin)).rejects.toMatchObject({ status: 403, code: 'insufficient_role' });
    expect(await deleteBy(daemon.admin)).toEqual({ id: projectId, deleted: true });
    await expect(list(admin, projectId)).rejects.toMatchObject({ code: 'no_access_to_project' });
    await newProject('Short-lived');
  });
});

describe('a key', () => {
  it.each(['admin', 'owner'] as const)('cannot make somebody %s', async (role) => {
    const projectId = await newProject(`Keys below ${role}`);
    const key = await daemon.clientWith(['users'], projectId);
    const refused = {
      status: 403,
      code: 'insufficient_role',
      message: expect.stringContaining('at most the role moderator'),
    };
    await expect(invite(key, projectId, `${role}-by-key@example.com`, role)).rejects.toMatchObject(refused);
    const { permissionId } = await invite(key, projectId, `${role}-by-key@example.com`, 'moderator');
    await expect(change(key, projectId, permissionId, role)).rejects.toMatchObject(refused);
    expect(await change(key, projectId, permissionId, 'viewer')).toMatchObject({ role: 'viewer' });
  });
});

describe('what somebody gave to others', () => {
  /** An administrator with a key and an open invitation, and a person who accepted another one. */
  async function generous(name: string) {
    const projectId = await newProject(`Made by ${name}`);
    const { client, permissionId } = await member(projectId, `${name}@example.com`, 'admin');
    const body = { name: 'CI', scopes: ['users' as const], projectId };
    const { id: keyId, key } = await client.call(apiKeyRoutes.create, { body });
    const { permissionId: openId } = await invite(client, projectId, `${name}-open@example.com`, 'viewer');
    const { permissionId: memberId } = await invite(client, projectId, `${name}-in@example.com`, 'viewer');
    await accept(`${name}-in@example.com`);
    const ofKey = new EarshotClient({ baseUrl: daemon.url, credential: { kind: 'apiKey', key } });
    return { projectId, permissionId, keyId, openId, memberId, ofKey };
  }
  const made = (
    { keyId, openId, memberId, projectId }: { keyId: string; openId: string; memberId: string; projectId: string },
    name: string,
    withdrawn: boolean,
  ) => [
    { kind: 'apiKey', id: keyId, name: 'CI', projectId, withdrawn },
    { kind: 'invitation', id: openId, name: `${name}-open@example.com`, projectId, withdrawn },
    { kind: 'member', id: memberId, name: `${name}-in@example.com`, projectId, withdrawn: false },
  ];

  it('is shown when they are removed, and goes on', async () => {
    const one = await generous('gil');
    const { projectId, permissionId, ofKey, keyId } = one;
    expect((await remove(daemon.admin, projectId, permissionId)).made).toEqual(made(one, 'gil', false));
    expect(await list(ofKey, projectId)).toHaveLength(3);
    const keys = await daemon.admin.call(apiKeyRoutes.list, { query: { projectId } });
    expect(keys).toMatchObject([{ id: keyId, createdBy: 'gil@example.com' }]);
  });

  it('ends with their access where that is asked for, apart from people who have accepted', async () => {
    const one = await generous('hal');
    const { projectId, permissionId, ofKey, keyId, openId, memberId } = one;
    const body = { permissionId, withdraw: true };
    const removed = await daemon.admin.call(projectUserRoutes.remove, { params: { projectId }, body });
    expect(removed.made).toEqual(made(one, 'hal', true));
    await expect(list(ofKey, projectId)).rejects.toMatchObject({ code: 'credential_invalid' });
    expect((await list(daemon.admin, projectId)).map((user) => user.permissionId)).not.toContain(openId);
    expect((await list(daemon.admin, projectId)).map((user) => user.permissionId)).toContain(memberId);
    const [entry] = (
      await daemon.admin.call(auditRoutes.list, { params: { projectId }, query: { action: 'removeProjectUser' } })
    ).entries;
    expect(entry?.targets.map(({ id }) => id)).toEqual(expect.arrayContaining([permissionId, keyId, openId]));
  });

  it('by a key is shown when the key is revoked, and withdrawn where that is asked for', async () => {
    const { projectId, ofKey, keyId } = await generous('ida');
    await invite(ofKey, projectId, 'by-key@example.com', 'moderator');
    const { permissionId } = await invite(ofKey, projectId, 'by-key-in@example.com', 'moderator');
    await accept('by-key-in@example.com');
    const revoked = await daemon.admin.call(apiKeyRoutes.revoke, { params: { id: keyId }, query: { withdraw: true } });
    expect(revoked.made).toMatchObject([
      { kind: 'invitation', name: 'by-key@example.com', projectId, withdrawn: true },
      { kind: 'member', id: permissionId, withdrawn: false },
    ]);
    await expect(accept('by-key@example.com').then((client) => list(client, projectId))).rejects.toThrow();
  });
});

it('an owner whose account is disabled is no owner who stays', async () => {
  const projectId = await newProject('Disabled owners');
  const email = 'gone-owner@example.com';
  const { permissionId: disabledId } = await member(projectId, email, 'owner');
  const { client: last, permissionId } = await member(projectId, 'last-owner@example.com', 'owner');
  const [first] = await list(daemon.admin, projectId);
  await remove(daemon.admin, projectId, first?.permissionId ?? '');
  await askDaemon(daemon.dataDir, setUserDisabled, { email, disabled: true });
  await expect(remove(last, projectId, permissionId)).rejects.toMatchObject({ status: 409, code: 'last_owner' });
  await expect(change(last, projectId, permissionId, 'admin')).rejects.toMatchObject({ code: 'last_owner' });
  expect(await remove(last, projectId, disabledId)).toMatchObject({ removed: true });
});
