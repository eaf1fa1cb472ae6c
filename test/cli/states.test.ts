/** A command that is written correctly and finds the wrong state is no mistake of usage: exit code 4 or 5, with a code and ids. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { commandLine } from '../support/cli.js';
import { startDaemon, type TestDaemon } from '../support/daemon.js';

let daemon: TestDaemon;
let ids: Record<'mute' | 'session' | 'message', string>;
const cli = commandLine(() => ({ EARSHOT_URL: daemon.url, EARSHOT_API_KEY: daemon.apiKey }));

beforeAll(async () => {
  daemon = await startDaemon();
  const mute = await cli.json<{ id: string }>(['mute', 'muted', '10m', '--new']);
  const hall = ['sessions', 'create', '--title', 'Hall', '--room', 'hall', '--no-auto-start'];
  const session = await cli.json<{ id: string }>(hall);
  await cli.run(['sessions', 'stop', session.id]);
  await cli.json(['participants', 'create', 'present']);
  ids = { mute: mute.id, session: session.id, message: crypto.randomUUID() };
});
afterAll(async () => {
  await daemon.stop();
  cli.dispose();
});

type Row = readonly [line: string, exitCode: 4 | 5, code: string, about?: Readonly<Record<string, string>>];
/** Uses the names of `ids` for ids that the daemon made. */
const table: readonly Row[] = [
  ['mute muted 10m', 5, 'sanction_in_force', { sanctionId: 'mute' }],
  ['mute present 10m --room SESSION', 5, 'session_ended', { sessionId: 'session' }],
  ['unmute present', 4, 'sanction_not_active', { externalUserId: 'present' }],
  ['unban present', 4, 'sanction_not_active', { externalUserId: 'present' }],
  ['kick present', 4, 'not_in_room', { externalUserId: 'present' }],
  ['reviews next', 4, 'queue_empty'],
  ['cases next', 4, 'queue_empty'],
  ['sanctions undo --last --yes', 4, 'nothing_to_undo'],
  ['sanctions undo no-such-batch', 4, 'sanction_batch_not_found'],
  ['sanctions revoke MESSAGE', 4, 'sanction_not_found'],
  ['ban --from-room hall --joined-since 10m 1d --dry-run', 4, 'nobody_concerned', { roomId: 'hall' }],
  ['participants notify Sorry --room hall --since 1h', 4, 'nobody_concerned'],
  ['sessions audio SESSION MESSAGE out.wav --around 5s', 4, 'message_not_found', { messageId: 'message' }],
  ['rooms mute nowhere', 4, 'unknown_name'],
  ['rooms unmute hall', 4, 'room_not_muted', { roomId: 'hall' }],
  ['rooms reopen hall', 4, 'room_not_closed', { roomId: 'hall' }],
  ['console', 5, 'person_required'],
  ['profiles use nowhere', 4, 'profile_not_found', { profile: 'nowhere' }],
  ['profiles delete nowhere', 4, 'profile_not_found', { profile: 'nowhere' }],
];
const rows = table.map(([line, exitCode, code, about = {}]) => [line, exitCode, code, about] as const);

describe('the wrong state', () => {
  it.each(rows)('of `%s` is exit code %i and %s', async (line, exitCode, code, about) => {
    const typed = line.replace('SESSION', ids.session).replace('MESSAGE', ids.message).split(' ');
    const idOf = (name: string) => (name in ids ? Reflect.get(ids, name) : name);
    const details = Object.entries(about).map(([path, id]) => ({ path, message: idOf(id) }));
    const { code: ended, stderr, stdout } = await cli.run([...typed, '--json']);
    expect([ended, stdout], stderr).toEqual([exitCode, '']);
    const said: { code: string; details: unknown[] } = JSON.parse(stderr);
    expect(said.code).toBe(code);
    expect(said.details).toEqual(expect.arrayContaining(details));
    const { code: plain, stderr: sentence } = await cli.run(typed);
    expect([plain, sentence]).toEqual([exitCode, expect.not.stringContaining('    at ')]);
  });
});
