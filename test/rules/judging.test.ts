/** Actions of rules on messages, and the records that they keep. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { gameplayRoutes } from '../../src/contract/gameplay/gameplay.js';
import { gatheringMemberRoutes } from '../../src/contract/gatherings/gathering-members.js';
import { gatheringRoutes } from '../../src/contract/gatherings/gatherings.js';
import { reviewRoutes } from '../../src/contract/moderation/reviews.js';
import { sanctionBatchRoutes } from '../../src/contract/moderation/sanction-batches.js';
import { sanctionRoutes } from '../../src/contract/moderation/sanctions.js';
import { participantRoutes } from '../../src/contract/people/participants.js';
import { pluginInstanceRoutes } from '../../src/contract/plugins/plugins.js';
import { ruleDecisionRoutes } from '../../src/contract/rules/rule-decisions.js';
import { sanctionsAskedMax } from '../../src/contract/rules/rule-definition.js';
import { ruleRoutes } from '../../src/contract/rules/rules.js';
import type { RequiredScope } from '../../src/contract/scopes.js';
import { sessionRoutes } from '../../src/contract/sessions/sessions.js';
import { startDaemon, type TestDaemon } from '../support/daemon.js';
import { openStream } from '../support/stream.js';
import { rowsBeside } from '../support/write-beside.js';
import { frog, RuleScene } from './scene.js';

let daemon: TestDaemon;
let scene: RuleScene;
let sessionId: string;
beforeAll(async () => {
  daemon = await startDaemon();
  scene = new RuleScene(daemon);
  sessionId = await scene.session();
});
afterAll(() => daemon.stop());
afterEach(async () => {
  for (const { id } of await scene.call(ruleRoutes.list, { params: scene.params() })) await scene.remove(id);
});

/** Decisions that were prepared before it went up are not stored. */
async function revision(): Promise<unknown> {
  const query = 'SELECT "revision" FROM "RuleState" WHERE "projectId" = ?';
  return (await rowsBeside(daemon.databaseUrl, query, scene.projectId))[0]?.revision;
}

const sanctionsOf = async (externalUserId: string) =>
  (await scene.call(sanctionRoutes.ofUser, { params: { ...scene.params(), externalUserId } })).toReversed();

describe('a rule that is enforced', () => {
  it('warns, then mutes, and each sanction names rule, version and message', async () => {
    const rule = await scene.rule(frog);
    const said = [];
    for (const words of ['A frog!', 'Nothing at all', 'FROG, I say'])
      said.push(await scene.say(sessionId, 'u1', words));
    const decisions = await scene.decided(rule.id, 2);
    expect(decisions.map(({ outcome, verdict }) => [outcome, verdict?.step])).toEqual([
      ['matched', 1],
      ['matched', 2],
    ]);
    const sanctions = await sanctionsOf('u1');
    expect(sanctions).toMatchObject([
      { type: 'warn', createdByUserId: null, reason: rule.name, evidence: { ruleId: rule.id, ruleVersion: 1 } },
      { type: 'mute', duration: 60, evidence: { messageIds: [said[2]?.id], ruleId: rule.id, ruleVersion: 1 } },
    ]);
    expect(decisions.map(({ sanctionIds }) => sanctionIds)).toEqual(sanctions.map(({ id }) => [id]));
    const chain = await scene.call(ruleDecisionRoutes.chain, { params: scene.item(sanctions[1]?.id ?? '') });
    expect(chain).toMatchObject({
      rule: { id: rule.id, name: rule.name, deleted: false },
      version: { version: 1, definition: { mode: 'enforce' } },
      decision: { id: decisions[1]?.id, facts: { times: 1, externalUserId: 'u1' } },
      messages: [{ id: said[2]?.id, content: 'FROG, I say' }],
      gone: [],
    });
  });

  it('asks for a review and announces what it matched', async () => {
    const rule = await scene.rule({
      ...frog,
      steps: [[{ review: { statement: 'look at this' } }, { webhook: { label: 'amphibian' } }]],
    });
    const { id: messageId } = await scene.say(sessionId, 'u2', 'frog');
    const [decision] = await scene.decided(rule.id, 1);
    const { reviews } = await scene.call(reviewRoutes.list, {
      params: scene.params(),
      query: { externalUserId: 'u2' },
    });
    expect(reviews).toMatchObject([{ kind: 'human_review', statement: 'look at this', createdByUserId: null }]);
    const params = scene.item(decision?.sanctionIds[0] ?? '');
    const chainFor = async (scopes: RequiredScope[]) =>
      (await daemon.clientWith(scopes)).call(ruleDecisionRoutes.chain, { params });
    expect(await chainFor(['sanctions:read', 'plugins:read'])).toMatchObject({
      ...{ decision: { id: decision?.id }, reviews: [{ id: reviews[0]?.id }], messages: [] },
    });
    expect(await chainFor(['sanctions:read'])).toMatchObject({
      ...{ rule: { id: rule.id }, decision: null, reviews: [], messages: [], gone: [] },
    });
    const stream = await openStream(
      `${daemon.url}/api/projects/${scene.projectId}/events/stream?types=rule.matched&since=earliest`,
      { 'X-API-Key': daemon.apiKey },
    );
    const { data } = await stream.next();
    stream.close();
    expect(data).toMatchObject({
      type: 'rule.matched',
      payload: { data: { id: decision?.id, ruleId: rule.id, label: 'amphibian', messageId } },
    });
  });

  it('spares exempt people, and imposes no more than its cap', async () => {
    const rule = await scene.rule(frog, { exempt: ['friend'], sanctionsPerHourMax: 1 });
    for (const user of ['friend', 'u3', 'u4']) await scene.say(sessionId, user, 'frog');
    const outcomes = (await scene.decided(rule.id, 3)).map(({ outcome }) => outcome);
    expect(outcomes).toEqual(['exempt', 'matched', 'capped']);
    expect(await sanctionsOf('u4')).toEqual([]);
  });

  it('acts on a message once, however many annotations it gets', async () => {
    const words = await scene.install('toxicity', { words: ['newt'] });
    const mood = await scene.install('sentiment');
    const rule = await scene.rule({
      ...frog,
      events: ['message.annotation.created'],
      when: { any: [{ annotation: { plugin: 'toxicity', atLeast: 0.5 } }, { annotation: { plugin: 'sentiment' } }] },
    });
    await scene.say(sessionId, 'u5', 'a terrible newt');
    const decisions = await scene.decided(rule.id, 2);
    expect(decisions.map(({ outcome }) => outcome)).toEqual(['matched', 'repeated']);
    expect(await sanctionsOf('u5')).toHaveLength(1);
    for (const { id } of [words, mood]) await scene.call(pluginInstanceRoutes.remove, { params: scene.item(id) });
  });
});

describe('conditions', () => {
  it('read the role in the gathering of the room', async () => {
    const room = crypto.randomUUID();
    const people = [];
    for (const externalUserId of ['owner', 'guest'])
      people.push(await scene.call(participantRoutes.create, { params: scene.params(), body: { externalUserId } }));
    const [owner, guest] = people;
    const { id } = await scene.call(gatheringRoutes.create, {
      params: scene.params(),
      body: { name: 'Lobby', roomId: room, ownerId: owner?.id ?? '' },
    });
    await scene.call(gatheringMemberRoutes.add, { params: scene.item(id), body: { participantId: guest?.id ?? '' } });
    const rule = await scene.rule({ ...frog, when: { all: [{ words: { any: ['frog'] } }, { role: ['member'] }] } });
    const there = await scene.session(room);
    for (const user of ['owner', 'guest', 'passer-by']) await scene.say(there, user, 'frog');
    expect((await scene.decided(rule.id, 3)).map(({ outcome, facts }) => [outcome, facts?.role])).toEqual([
      ['not_matched', 'owner'],
      ['matched', 'member'],
      ['not_matched', 'none'],
    ]);
  });

  it('read earlier sanctions and game events of the person', async () => {
    await scene.call(sanctionRoutes.create, { params: scene.params(), body: { type: 'warn', externalUserId: 'u6' } });
    const game = await daemon.clientWith(['gameplay'], scene.projectId);
    await game.call(gameplayRoutes.sendEvent, {
      body: { user_id: 'u6', event_name: 'kill-enemy', event_type: 'single', meta_data: { amount: 1 } },
    });
    const rule = await scene.rule({
      ...frog,
      when: {
        all: [
          { words: { any: ['frog'] } },
          { sanctions: { types: ['warn'], within: 3_600 } },
          { gameEvents: { event: 'kill-enemy', within: 300 } },
        ],
      },
    });
    for (const user of ['u6', 'u7']) await scene.say(sessionId, user, 'frog');
    expect((await scene.decided(rule.id, 2)).map(({ outcome }) => outcome)).toEqual(['matched', 'not_matched']);
  });

  it('find a sanction of the kind that they ask for behind any number of others', async () => {
    const [warn, slow] = (['warn', 'queue_delay'] as const).map((type) => ({ type, externalUserId: 'u16' }));
    const items = [warn, ...Array.from({ length: sanctionsAskedMax }, () => slow)].flatMap((one) => one ?? []);
    await scene.call(sanctionBatchRoutes.apply, { params: scene.params(), body: { items } });
    const warned = { sanctions: { types: ['warn' as const], within: 3_600 } };
    const slowed = { sanctions: { types: ['queue_delay' as const], within: 3_600, atLeast: sanctionsAskedMax } };
    const muted = { sanctions: { types: ['mute' as const], within: 3_600 } };
    const rule = await scene.rule({
      ...frog,
      when: { all: [{ words: { any: ['frog'] } }, warned, slowed], none: [muted] },
    });
    await scene.say(sessionId, 'u16', 'frog');
    expect(await scene.decided(rule.id, 1)).toMatchObject([{ outcome: 'matched' }]);
    const tooMany = { sanctions: { within: 60, atLeast: sanctionsAskedMax + 1 } };
    await expect(scene.rule({ ...frog, when: { all: [tooMany] } })).rejects.toMatchObject({ status: 400 });
  });
});

describe('a dry run', () => {
  it('stores what it would do and does nothing', async () => {
    const rule = await scene.rule({ ...frog, mode: 'dry-run' });
    await scene.say(sessionId, 'u8', 'frog');
    expect(await scene.decided(rule.id, 1)).toMatchObject([{ outcome: 'matched', mode: 'dry-run', sanctionIds: [] }]);
    expect(await sanctionsOf('u8')).toEqual([]);
  });
});

describe('deciding again', () => {
  it('gives the same verdict from the stored facts', async () => {
    const rule = await scene.rule(frog, { sanctionsPerHourMax: 1 });
    for (const user of ['u12', 'u12', 'u13']) await scene.say(sessionId, user, 'frog');
    for (const { id, verdict } of await scene.decided(rule.id, 3))
      expect(await scene.call(ruleDecisionRoutes.replay, { params: scene.item(id) })).toEqual({
        ...{ decisionId: id, identical: true, gone: [], verdict },
      });
  });

  it('says that the words are gone, and that the person is', async () => {
    const rule = await scene.rule(frog, { exempt: ['u14', 'kept'] });
    const brief = await scene.session();
    await scene.say(brief, 'u15', 'frog');
    await scene.say(sessionId, 'u14', 'frog');
    const [words, person] = await scene.decided(rule.id, 2);
    await scene.call(sessionRoutes.remove, { params: scene.item(brief) });
    const replay = (id = '') => scene.call(ruleDecisionRoutes.replay, { params: scene.item(id) });
    expect(await replay(words?.id)).toMatchObject({ identical: null, gone: [expect.stringContaining('message')] });
    const { participants } = await scene.call(participantRoutes.list, { params: scene.params(), query: {} });
    const { id = '' } = participants.find(({ externalUserId }) => externalUserId === 'u14') ?? {};
    const before = Number(await revision());
    await scene.call(participantRoutes.remove, { params: scene.item(id) });
    expect(await revision()).toBe(before + 1);
    expect(await replay(person?.id)).toMatchObject({ identical: null, gone: [expect.stringContaining('erased')] });
    expect(await scene.call(ruleRoutes.get, { params: scene.item(rule.id) })).toMatchObject({ exempt: ['kept'] });
    expect(await scene.call(ruleDecisionRoutes.get, { params: scene.item(person?.id ?? '') })).toMatchObject({
      ...{ externalUserId: null, messageId: null, facts: null, verdict: null },
    });
  });
});
