/** Every argument for an id also takes a name: found, misspelt, ambiguous, or an id. One daemon, every kind once. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { pageLimitMax } from '../../src/contract/common.js';
import { sanctionRoutes } from '../../src/contract/moderation/sanctions.js';
import { participantRoutes } from '../../src/contract/people/participants.js';
import { commandLine } from '../support/cli.js';
import { administrator, startDaemon, type TestDaemon } from '../support/daemon.js';
import { writeBeside } from '../support/write-beside.js';

let daemon: TestDaemon;
const cli = commandLine(() => ({ EARSHOT_URL: daemon.url }));
const login = (...flags: string[]) => {
  const credentials = ['--email', administrator.email, '--password-stdin'];
  return cli.run(['login', ...credentials, ...flags], { input: administrator.password });
};
beforeAll(async () => {
  daemon = await startDaemon();
  await login();
  for (const [externalUserId, displayName] of [
    ['u1', 'Ann'],
    ['u2', 'Bob'],
    ['u3', 'Twin'],
    ['u4', 'twin'],
    ['u5', 'TWIN'],
    ['u6', 'Zoë'],
    ['u7', 'Renée'],
    ['u8', 'Rénee'],
  ] as const)
    await daemon.client.call(participantRoutes.create, {
      params: { projectId: daemon.projectId },
      body: { externalUserId, displayName },
    });
});
afterAll(async () => {
  await daemon.stop();
  cli.dispose();
});

interface Made {
  readonly id: string;
}

describe('a name in the place of an id', () => {
  it.each([
    {
      kind: 'session',
      make: ['sessions', 'create', '--title', 'Evening', '--room', 'hall', '--no-auto-start'],
      read: ['sessions', 'get'],
      names: ['hall', 'HALL', 'Evening', 'evening'],
    },
    {
      kind: 'webhook',
      make: [
        'webhooks',
        'create',
        '--to',
        'https://hooks.example:8443/in',
        '--events',
        '*',
        '--description',
        'Chat bridge',
        '--secrets-stdin',
      ],
      input: '{"secret":"a secret of some length"}',
      read: ['webhooks', 'get'],
      names: ['hooks.example', 'hooks.example:8443', 'https://hooks.example:8443/in', 'chat bridge'],
    },
    {
      kind: 'gathering',
      make: ['gatherings', 'create', '--name', 'Friday raid'],
      read: ['gatherings', 'get'],
      names: ['Friday raid', 'friday RAID'],
    },
    {
      kind: 'challenge',
      make: ['challenges', 'create', '--name', 'Three down', '--event-name', 'kill-enemy', '--goal', '3'],
      read: ['challenges', 'get'],
      names: ['three down'],
    },
    {
      kind: 'battle pass',
      make: ['battle-passes', 'create', '--name', 'Winter'],
      read: ['battle-passes', 'get'],
      names: ['winter'],
    },
    {
      kind: 'leaderboard',
      make: ['leaderboards', 'create', '--name', 'Kills', '--event-name', 'kill-enemy'],
      read: ['leaderboards', 'get'],
      names: ['kills'],
    },
  ])('of a $kind', async ({ make, input, read, names }) => {
    const { id } = await cli.json<Made>(make, input === undefined ? {} : { input });
    for (const name of [...names, id]) expect(await cli.json<Made>([...read, name])).toMatchObject({ id });
    const unknown = await cli.run([...read, `${names[0]}x`]);
    expect(unknown).toMatchObject({
      code: 4,
      stdout: '',
      stderr: expect.stringMatching(new RegExp(`Did you mean ${names[0]}`, 'i')),
    });
  });

  it('of a room is its active session, and after that its newest', async () => {
    const make = () => cli.json<Made>(['sessions', 'create', '--title', 'Round', '--room', 'arena', '--no-auto-start']);
    const first = await make();
    await cli.run(['sessions', 'start', 'arena']);
    await cli.run(['sessions', 'stop', 'arena']);
    const second = await make();
    expect(await cli.json(['sessions', 'get', 'arena'])).toMatchObject({ id: second.id });
    await cli.run(['sessions', 'stop', 'arena']);
    await cli.run(['sessions', 'start', first.id]);
    expect(await cli.json(['sessions', 'get', 'arena'])).toMatchObject({ id: first.id });
  });

  it('of a person is a display name in any case, the external id, or the participant id', async () => {
    const { id } = await cli.json<Made>(['participants', 'get', 'bob']);
    for (const name of ['u2', 'BOB', id]) {
      expect(await cli.json(['participants', 'get', name])).toMatchObject({ externalUserId: 'u2' });
      expect((await cli.run(['sanctions', 'history', name])).code).toBe(0);
    }
  });

  it('is the one that is spelt like it where cases differ', async () => {
    expect(await cli.json(['participants', 'get', 'twin'])).toMatchObject({ externalUserId: 'u4' });
  });

  it('of a person needs no accents, where one person has it', async () => {
    for (const typed of ['zoe', 'ZOË', 'Zöe'])
      expect(await cli.json(['participants', 'get', typed])).toMatchObject({ externalUserId: 'u6' });
    expect((await cli.run(['who', 'zoe'])).stdout).toContain('Zoë');
    expect(await cli.json(['warn', 'zoe'])).toMatchObject({ externalUserId: 'u6' });
    expect(await cli.json(['participants', 'get', 'Renée'])).toMatchObject({ externalUserId: 'u7' });
    const { code, stderr } = await cli.run(['ban', 'renee', '2h']);
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringMatching(/u7 {2}Renée[\s\S]*u8 {2}Rénee/) });
    expect((await cli.run(['ban', 'Zoee', '2h'])).stderr).toContain('Did you mean Zoë?');
    expect(await cli.json(['participants', 'list', '--search', 'zoe'])).toMatchObject({ total: 1 });
  });

  it('that several have is refused in a script, naming them', async () => {
    const { code, stdout, stderr } = await cli.run(['participants', 'get', 'tWiN']);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    for (const says of ['u3  Twin', 'u4  twin', 'u5  TWIN']) expect(stderr).toContain(says);
  });

  it('of a case is the person it is about, who has to be one', async () => {
    const banned = await daemon.client.call(sanctionRoutes.create, {
      params: { projectId: daemon.projectId },
      body: { type: 'perm_ban', externalUserId: 'u3' },
    });
    for (const typed of ['tWiN', 'TwIn']) {
      const { code, stderr } = await cli.run(['sanctions', 'revoke', typed]);
      expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringMatching(/u3 [\s\S]*u4 [\s\S]*u5 /) });
    }
    const appeal = await cli.json<Made>(['sanctions', 'appeal', 'Twin', 'I was only singing.']);
    expect((await cli.run(['reviews', 'claim', 'tWiN'])).code).toBe(2);
    expect(await cli.json(['reviews', 'claim', 'Twin'])).toMatchObject({ id: appeal.id, status: 'claimed' });
    expect(await cli.json(['reviews', 'get', 'u3'])).toMatchObject({ id: appeal.id });
    expect(await cli.json(['sanctions', 'revoke', 'Twin'])).toMatchObject({ id: banned.id, status: 'revoked' });
    expect(await cli.run(['sanctions', 'revoke', 'Twin'])).toMatchObject({ code: 4 });
  });

  it('of a review is the person it is about, however many of theirs are decided', async () => {
    const asked = JSON.stringify({ type: 'human_review', externalUserId: 'u2' });
    const lines = Array.from({ length: pageLimitMax + 1 }, () => asked).join('\n');
    await cli.run(['sanctions', 'apply', '--file', '-', '--batch', 'cases'], { input: lines });
    const { reviews } = await cli.json<{ reviews: Made[] }>(['reviews', 'list', '--user', 'u2', '--limit', '200']);
    for (const { id } of reviews)
      await writeBeside(daemon.databaseUrl, `UPDATE "Review" SET "status" = 'decided' WHERE "id" = ?`, id);
    expect(await cli.json(['reviews', 'get', 'bob'])).toMatchObject({ status: 'open' });
  });

  it('of a gathering may look like a join code', async () => {
    const { id, joinCode } = await cli.json<Made & { joinCode: string }>([
      'gatherings',
      'create',
      '--name',
      'Training',
    ]);
    for (const typed of ['Training', 'training', joinCode])
      expect(await cli.json(['gatherings', 'get', typed])).toMatchObject({ id });
    expect(await cli.run(['gatherings', 'get', 'traininh'])).toMatchObject({
      code: 4,
      stderr: expect.stringContaining('Did you mean Training?'),
    });
  });

  it('of a key and of a colleague works where they are changed', async () => {
    await cli.json(['api-keys', 'create', '--name', 'game server', '--scopes', 'events', '--project', 'default']);
    expect(await cli.json<object[]>(['api-keys', 'list'])).toContainEqual(
      expect.objectContaining({ name: 'game server', projectId: daemon.projectId }),
    );
    expect((await cli.run(['api-keys', 'revoke', 'game serve'])).stderr).toContain('Did you mean game server?');
    expect((await cli.run(['api-keys', 'revoke', 'Game Server', '--yes'])).code).toBe(0);
    await cli.json(['users', 'invite', 'ann@example.com']).catch(() => undefined);
    expect((await cli.run(['users', 'remove', 'nobody@example.com'])).code).toBe(4);
  });
});

describe('an external id', () => {
  it('is taken as typed for the token of a new player, whoever has it as a name', async () => {
    const { token } = await cli.json<{ token: string }>(['player-tokens', 'create', 'bob']);
    const claims = Buffer.from(token.split('.')[1] ?? '', 'base64url').toString();
    expect(JSON.parse(claims)).toMatchObject({ sub: 'bob' });
  });

  it('is taken as typed with --new', async () => {
    expect(await cli.json(['warn', 'ann', '--new'])).toMatchObject({ externalUserId: 'ann' });
  });

  it('of somebody who was only ever sanctioned is taken with --id, where it is the name of another', async () => {
    const issue = ['sanctions', 'issue', '--type', 'warn', '--user', 'ann'];
    for (const command of [['warn', 'ann'], issue]) {
      expect(await cli.run(command)).toMatchObject({ code: 2, stderr: expect.stringContaining('--id') });
      expect(await cli.json([...command, '--id'])).toMatchObject({ externalUserId: 'ann' });
    }
    expect(await cli.json(['warn', 'Ann'])).toMatchObject({ externalUserId: 'u1' });
    expect(await cli.json<object[]>(['sanctions', 'active', 'ann', '--id'])).toHaveLength(3);
  });
});

describe('--project', () => {
  it('is a name or an id, in every command', async () => {
    const { id } = await cli.json<Made>(['projects', 'create', 'Staging']);
    for (const project of ['Staging', 'staging', id])
      expect(await cli.json(['participants', 'list', '--project', project])).toMatchObject({ total: 0 });
    expect((await cli.run(['participants', 'list', '--project', 'stagin'])).stderr).toContain('Did you mean Staging?');
    expect((await cli.run(['participants', 'list'])).stderr).toContain('--project');
  });

  it('is checked when a profile stores it', async () => {
    expect((await cli.run(['profiles', 'set', 'evening', '--project', 'Stagin'])).code).toBe(4);
    expect((await cli.run(['profiles', 'set', 'evening', '--project', 'Staging'])).code).toBe(0);
    await login('--profile', 'evening');
    const here = { env: { EARSHOT_PROFILE: 'evening' } };
    expect(await cli.json(['participants', 'list'], here)).toMatchObject({ total: 0 });
    await cli.run(['profiles', 'delete', 'evening']);
  });
});

describe('a name among more people than are looked through', () => {
  const here = { env: { EARSHOT_PROJECT: 'default' } };
  beforeAll(() =>
    writeBeside(
      daemon.databaseUrl,
      `INSERT INTO "Participant"
        ("id", "tenantId", "projectId", "externalUserId", "displayName", "searchKey", "userData", "joinedAt", "updatedAt")
        WITH RECURSIVE "Numbers"("n") AS (SELECT 1 UNION ALL SELECT "n" + 1 FROM "Numbers" WHERE "n" < 10001)
        SELECT 'ffffffff-ffff-4fff-bfff-0000' || (20000000 + "n"), "tenantId", "projectId", 'crowd-' || "n", 'Crowd ' || "n",
          'crowd ' || "n" || '\n' || 'crowd-' || "n", '{}', "joinedAt", "updatedAt"
        FROM "Participant", "Numbers" WHERE "externalUserId" = 'u1'`,
    ),
  );

  it('is found where it is among those, and else refused with what to write', async () => {
    expect(await cli.json(['participants', 'get', 'Crowd 7'], here)).toMatchObject({ externalUserId: 'crowd-7' });
    expect(await cli.run(['participants', 'get', 'crow'], here)).toMatchObject({
      ...{ code: 2, stdout: '' },
      stderr: expect.stringMatching(/^crow is not among the first 10,000 .*write the id\.\n$/),
    });
    await cli.json(['participants', 'create', '--user', 'u9', '--name', 'Crow'], here);
    await writeBeside(
      daemon.databaseUrl,
      `UPDATE "Participant" SET "id" = '00000000-0000-4000-8000-000000000000' WHERE "externalUserId" = 'u9'`,
    );
    expect(await cli.json(['participants', 'get', 'crow'], here)).toMatchObject({ externalUserId: 'u9' });
  });
});
