/** Reports and cases by command; `cases next` on a terminal: the most urgent case, decided by single keys. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sanctionRoutes } from '../../src/contract/moderation/sanctions.js';
import { participantRoutes } from '../../src/contract/people/participants.js';
import type { Case, CasePage } from '../../src/contract/reports/cases.js';
import { caseRoutes } from '../../src/contract/reports/cases.js';
import type { Report } from '../../src/contract/reports/reports.js';
import { commandLine } from '../support/cli.js';
import { startDaemon, type TestDaemon } from '../support/daemon.js';
import { VirtualTerminal } from '../support/virtual-terminal.js';

let daemon: TestDaemon;
const cli = commandLine(() => ({ EARSHOT_URL: daemon.url, EARSHOT_API_KEY: daemon.apiKey }));
beforeAll(async () => {
  daemon = await startDaemon();
});
afterAll(async () => {
  cli.dispose();
  await daemon.stop();
});

const params = () => ({ projectId: daemon.projectId });
const report = (user: string, category: string) =>
  cli.json<Report>(['reports', 'create', '--user', user, '--category', category, '--words', `words about ${user}`]);
const casesOf = async (status: 'decided' | 'open') =>
  (await daemon.client.call(caseRoutes.list, { params: params(), query: { status } })).cases;

describe('reports and cases on the command line', { timeout: 60_000 }, () => {
  it('are listed, shown and decided', async () => {
    const { id, caseId } = await report('u0', 'threats');
    expect((await cli.run(['reports', 'get', id])).stdout).toContain('words about u0');
    expect((await cli.json<CasePage>(['cases', 'list'])).cases).toMatchObject([{ id: caseId, category: 'threats' }]);
    expect((await cli.run(['cases', 'list'])).stdout).toContain('threats (weight 8), 1 report by 1 person');
    expect((await cli.run(['cases', 'get', caseId ?? ''])).stdout).toContain('words about u0');
    const sanction = '{"type":"mute","duration":60}';
    const decide = ['cases', 'decide', caseId ?? '', '--decision', 'sanction', '--reason-code', 'violation'];
    expect(await cli.json<Case>([...decide, '--sanction', sanction])).toMatchObject({ status: 'decided' });
    const again = await cli.run([...decide, '--sanction', sanction]);
    expect(again.code).toBe(5);
    expect(again.stderr).toMatch(/has decided this case at .*: sanction \(violation\)/);
  });

  it('are named by the person, shown with their id on 80 columns, and decided by flags', async () => {
    const { caseId } = await report('u9', 'hate');
    const id = caseId ?? '';
    const terminal = new VirtualTerminal(80, 24);
    const listed = await cli.run(['cases', 'list'], { terminal });
    expect(listed.stdout).toContain(id);
    for (const line of listed.stdout.split('\n')) expect(line.length).toBeLessThanOrEqual(80);
    expect(await cli.json<Case>(['cases', 'get', 'u9'])).toMatchObject({ id });
    expect(await cli.json<Case>(['cases', 'claim', 'u9'])).toMatchObject({ id, status: 'claimed' });
    const decided = await cli.run(['cases', 'decide', 'u9', '--type', 'ban', '--duration', '1d', '--reason', 'enough']);
    expect(decided).toMatchObject({ code: 0, stderr: expect.stringMatching(/temp_ban until .*\(in 1d\)/) });
    const imposed = { params: { ...params(), externalUserId: 'u9' } };
    expect(await daemon.client.call(sanctionRoutes.ofUser, imposed)).toMatchObject([
      { type: 'temp_ban', duration: 86_400, reason: 'enough' },
    ]);
    expect(await cli.run(['cases', 'get', 'u9'])).toMatchObject({ code: 4 });
    const open = await report('u8', 'hate');
    expect((await cli.run(['cases', 'decide', open.caseId ?? ''])).stderr).toContain('Write --type and --duration');
    const dismissed = ['cases', 'decide', 'u8', '--decision', 'no_action', '--reason-code', 'no_violation'];
    expect((await cli.run(dismissed)).code).toBe(0);
  });

  it('a proposed ban is shown, holds meanwhile, and ends when it is turned down, without others', async () => {
    const settings = (flag: string) => cli.run(['reports', 'settings', 'set', flag]);
    expect((await settings('--confirm-permanent-bans')).code).toBe(0);
    await report('u6', 'hate');
    const decide = ['cases', 'decide', 'u6', '--type', 'ban', '--reason', 'threats', '--ban-meanwhile', '1d'];
    expect(await cli.json<Case>(decide)).toMatchObject({ status: 'unconfirmed', sanctionId: expect.any(String) });
    expect((await cli.run(['cases', 'get', 'u6'])).stdout).toMatch(
      /Waits for a second person\n[\s\S]*perm_ban +- +threats +- +- +violation/,
    );
    await cli.run(['sanctions', 'issue', '--type', 'temp_ban', '--user', 'u6', '--duration', '2d', '--new']);
    const down = await cli.run(['cases', 'confirm', 'u6', '--turn-down']);
    expect(down).toMatchObject({ code: 0, stdout: expect.stringMatching(/status +open/) });
    expect(down.stderr.match(/A temp_ban stays in force until .*\. To end it: earshot unban u6/g)).toHaveLength(1);
    const inForce = { params: { ...params(), externalUserId: 'u6' } };
    expect(await daemon.client.call(sanctionRoutes.activeOfUser, inForce)).toMatchObject([{ duration: 172_800 }]);
    expect((await settings('--no-confirm-permanent-bans')).code).toBe(0);
    await cli.run(['cases', 'decide', 'u6', '--decision', 'no_action', '--reason-code', 'no_violation']);
  });

  it('a report says that no bot listens in the room', async () => {
    const line = ['reports', 'create', '--user', 'u7', '--category', 'spam', '--words', 'x', '--room', 'silent'];
    const { stderr } = await cli.run(line);
    expect(stderr).toContain('No bot listens in the room silent');
    expect(stderr).toMatch(/^Nobody is known as u7 yet\..*\nNo room is known as silent yet\./);
    const known = { params: params(), body: { externalUserId: 'u7' } };
    await daemon.client.call(participantRoutes.create, known);
    expect((await cli.run(line.slice(0, -2))).stderr).toBe('');
    expect(
      (await cli.run(['cases', 'decide', 'u7', '--decision', 'no_action', '--reason-code', 'no_violation'])).code,
    ).toBe(0);
  });

  it('cases next walks from the most urgent on, each decided with a key', async () => {
    for (const [user, category] of [
      ['u1', 'minors_safety'],
      ['u2', 'hate'],
      ['u3', 'cheating'],
      ['u4', 'spam'],
    ] as const)
      await report(user, category);
    const terminal = new VirtualTerminal(120, 24);
    const ended = cli.run(['cases', 'next'], { terminal });
    await terminal.shows(/^u1[\s\S]*minors_safety \(weight 10\)[\s\S]*words about u1[\s\S]*s sanction/);
    terminal.type('s');
    await terminal.shows(/Kind of sanction: mute/);
    terminal.type('\r');
    await terminal.shows(/For how long: 1h/);
    terminal.type('\r');
    await terminal.shows(/Reason, shown to the person: ▏/);
    terminal.type('stop it\r');
    await terminal.shows(/^u2[\s\S]*u1: sanction \(violation\)/);
    terminal.type('n');
    await terminal.shows(/^u3[\s\S]*u2: no_action \(no_violation\)/);
    terminal.type('r');
    await terminal.shows(/^u4[\s\S]*u3: released/);
    terminal.type('f');
    await terminal.shows(/This counts against 1 reporters?\. Type yes:/);
    terminal.type('yes\r');
    await terminal.shows(/^Cases[\s\S]*No case is open\.[\s\S]*u4: no_action \(unfounded_reports\)/);
    terminal.type('q');
    expect(await ended).toMatchObject({ code: 0 });
    const imposed = { params: { ...params(), externalUserId: 'u1' } };
    expect(await daemon.client.call(sanctionRoutes.ofUser, imposed)).toMatchObject([
      { type: 'mute', duration: 3_600, reason: 'stop it' },
    ]);
    expect((await casesOf('open')).map(({ externalUserId }) => externalUserId)).toEqual(['u3']);
    expect(await cli.run(['cases', 'next'])).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('words about u3'),
    });
  });
});
