/** What a moderator types does what it says: in the room that is named, or it is refused. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Sanction } from '../../src/contract/moderation/sanctions.js';
import { participantRoutes } from '../../src/contract/people/participants.js';
import type { Session } from '../../src/contract/sessions/sessions.js';
import { commandLine } from '../support/cli.js';
import { administrator, startDaemon, type TestDaemon } from '../support/daemon.js';

let daemon: TestDaemon;
const cli = commandLine(() => ({ EARSHOT_URL: daemon.url }));
beforeAll(async () => {
  daemon = await startDaemon();
  await cli.run(['login', '--email', administrator.email, '--password-stdin'], { input: administrator.password });
  for (const externalUserId of ['u1', 'u2'])
    await daemon.client.call(participantRoutes.create, {
      params: { projectId: daemon.projectId },
      body: { externalUserId },
    });
});
afterAll(async () => {
  await daemon.stop();
  cli.dispose();
});

const activeOf = (user: string) => cli.json<Sanction[]>(['sanctions', 'active', user]);
const openSession = (room: string) =>
  cli.json<Session>(['sessions', 'create', '--title', room, '--room', room, '--no-auto-start']);

describe('a sanction in one room', () => {
  it('is refused where no session is active', async () => {
    await openSession('hall');
    await cli.run(['sessions', 'stop', 'hall']);
    for (const command of ['mute', 'ban'])
      expect(await cli.run([command, 'u1', '10m', '--room', 'hall'])).toMatchObject({
        code: 2,
        stdout: '',
        stderr: expect.stringContaining('No session is active in that room; leave --room out, or start one.'),
      });
    expect(await activeOf('u1')).toEqual([]);
    const { id } = await openSession('hall');
    expect(await cli.json(['mute', 'u1', '10m', '--room', 'hall'])).toMatchObject({ sessionId: id });
  });

  it('replaces what holds in that room, and nothing that holds everywhere', async () => {
    const { id: sessionId } = await openSession('arena');
    const everywhere = await cli.json<Sanction>(['mute', 'u2', '2h']);
    const there = ['mute', 'u2', '10m', '--room', 'arena'];
    await cli.json<Sanction>([...there, '--replace']);
    const { code, stderr } = await cli.run(there);
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining('mute in one room until') });
    expect(stderr).not.toContain(String(everywhere.endAt));
    const second = await cli.json<Sanction>([...there, '--replace']);
    const active = (await activeOf('u2')).map((one) => `${one.id} in ${one.sessionId}`);
    expect(active.sort()).toEqual([`${everywhere.id} in null`, `${second.id} in ${sessionId}`].sort());
    await cli.run(['unmute', 'u2']);
  });
});

describe('a kick', () => {
  it('without a duration refuses what only a sanction has', async () => {
    for (const flags of [
      ['--reason', 'noise'],
      ['--note', 'again'],
      ['--template', 'noise'],
      ['--replace'],
      ['--also'],
    ])
      expect(await cli.run(['kick', 'u2', ...flags])).toMatchObject({
        code: 2,
        stdout: '',
        stderr: expect.stringMatching(new RegExp(`duration.*${flags[0]}\\.`)),
      });
    expect(await activeOf('u2')).toEqual([]);
  });

  it('lasts until a time that is given', async () => {
    const kicked = await cli.json<Sanction>(['kick', 'u2', '--until', 'tomorrow', '--reason', 'noise']);
    const midnight = new Date(new Date().setHours(24, 0, 0, 0)).toISOString();
    expect(kicked).toMatchObject({ type: 'temp_ban', reason: 'noise', endAt: midnight });
  });
});
