/** `cases export`: one archive of everything that a case rests on, with a page to read. */
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { statementRoutes } from '../../src/contract/moderation/statements.js';
import { caseRoutes } from '../../src/contract/reports/cases.js';
import { reportRoutes } from '../../src/contract/reports/reports.js';
import { sessionRoutes } from '../../src/contract/sessions/sessions.js';
import { commandLine } from '../support/cli.js';
import { administrator, startDaemon, type TestDaemon } from '../support/daemon.js';
import { unzipped } from '../support/unzipped.js';

let daemon: TestDaemon;
const folder = mkdtempSync(join(tmpdir(), 'earshot-incident-'));
const cli = commandLine(() => ({ EARSHOT_URL: daemon.url }));
beforeAll(async () => {
  daemon = await startDaemon();
  await cli.run(['login', '--email', administrator.email, '--password-stdin'], { input: administrator.password });
});
afterAll(async () => {
  cli.dispose();
  rmSync(folder, { recursive: true });
  await daemon.stop();
});

const params = () => ({ projectId: daemon.projectId });
const at = (id: string) => ({ params: { ...params(), id } });
const script = '<script>alert("Jürgen")</script>';

/** A report with a transcript, decided with a mute, which is appealed and upheld. */
async function decided(): Promise<{ caseId: string; sanctionId: string }> {
  const { client, admin } = daemon;
  const session = { title: 'Match', externalRoomId: 'arena', autoStart: false };
  const { id } = await client.call(sessionRoutes.create, { params: params(), body: session });
  const say = (externalUserId: string, content: string) =>
    client.call(sessionRoutes.say, { ...at(id), body: { externalUserId, content } });
  await say('ann', 'What is it?');
  const said = await say('bob', script);
  const { caseId } = await client.call(reportRoutes.create, {
    params: params(),
    body: {
      ...{ externalUserId: 'bob', reporterUserId: 'ann', category: 'threats', roomId: 'arena', words: 'He said it.' },
      evidence: { messageIds: [said.id] },
    },
  });
  if (caseId === null) throw new Error('The report has no case.');
  const sanction = { type: 'mute' as const, duration: 600, reason: 'threats' };
  const decision = { decision: 'sanction' as const, reasonCode: 'violation' as const, sanction };
  const { sanctionId } = await admin.call(caseRoutes.decide, { ...at(caseId), body: decision });
  if (sanctionId === null) throw new Error('The case has no sanction.');
  const { url } = await client.call(statementRoutes.get, at(sanctionId));
  const code = url?.split('/').at(-1) ?? '';
  await client.call(statementRoutes.appeal, { params: { code }, body: { statement: 'It was my brother.' } });
  return { caseId, sanctionId };
}

describe('cases export', { timeout: 60_000 }, () => {
  it('holds words, times, sanctions, statements, decisions and the audit log, and a page of them', async () => {
    const { caseId, sanctionId } = await decided();
    const file = join(folder, 'incident.zip');
    expect(await cli.run(['cases', 'export', caseId, '--out', file])).toMatchObject({ code: 0 });
    const files = unzipped(readFileSync(file));
    const json = (name: string) => JSON.parse(files.get(`${name}.json`)?.toString() ?? '');
    expect([...files.keys()]).toEqual([
      ...['incident.html', 'case.json', 'reports.json', 'reviews.json', 'sanctions.json', 'statements.json'],
      'audit.json',
    ]);
    expect(json('case')).toMatchObject({ id: caseId, decision: 'sanction', sanctionId });
    expect(json('reports')).toMatchObject([
      { words: 'He said it.', transcript: [{}, { content: script, named: true }] },
    ]);
    expect(json('sanctions')).toMatchObject([{ id: sanctionId, type: 'mute', reason: 'threats' }]);
    expect(json('statements')).toMatchObject([{ sanctionId, appeal: { statement: 'It was my brother.' } }]);
    const actions = json('audit').map(({ action }: { action: string }) => action);
    expect(actions).toContain('decideCase');

    const page = files.get('incident.html')?.toString() ?? '';
    const escaped = '&lt;script&gt;alert(&quot;Jürgen&quot;)&lt;/script&gt;';
    for (const words of [
      'Incident: case about bob',
      'What is it?',
      escaped,
      'He said it.',
      'decideCase',
      administrator.email,
    ])
      expect(page).toContain(words);
    expect(page).toMatch(/\d{4}-\d\d-\d\dT[\d:.]+Z<\/td><td>bob/);
    expect(page).not.toContain('<script');
    expect(page).not.toMatch(/(src|href)="https?:/);
  });

  it('overwrites no file, and says what a key may not see', async () => {
    const { caseId } = await daemon.client.call(reportRoutes.create, {
      params: params(),
      body: { externalUserId: 'cleo', category: 'spam' },
    });
    const file = join(folder, 'again.zip');
    const { apiKey } = await daemon.clientWith(['reports:read']).then((client) => ({ apiKey: client.credential }));
    const key = apiKey?.kind === 'apiKey' ? apiKey.key : '';
    const asKey = { env: { EARSHOT_API_KEY: key, EARSHOT_PROJECT: daemon.projectId } };
    const limited = await cli.run(['cases', 'export', caseId ?? '', '--out', file], asKey);
    expect(limited).toMatchObject({ code: 0, stderr: expect.stringMatching(/Left out.*sanctions, audit log/) });
    expect(unzipped(readFileSync(file)).get('incident.html')?.toString()).toContain('Left out');
    const size = statSync(file).size;
    expect(await cli.run(['cases', 'export', caseId ?? '', '--out', file])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('already exists'),
    });
    expect(statSync(file).size).toBe(size);
    expect(await cli.run(['cases', 'export', crypto.randomUUID(), '--out', join(folder, 'no.zip')])).toMatchObject({
      code: 4,
    });
  });
});
