/** Mistyped commands are answered with the right ones, in plain words. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { challengeRoutes } from '../../src/contract/gameplay/challenges.js';
import { commandLine } from '../support/cli.js';
import { startDaemon, type TestDaemon } from '../support/daemon.js';

let daemon: TestDaemon;
const { run, json, dispose } = commandLine(() => ({
  ...{ EARSHOT_URL: daemon.url, EARSHOT_API_KEY: daemon.apiKey, EARSHOT_PROJECT: daemon.projectId },
}));
beforeAll(async () => {
  daemon = await startDaemon();
});
afterAll(async () => {
  await daemon.stop();
  dispose();
});
const words = (line: string): string[] =>
  [...line.matchAll(/'([^']*)'|"([^"]*)"|(\S+)/g)].map((one) => one.slice(1).find((text) => text !== undefined) ?? '');

describe('--reset-period', () => {
  const make = 'create --name Kills --event-name kill-enemy';

  it.each([
    [`challenges ${make} --goal 3 --reset-period weekly`, { range: 'w', atTime: '00:00', timeZone: 'UTC' }],
    [
      `challenges ${make} --goal 3 --reset-period day --time-zone Europe/Berlin`,
      { range: 'd', timeZone: 'Europe/Berlin' },
    ],
    [`leaderboards ${make} --reset-period "monthly 4:30"`, { range: 'm', atTime: '04:30' }],
    [`leaderboards ${make} --reset-period '{"range":"w","atTime":"18:00"}'`, { range: 'w', atTime: '18:00' }],
  ])('%s', async (line, resetPeriod) => {
    expect(await json(words(line))).toMatchObject({ resetPeriod });
  });

  it('is changed in the same words, and cleared', async () => {
    const { id } = await json<{ id: string }>(words(`challenges ${make} --goal 3`));
    const update = (line: string) => json(words(`challenges update ${id} ${line}`));
    expect(await update('--reset-period daily')).toMatchObject({ resetPeriod: { range: 'd' } });
    expect(await update('--clear resetPeriod')).toMatchObject({ resetPeriod: null });
    const params = { projectId: daemon.projectId, id };
    expect((await daemon.client.call(challengeRoutes.get, { params })).resetPeriod).toBeNull();
  });

  it.each([
    [
      'yearly',
      '--reset-period: "yearly" is no period; write daily, weekly or monthly, also with a time, as "daily 04:30".',
    ],
    ['"daily 25:00"', '--reset-period: write a time as 04:30'],
    ['daily --time-zone Berlin', '--time-zone: name a zone as Europe/Berlin'],
  ])('%s is refused with what there is', async (typed, message) => {
    const { code, stderr } = await run(words(`challenges ${make} --goal 3 --reset-period ${typed}`));
    expect([code, stderr]).toEqual([2, `${message}\n`]);
  });
});

describe('what has to be JSON', () => {
  it.each([
    [
      'challenges create --name A --event-name kill-enemy --goal 1 --metadata-conditions map=woods',
      'metadata-conditions',
      '{"key":"text","values":["text"]}',
    ],
    [
      'sanctions issue --type rate_limit --user u1 --new --parameters 20',
      'parameters',
      '{"speakingSecondsPerMinute":1',
    ],
    ['participants create --user u1 --user-data level', 'user-data', '{"key":"value"}'],
  ])('%s is shown by an example of its own', async (line, flag, example) => {
    const { code, stderr } = await run(words(line));
    expect([code, stderr]).toEqual([2, expect.stringContaining(`--${flag}: "`)]);
    expect(stderr).toContain(`is not a JSON object; write one such as '${example}`);
  });
});

describe('a value that does not fit', () => {
  it.each([
    [
      `sanctions issue --type warn --user u1 --new --reason ${'x'.repeat(501)}`,
      '--reason: must have at most 500 characters',
    ],
    ['challenges create --name A --event-name kill-enemy --goal 0', '--goal: must be at least 1'],
    [
      'challenges create --name A --event-name kill-enemi --goal 1',
      '--event-name: is not an event of the catalogue. Did you mean kill-enemy?',
    ],
    [
      'leaderboards create --name A --event-name x',
      '--event-name: is not an event of the catalogue. `game-events catalogue` lists them.',
    ],
    [
      `sanctions issue --type rate_limit --user u1 --new --parameters '{"speakingSecondsPerMinute":"x"}'`,
      '--parameters speakingSecondsPerMinute: must be a number',
    ],
    [`webhooks create --to nowhere --events "*"`, '--to: must be an address, such as https://example.com'],
  ])('%s', async (line, message) => {
    const { code, stderr } = await run(words(line));
    expect([code, stderr]).toEqual([2, expect.stringContaining(message)]);
  });

  it('is refused by the daemon in the same words', async () => {
    const { stderr } = await run(['users', 'accept', '--stdin', '--display-name', 'A'], {
      input: `${daemon.url}/invitation#token=x\nshort`,
    });
    expect(stderr).toContain('password: must have at least 10 characters');
    const answer = await fetch(`${daemon.url}/api/projects/${daemon.projectId}/challenges`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'X-API-Key': daemon.apiKey },
      body: JSON.stringify({ name: 5, goal: '3' }),
    });
    expect(await answer.json()).toMatchObject({
      details: [
        { path: 'body.name', message: 'must be text or an object' },
        { path: 'body.eventName', message: 'is required' },
        { path: 'body.goal', message: 'must be a number' },
      ],
    });
  });
});
