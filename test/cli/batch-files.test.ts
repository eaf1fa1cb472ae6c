/** A list of sanctions as moderators have it: a line that cannot be read is named, and every line is in the counts. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { participantRoutes } from '../../src/contract/people/participants.js';
import { commandLine } from '../support/cli.js';
import { startDaemon, type TestDaemon } from '../support/daemon.js';

let daemon: TestDaemon;
const cli = commandLine(() => ({ EARSHOT_URL: daemon.url, EARSHOT_API_KEY: daemon.apiKey }));
beforeAll(async () => {
  daemon = await startDaemon();
  const params = { projectId: daemon.projectId };
  await daemon.client.call(participantRoutes.create, { params, body: { externalUserId: 'u_17', displayName: 'Bób' } });
});
afterAll(async () => {
  await daemon.stop();
  cli.dispose();
});

const apply = (lines: readonly string[], ...flags: string[]) =>
  cli.run(['sanctions', 'apply', '--file', '-', ...flags], { input: lines.join('\n') });

describe('sanctions apply with a quote that is left open', () => {
  const list = Array.from({ length: 40 }, (_, index) => `open${index},ban,${index === 20 ? '"he said hello' : 'ok'}`);

  it('names its line, and reads the lines after it', async () => {
    const file = ['user,type,reason', ...list, '"open40",ban,"he said ""bye"""'];
    const refused = await apply(file);
    expect(refused).toMatchObject({ code: 2, stdout: '', stderr: expect.stringMatching(/\n22 +a quote is open/) });
    expect(refused.stderr).toContain('41 lines read, 0 issued, 0 unchanged, 1 refused, 40 unknown, 0 doubled.');
    const { code, stderr } = await apply(file, '--skip-bad', '--batch', 'open');
    expect(code).toBe(0);
    expect(stderr).toContain('Batch open: 41 lines read, 40 issued, 0 unchanged, 1 refused, 40 unknown, 0 doubled.');
    expect(await cli.json(['sanctions', 'active', 'open40'])).toMatchObject([{ reason: 'he said "bye"' }]);
  });

  it('takes a reason of several lines', async () => {
    const { code } = await apply(['user,type,reason', 'long,mute,"threats, often,', 'and worse"', 'other,mute,']);
    expect(code).toBe(0);
    expect(await cli.json(['sanctions', 'active', 'long'])).toMatchObject([{ reason: 'threats, often,\nand worse' }]);
  });
});

describe('sanctions apply', () => {
  it('warns in a dry run of unknown ids, of the same id twice, and of what is in force', async () => {
    await cli.run(['mute', 'u_17', '10m']);
    const file = ['type,user', 'mute,u_17', 'mute,bob', 'warn,u_17', 'mute,nobody'];
    const { stdout, stderr } = await apply(file, '--dry-run');
    expect(stdout).toMatch(/\+ +2 +mute +u_17 .*in force already/);
    expect(stdout).toMatch(/! +3 +mute +bob .*nobody has the id bob, but it is the name of u_17/);
    expect(stdout).toMatch(/\+ +4 +warn +u_17 .*the same person as in line 2/);
    expect(stdout).toMatch(/\+ +5 +mute +nobody .*is unknown here/);
    expect(stderr).toContain('4 lines read, 3 would be issued, 0 unchanged, 1 refused, 2 unknown, 1 doubled.');
  });

  it('refuses a line that is the name of somebody and an id of nobody, unless --new accepts it', async () => {
    const file = ['type,user,duration', 'mute,bob,10m', 'mute,fresh,10m'];
    const refused = await apply(file);
    expect(refused).toMatchObject({
      code: 5,
      stderr: expect.stringMatching(/2 +externalUserId +nobody has the id bob/),
    });
    expect(refused.stderr).toContain('Nothing was issued.');
    expect(await cli.run(['sanctions', 'active', 'fresh'])).toMatchObject({ code: 4 });
    const foreseen = (await apply(file, '--dry-run')).stderr;
    expect(foreseen).toMatch(/2 lines read, 1 would be issued, .* Of these, 1 ending /);
    expect(await apply(file, '--new')).toMatchObject({ code: 0, stderr: expect.stringContaining('2 issued') });
    const again = (await apply(file, '--new')).stderr;
    expect(again).toMatch(/ 0 issued, 2 unchanged/);
    expect(again).not.toContain('Of these');
  });

  it('refuses an empty duration and an id that a spreadsheet has ruined, and says how long all holds', async () => {
    const file = ['user,type,duration', 'b1,ban,', 'b2,ban,forever', 'b3,warn,', 'b4,mute,1h'];
    expect(await apply(file)).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/2 +duration +the cell is empty/),
    });
    const issued = await apply(file.toSpliced(1, 1));
    expect(issued).toMatchObject({ code: 0, stderr: expect.stringMatching(/Of these, 1 permanent, 1 ending .*in 1h/) });
    for (const [first, second] of [
      ['7.65612E+16', '76561198012345678'],
      ['76561198000000000.0', '76561198012345678'],
      ['#N/A', 'b1'],
      ['76561198012345600', '76561198012345700'],
    ])
      expect(await apply(['user,type', `${first},warn`, `${second},warn`]), first).toMatchObject({
        code: 2,
        stderr: expect.stringMatching(/2 +externalUserId +a spreadsheet/),
      });
  });

  it('tells once that a file has no column type, and issues nothing of it', async () => {
    const { code, stderr } = await apply(['user,reason', 'n1,spam', 'n2,spam'], '--skip-bad', '--batch', 'untyped');
    expect(code).toBe(2);
    expect(stderr.match(/no such column/g)).toHaveLength(1);
    expect(stderr).toMatch(/\n1 +type +the file has no such column/);
    expect(stderr).toContain('2 lines read, 0 issued, 0 unchanged, 2 refused');
    expect((await apply(['user,type,player', 'n1,mute,n2'])).stderr).toContain('two columns have this name');
  });

  it('takes the apostrophe of lists as CSV before what begins like a formula for no part of the id', async () => {
    const { code } = await apply(['user,type', "'-dash,mute", "'quote,mute"]);
    expect(code).toBe(0);
    for (const id of ['-dash', "'quote"])
      expect(await cli.run(['sanctions', 'active', '--', id]), id).toMatchObject({
        stdout: expect.stringMatching(/mute/),
      });
  });

  it.each([
    [
      '{"type":"mute","externalUserId":"un","durationSeconds":60}',
      /1 +durationSeconds +no such field; there are .*duration,/,
    ],
    ['{"type":"mute","externalUserId":"un","duration":"1h","evidence":{"rule":"x"}}', /1 +evidence\.rule +there is no/],
  ])('refuses a field that a sanction does not have: %s', async (line, why) => {
    expect(await apply([line])).toMatchObject({ code: 2, stderr: expect.stringMatching(why) });
    expect(await cli.run(['sanctions', 'active', 'un'])).toMatchObject({ code: 4 });
  });

  it('reads JSON behind a byte order mark', async () => {
    expect(await apply(['\uFEFF{"type":"mute","externalUserId":"marked"}'])).toMatchObject({ code: 0 });
  });
});
