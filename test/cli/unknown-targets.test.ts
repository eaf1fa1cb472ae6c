/** What a command writes reaches something that is there: rooms by any of their names, and never one that nobody has. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { gatheringRoutes } from '../../src/contract/gatherings/gatherings.js';
import { roomRoutes } from '../../src/contract/rooms/rooms.js';
import { sessionRoutes } from '../../src/contract/sessions/sessions.js';
import { commandLine } from '../support/cli.js';
import { startDaemon, type TestDaemon } from '../support/daemon.js';

let daemon: TestDaemon;
const cli = commandLine(() => ({ EARSHOT_URL: daemon.url, EARSHOT_API_KEY: daemon.apiKey }));
const place = () => ({ params: { projectId: daemon.projectId } });
const restricted = async () =>
  (await daemon.client.call(roomRoutes.list, place()))
    .filter(({ muted, closed }) => muted !== null || closed !== null)
    .map(({ roomId }) => roomId);

beforeAll(async () => {
  daemon = await startDaemon();
});
afterAll(async () => {
  await daemon.stop();
  cli.dispose();
});

describe('the room of a command', () => {
  it.each(['mute', 'close'])('%s finds it by gathering, join code, session and id', async (act) => {
    const lift = act === 'mute' ? 'unmute' : 'reopen';
    const body = { name: `Team ${act}`, type: 'lobby' as const, maxMembers: 4 };
    const { id, roomId, joinCode } = await daemon.client.call(gatheringRoutes.create, { ...place(), body });
    const asked = { title: `Evening ${act}`, externalRoomId: `hall-${act}`, autoStart: false };
    const session = await daemon.client.call(sessionRoutes.create, { ...place(), body: asked });
    for (const [typed, room] of [
      [body.name, roomId],
      [joinCode, roomId],
      [id, roomId],
      [roomId, roomId],
      [asked.title, asked.externalRoomId],
      [session.id, asked.externalRoomId],
      [asked.externalRoomId, asked.externalRoomId],
    ] as const) {
      expect(await cli.run(['rooms', act, typed, '10m'])).toMatchObject({ code: 0 });
      expect(await restricted(), typed).toEqual([room]);
      expect(await cli.run(['rooms', lift, typed])).toMatchObject({ code: 0 });
      expect(await restricted()).toEqual([]);
    }
  });

  it('is a new one only with --new', async () => {
    const refused = await cli.run(['rooms', 'close', 'no-such-room']);
    expect(refused).toMatchObject({ code: 4, stdout: '' });
    expect(refused.stderr).toContain('There is no room no-such-room.');
    expect(refused.stderr).toContain('For a new room, add --new.');
    expect(await restricted()).toEqual([]);
    expect(await cli.run(['rooms', 'close', 'no-such-room', '--new'])).toMatchObject({ code: 0 });
    expect(await restricted()).toEqual(['no-such-room']);
    expect(await cli.run(['rooms', 'reopen', 'no-such-room'])).toMatchObject({ code: 0 });
  });
});

describe('a target that nobody has', () => {
  const board = ['leaderboards', 'create', '--name', 'Kills', '--event-name', 'kill-enemy', '--reset-period', 'weekly'];
  const challenge = ['challenges', 'create', '--name', 'Three', '--event-name', 'kill-enemy', '--goal', '3'];
  beforeAll(async () => {
    for (const made of [board, challenge]) await cli.json(made);
  });

  it.each(
    [
      ['rooms', 'mute', 'nowhere'],
      ['rooms', 'unmute', 'nowhere'],
      ['rooms', 'close', 'nowhere'],
      ['rooms', 'reopen', 'nowhere'],
      ['rooms', 'announce', 'nowhere', 'Hello'],
      ['rooms', 'kick', 'nowhere', 'nobody'],
      ['kick', 'nobody'],
      ['ban', 'nobody', '1d'],
      ['mute', 'nobody', '10m'],
      ['warn', 'nobody'],
      ['sanctions', 'issue', '--type', 'mute', '--external-user-id', 'nobody'],
      ['participants', 'blocks', 'add', 'nobody', 'noone'],
      ['participants', 'notes', 'add', 'nobody', 'text'],
      ['leaderboards', 'exclude', 'Kills', 'nobody'],
      ['leaderboards', 'exclude', 'nobody', '--all'],
      ['players', 'grant', 'nobody', 'Three', '1', '--reason', 'x'],
      ['players', 'set-progress', 'nobody', 'Three', '1', '--reason', 'x'],
    ].map((line) => [line.join(' '), line] as const),
  )('%s', async (_, line) => {
    const { code, stderr } = await cli.run(line);
    expect(code, stderr).toBe(4);
  });
});
