/** Rules as authors: named wherever a sanction is shown, filtered by, not stacking in one breath, and undone as one. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventLine } from '../../src/cli/events/event-line.js';
import { KnownNames } from '../../src/cli/names/known-names.js';
import { DomainEvent } from '../../src/contract/events.js';
import { type Review, reviewRoutes, type UpdateReviewRequest } from '../../src/contract/moderation/reviews.js';
import type { Sanction, SanctionType } from '../../src/contract/moderation/sanction-record.js';
import { sanctionRoutes } from '../../src/contract/moderation/sanctions.js';
import type { Person } from '../../src/contract/people/person.js';
import { ruleRoutes, type UndoneRule } from '../../src/contract/rules/rules.js';
import { answered } from '../support/answered.js';
import { commandLine } from '../support/cli.js';
import { administrator, startDaemon, type TestDaemon } from '../support/daemon.js';
import { openStream } from '../support/stream.js';
import { RuleScene } from './scene.js';

let daemon: TestDaemon;
let scene: RuleScene;
let sessionId: string;
let insults: string;
const cli = commandLine(() => ({ EARSHOT_URL: daemon.url, EARSHOT_API_KEY: daemon.apiKey }));
const mutesWhoSays = (word: string, type: SanctionType = 'mute') => ({
  format: 1 as const,
  mode: 'enforce' as const,
  when: { all: [{ words: { any: [word] } }] },
  steps: [[{ sanction: { type, duration: 600 } as never }]],
});
beforeAll(async () => {
  daemon = await startDaemon();
  scene = new RuleScene(daemon);
  sessionId = await scene.session();
  ({ id: insults } = await scene.rule(mutesWhoSays('toad'), { name: 'Insults' }));
});
afterAll(async () => {
  cli.dispose();
  await daemon.stop();
});

describe('two messages in one breath', () => {
  it('get one sanction of a kind by one rule', async () => {
    for (const words of ['toad', 'you toad']) await scene.say(sessionId, 'hasty', words);
    const decisions = await scene.decided(insults, 2);
    expect(decisions.map(({ outcome, facts }) => [outcome, facts?.justImposed])).toEqual([
      ['matched', []],
      ['repeated', ['mute']],
    ]);
    expect(await cli.json<Sanction[]>(['sanctions', 'active', 'hasty'])).toHaveLength(1);
  });
});

describe('a sanction by a rule', () => {
  it('names the rule in who, why, lists, history and evidence', async () => {
    for (const command of [
      ['who', 'hasty'],
      ['why', 'hasty'],
      ['sanctions', 'list'],
      ['sanctions', 'active'],
      ['sanctions', 'history', 'hasty'],
    ]) {
      const { stdout } = await cli.run(command);
      expect([command, stdout]).toEqual([command, expect.stringContaining('rule Insults')]);
      expect(stdout).not.toMatch(/nobody/);
    }
    const { active } = await cli.json<Person>(['who', 'hasty']);
    const [mute] = active ?? [];
    expect(mute).toMatchObject({ createdByUserId: null, createdBy: 'rule Insults', imposedBy: 'rule Insults' });
    for (const flags of [[], ['--evidence']])
      expect((await cli.run(['sanctions', 'get', mute?.id ?? '', ...flags])).stdout).toContain('rule Insults');
    expect((await cli.run(['mute', 'hasty', '1h', '--also'])).stderr).toContain('by rule Insults');
  });

  it('is named in the events that people follow', async () => {
    const address = `${daemon.url}/api/projects/${scene.projectId}/events/stream?types=sanction.created&since=earliest`;
    const stream = await openStream(address, { 'X-API-Key': daemon.apiKey });
    const event = DomainEvent.parse((await stream.next()).data);
    stream.close();
    const names = new KnownNames(daemon.client, scene.projectId);
    await names.learn(event);
    expect(eventLine(event, { isTerminal: false, now: new Date() }, names)).toContain('by rule Insults');
  });

  it('names an e-mail address and a key only to whom they are open', async () => {
    const of = async (client: TestDaemon['client']) => {
      const params = { ...scene.params(), externalUserId: 'hasty' };
      return (await client.call(sanctionRoutes.ofUser, { params })).map(({ createdBy }) => createdBy);
    };
    expect(await of(daemon.client)).toEqual([expect.stringMatching(/^key /), 'rule Insults']);
    expect(await of(await daemon.clientWith(['sanctions:read']))).toEqual([null, 'rule Insults']);
  });
});

describe('--by', () => {
  it('takes a rule, a key, a person and the system', async () => {
    const login = ['login', '--email', administrator.email, '--password-stdin'];
    await cli.run(login, { input: administrator.password, env: { EARSHOT_API_KEY: '' } });
    const asPerson = { env: { EARSHOT_API_KEY: '' } };
    await cli.json(['warn', 'other', '--new'], asPerson);
    const authors = async (by: string, command = 'list') => {
      const found = await cli.json<{ sanctions: Sanction[] }>(['sanctions', command, '--by', by], asPerson);
      return [...new Set(found.sanctions.map(({ createdBy }) => createdBy))];
    };
    const keys = await cli.json<{ name: string; keyPrefix: string }[]>(['api-keys', 'list'], asPerson);
    const key = keys.find(({ keyPrefix }) => daemon.apiKey.startsWith(keyPrefix));
    expect(await authors('rule:insults')).toEqual(['rule Insults']);
    expect(await authors('rule:insults', 'active')).toEqual(['rule Insults']);
    expect(await authors(`key:${key?.keyPrefix}`)).toEqual([`key ${key?.name}`]);
    expect(await authors(administrator.email)).toEqual([administrator.email]);
    expect(await authors('me')).toEqual([administrator.email]);
    const ofKey = await cli.json<{ sanctions: Sanction[] }>(['sanctions', 'list', '--by', 'me']);
    expect(new Set(ofKey.sanctions.map(({ createdBy }) => createdBy))).toEqual(new Set([`key ${key?.name}`]));
    expect(await authors('system')).toEqual([]);
    expect(await cli.run(['sanctions', 'list', '--by', 'rule:insluts'])).toMatchObject({
      code: 4,
      stderr: expect.stringContaining('Insults'),
    });
    expect(await cli.run(['sanctions', 'list', '--by', 'plugin:toxicity'])).toMatchObject({ code: 2 });
  });
});

describe('rules undo', () => {
  it('takes back what one rule imposed in a time, and nothing else', async () => {
    const other = await scene.rule(mutesWhoSays('newt', 'shadow_mute'), { name: 'Newts' });
    const begin = new Date().toISOString();
    for (const user of ['a1', 'a2']) await scene.say(sessionId, user, 'toad and newt');
    await scene.decided(insults, 4);
    await scene.decided(other.id, 2);
    const body = { type: 'mute' as const, externalUserId: 'a1', evidence: { ruleId: insults } };
    const byHand = await scene.call(sanctionRoutes.create, { params: scene.params(), body });
    const command = ['rules', 'undo', 'insults', '--since', begin, '--reason', 'too strict'];
    const foreseen = await cli.json<UndoneRule>([...command, '--dry-run']);
    expect(foreseen).toEqual({ ruleId: insults, dryRun: true, revoked: 2, ended: 0, reviews: 0 });
    const unasked = await cli.run(command);
    expect(unasked).toMatchObject({ code: 2, stderr: expect.stringMatching(/revokes 2 sanctions .*--yes/) });
    const undone = await cli.json<UndoneRule>([...command, '--yes']);
    expect(undone).toEqual({ ruleId: insults, dryRun: false, revoked: 2, ended: 0, reviews: 0 });
    const left = async (user: string) =>
      (await cli.json<Sanction[]>(['sanctions', 'active', user])).map(({ id, createdBy }) => [id, createdBy]);
    expect(await left('a2')).toEqual([[expect.any(String), 'rule Newts']]);
    expect(await left('a1')).toContainEqual([byHand.id, expect.stringMatching(/^key /)]);
    expect((await left('hasty')).flat()).toContain('rule Insults');
    const again = await cli.json<UndoneRule>(['rules', 'undo', insults, '--since', begin, '--yes']);
    expect(again).toMatchObject({ revoked: 0, ended: 2 });
    await scene.remove(other.id);
    const deleted = await cli.json<UndoneRule>(['rules', 'undo', other.id, '--since', begin, '--yes']);
    expect(deleted).toMatchObject({ revoked: 2 });
    expect((await cli.run(['sanctions', 'history', 'a2'])).stdout).toContain('rule Newts');
    const params = scene.item(crypto.randomUUID());
    await expect(scene.call(ruleRoutes.undo, { params, body: { since: begin } })).rejects.toMatchObject({
      code: 'rule_not_found',
    });
  });

  it('asks on a terminal, and then takes back', async () => {
    const { id } = await scene.rule(mutesWhoSays('frog'), { name: 'Frogs' });
    const begin = new Date().toISOString();
    await scene.say(sessionId, 'c1', 'a frog');
    await scene.decided(id, 1);
    for (const [keys, code, left] of [
      ['y\r', 2, 1],
      ['undo\u0003', 130, 1],
      ['undo\r', 0, 0],
    ] as const) {
      const ended = await answered(cli, ['rules', 'undo', 'Frogs', '--since', begin], 'Type undo to continue', keys);
      expect(ended).toMatchObject({ code, screen: expect.stringContaining('This revokes 1 sanction ') });
      expect(await cli.json<Sanction[]>(['sanctions', 'active', 'c1'])).toHaveLength(left);
    }
    await scene.remove(id);
  });

  it('overturns the open reviews that the rule asked for, claimed or not, and announces it', async () => {
    const asks = { ...mutesWhoSays('eft'), steps: [[{ review: {} }]] };
    const { id } = await scene.rule(asks, { name: 'Efts' });
    const begin = new Date().toISOString();
    for (const user of ['b1', 'b2', 'b3']) await scene.say(sessionId, user, 'an eft');
    await scene.decided(id, 3);
    const params = scene.params();
    const all = async () => (await scene.call(reviewRoutes.list, { params, query: { since: begin } })).reviews;
    const [first, second, third] = await all();
    const update = (review: Review | undefined, body: UpdateReviewRequest) =>
      daemon.admin.call(reviewRoutes.update, { params: { ...params, id: review?.id ?? '' }, body });
    await update(first, { status: 'claimed', note: 'looked at' });
    await update(third, { status: 'claimed' });
    await update(third, { status: 'decided', decision: 'upheld' });
    const address = `${daemon.url}/api/projects/${scene.projectId}/events/stream?types=review.updated`;
    const stream = await openStream(address, { 'X-API-Key': daemon.apiKey });
    const undo = ['rules', 'undo', 'Efts', '--since', begin, '--reason', 'too strict', '--yes'];
    expect(await cli.json<UndoneRule>([...undo, '--dry-run'])).toMatchObject({ dryRun: true, reviews: 2 });
    expect(await cli.json<UndoneRule>(undo)).toMatchObject({ reviews: 2 });
    expect((await all()).map(({ status, decision, note }) => [status, decision, note])).toEqual([
      ['decided', 'overturned', 'looked at'],
      ['decided', 'overturned', 'too strict'],
      ['decided', 'upheld', null],
    ]);
    for (const review of [first, second]) {
      const { resourceId, payload } = DomainEvent.parse((await stream.next()).data);
      expect(resourceId).toBe(`review:${review?.id}`);
      expect(payload.data).toMatchObject({ status: 'decided', decision: 'overturned' });
    }
    stream.close();
    expect(await cli.json<UndoneRule>(undo)).toMatchObject({ revoked: 0, reviews: 0 });
  });
});
