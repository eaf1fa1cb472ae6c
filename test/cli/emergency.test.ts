/** The commands of docs/emergency.md, played from top to bottom as they stand there. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { gatheringRoutes } from '../../src/contract/gatherings/gatherings.js';
import { apiKeyRoutes } from '../../src/contract/identity/api-keys.js';
import type { ShiftNote } from '../../src/contract/moderation/shift-notes.js';
import { participantRoutes } from '../../src/contract/people/participants.js';
import { reportRoutes } from '../../src/contract/reports/reports.js';
import { roomVisitRoutes } from '../../src/contract/rooms/room-visits.js';
import { RuleScene } from '../rules/scene.js';
import { commandLine } from '../support/cli.js';
import { administrator, startDaemon, type TestDaemon } from '../support/daemon.js';
import { eventually } from '../support/eventually.js';
import { answering, roomToken } from '../support/room-client.js';
import { Speaker } from '../support/room-peers.js';

const page = (name: string): string => readFileSync(new URL(`../../${name}`, import.meta.url), 'utf8');

/** Splits a line as a shell does, without what follows a `#`. */
function wordsOf(line: string): string[] {
  const [, ...words] = [...line.replace(/\s+#.*$/, '').matchAll(/"([^"]*)"|\S+/g)].map(
    ([whole, quoted]) => quoted ?? whole,
  );
  return words;
}
const commandsOf = (markdown: string): string[] =>
  [...markdown.matchAll(/```sh\n([\s\S]*?)```/g)].flatMap(([, block = '']) => block.trim().split('\n'));

let daemon: TestDaemon;
const peers: Speaker[] = [];
let caseId = '';
const folder = mkdtempSync(join(tmpdir(), 'earshot-emergency-'));
const archive = join(folder, 'incident.zip');
const cli = commandLine(() => ({ EARSHOT_URL: daemon.url }));
beforeAll(async () => {
  daemon = await startDaemon();
  await cli.run(['login', '--email', administrator.email, '--password-stdin'], { input: administrator.password });
  const params = { projectId: daemon.projectId };
  const scene = new RuleScene(daemon);
  const mute = { sanction: { type: 'mute' as const, duration: 600 } };
  await scene.rule(
    { format: 1, mode: 'enforce', when: { all: [{ words: { any: ['toad'] } }] }, steps: [[mute]] },
    { name: 'Insults' },
  );
  await daemon.client.call(gatheringRoutes.create, { params, body: { name: 'Team red' } });
  await daemon.admin.call(apiKeyRoutes.create, { body: { name: 'leaked', scopes: ['sessions:read'] } });
  for (const externalUserId of ['ann', 'bob', 'cid'])
    await daemon.client.call(participantRoutes.create, { params, body: { externalUserId } });
  for (const name of ['ann', 'bob', 'cid']) {
    const peer = new Speaker(name);
    peers.push(peer);
    const token = await roomToken(daemon.client, daemon.projectId, 'demo', name);
    await peer.join(answering(daemon.url, 'whip', 'demo', token));
  }
  const query = { since: new Date(Date.now() - 600_000).toISOString() };
  const visits = { params: { ...params, roomId: 'demo' }, query };
  await eventually(async () => expect(await daemon.client.call(roomVisitRoutes.list, visits)).toHaveLength(3));
  const reported = { externalUserId: 'bob', category: 'threats', roomId: 'demo', words: 'He said it.' };
  caseId = (await daemon.client.call(reportRoutes.create, { params, body: reported })).caseId ?? '';
  const sessionId = await scene.session('arena');
  await scene.say(sessionId, 'dora', 'you toad');
  await eventually(async () =>
    expect((await cli.run(['sanctions', 'active', 'dora'])).stdout).toContain('rule Insults'),
  );
}, 120_000);
afterAll(async () => {
  for (const peer of peers) peer.close();
  cli.dispose();
  rmSync(folder, { recursive: true });
  await daemon.stop();
});

describe('docs/emergency.md', { timeout: 180_000 }, () => {
  it('is where README leads to', () => {
    expect(page('README.md')).toContain('(docs/emergency.md)');
  });

  it('has commands that work as they stand there, in their order', async () => {
    const lines = commandsOf(page('docs/emergency.md'));
    expect(lines.length).toBeGreaterThan(30);
    const said = new Map<string, string>();
    for (const line of lines) {
      const words = wordsOf(line).map((word) => (word === 'CASE' ? caseId : word === 'incident.zip' ? archive : word));
      let ended = await cli.run(words);
      // There is nobody to ask.
      if (ended.code === 2 && ended.stderr.includes('add --yes')) ended = await cli.run([...words, '--yes']);
      expect([line, ended.code, ended.code === 0 ? '' : ended.stderr]).toEqual([line, 0, '']);
      said.set(words.join(' '), `${ended.stdout}${ended.stderr}`);
    }
    const saidBy = (begin: string) => [...said].find(([line]) => line.startsWith(begin))?.[1];
    expect(saidBy('rooms who demo')).toMatch(/ann[\s\S]*bob[\s\S]*cid/);
    expect(saidBy('ban --from-room demo --joined-since 10m 1d --reason raid --except')).toContain('Banned 2 people');
    expect(saidBy('sanctions undo --last')).toMatch(/REVOKED|revoked +2/i);
    expect(saidBy('rules undo Insults --since 2h --reason')).toMatch(/revoked +1/i);
    expect(saidBy('cases export')).toContain('incident.html is the page to read');
    expect(saidBy('participants notify A rule')).toContain('Sent to one person');
    expect(saidBy('shift')).toContain('The next moderator reads it');
  });
});

describe('shift', { timeout: 60_000 }, () => {
  it('shows notes, what the caller left open, and what others did', async () => {
    const note = 'Look at eve again.';
    expect(await cli.json<ShiftNote>(['shift', '--note', note])).toMatchObject({ text: note });
    const { caseId } = await cli.json<{ caseId: string }>([
      ...['reports', 'create', '--user', 'eve', '--category', 'threats', '--words', 'said it'],
    ]);
    await cli.json(['cases', 'claim', caseId]);
    const asKey = { env: { EARSHOT_API_KEY: daemon.apiKey } };
    await cli.json(['mute', 'cid', '10m', '--reason', 'loud'], asKey);
    await cli.json(['rooms', 'close', 'arena', '1h']);
    const { stdout } = await cli.run(['shift']);
    expect(stdout).toContain(note);
    expect(stdout).toMatch(/You left open:\n {2}case about eve/);
    expect(stdout).toMatch(/muted or closed:[\s\S]*arena, closed until/);
    expect(stdout).toMatch(/Others did since[\s\S]*key [^\n]*: mute for cid, until/);
    // What the administrator did is no news to the administrator, and news to the key.
    expect(stdout).not.toContain('temp_ban for bob');
    const other = await cli.run(['shift'], asKey);
    expect(other.stdout).toMatch(/You left open:\n {2}Nothing/);
    expect(other.stdout).toMatch(/temp_ban for bob/);
  });
});
