/** An imported list of bans holds ids of people who never came: it must not take over the names of those who did. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Sanction } from '../../src/contract/moderation/sanction-record.js';
import { participantRoutes } from '../../src/contract/people/participants.js';
import { commandLine } from '../support/cli.js';
import { startDaemon, type TestDaemon } from '../support/daemon.js';

let daemon: TestDaemon;
const cli = commandLine(() => ({ EARSHOT_URL: daemon.url, EARSHOT_API_KEY: daemon.apiKey }));
beforeAll(async () => {
  daemon = await startDaemon();
  const params = { projectId: daemon.projectId };
  for (const [externalUserId, displayName] of [
    ['u_17', 'bob'],
    ['Cyd', 'Cydney'],
    ['u_18', 'Cyd'],
  ] as const)
    await daemon.client.call(participantRoutes.create, { params, body: { externalUserId, displayName } });
  const list = 'user,type,until\nBob,ban,tomorrow\nCyd,ban,tomorrow\nzed,ban,tomorrow';
  await cli.run(['sanctions', 'apply', '--file', '-', '--new'], { input: list });
});
afterAll(async () => {
  await daemon.stop();
  cli.dispose();
});

describe('an imported id that is the display name of somebody', () => {
  it('is refused in a script, which says --id', async () => {
    for (const command of [
      ['mute', 'Bob', '10m'],
      ['unban', 'Bob'],
      ['sanctions', 'list', '--user', 'Bob'],
    ])
      expect(await cli.run(command)).toMatchObject({
        code: 2,
        stdout: '',
        stderr: expect.stringMatching(/write the id, or add --id:\n +u_17 .*\n +Bob .*without a player/),
      });
    expect(await cli.json(['mute', 'Bob', '10m', '--id'])).toMatchObject({ externalUserId: 'Bob' });
    expect(await cli.json(['mute', 'u_17', '10m'])).toMatchObject({ externalUserId: 'u_17' });
    expect(await cli.run(['mute', 'Cydney', '10m', '--id'])).toMatchObject({ code: 4 });
  });

  it('is taken where nobody is called so, and where somebody has come under the id', async () => {
    expect(Sanction.parse(await cli.json(['warn', 'zed'])).externalUserId).toBe('zed');
    expect(Sanction.parse(await cli.json(['warn', 'Cyd'])).externalUserId).toBe('Cyd');
  });
});
