/** What a rule did and somebody took back has no consequences: for its steps, its limit, its counts and other rules. */
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { EarshotClient } from '../../src/client/earshot-client.js';
import { accountRoutes } from '../../src/contract/identity/accounts.js';
import { reviewRoutes } from '../../src/contract/moderation/reviews.js';
import type { Sanction } from '../../src/contract/moderation/sanction-record.js';
import { sanctionRoutes } from '../../src/contract/moderation/sanctions.js';
import { ruleRoutes } from '../../src/contract/rules/rules.js';
import { administrator, type TestDaemon } from '../support/daemon.js';
import { describeDaemonsOnEachDatabase } from '../support/each-database.js';
import { RuleScene } from './scene.js';

describeDaemonsOnEachDatabase('what was taken back', (start) => {
  let daemon: TestDaemon;
  let scene: RuleScene;
  let sessionId: string;
  let aheadMs = 0;
  beforeAll(async () => {
    daemon = await start({ now: () => new Date(Date.now() + aheadMs) });
    scene = new RuleScene(daemon);
    sessionId = await scene.session();
  });
  afterAll(() => daemon.stop());

  let count = 0;
  let person: string;
  beforeEach(() => {
    count += 1;
    person = `p${count}`;
    aheadMs += 7_200_000;
  });

  const mute = { sanction: { type: 'mute', duration: 600 } } as const;
  const ladder = {
    when: { all: [{ words: { any: ['toad'] } }] },
    steps: [[{ sanction: { type: 'warn' } }], [mute], [{ sanction: { type: 'perm_ban' } }]],
    ...({ mode: 'enforce', decay: 86_400 } as const),
  } as const;
  /** Says something each minute, and returns what was imposed, the oldest first. */
  const offend = async (ruleId: string, times: number, text = 'a toad', before = 0) => {
    for (let time = 1; time <= times; time += 1) {
      aheadMs += 60_000;
      await scene.say(sessionId, person, text);
      await scene.decided(ruleId, before + time);
    }
  };
  const imposed = async (): Promise<Sanction[]> => {
    const query = { externalUserId: person, limit: 50 };
    const { sanctions } = await scene.call(sanctionRoutes.list, { params: scene.params(), query });
    return sanctions.toSorted((a, b) => (a.id < b.id ? -1 : 1));
  };
  const types = async () => (await imposed()).map(({ type }) => type);
  const undo = (id: string) =>
    scene.call(ruleRoutes.undo, { params: scene.item(id), body: { since: '2026-01-01T00:00:00Z' } });

  it('begins the steps anew after the rule was undone, also where a warning or a mute was over', async () => {
    const { id } = await scene.rule(ladder as never, { name: `Toads ${person}` });
    await offend(id, 2);
    expect(await types()).toEqual(['warn', 'mute']);
    aheadMs += 1_200_000;
    expect(await undo(id)).toMatchObject({ revoked: 1, ended: 1 }); // a warning lasts
    expect((await imposed()).map(({ status }) => status)).toEqual(['revoked', 'revoked']);
    await offend(id, 1, 'a toad', 2);
    expect(await types()).toEqual(['warn', 'mute', 'warn']);
    await scene.remove(id);
  });

  it('goes one step back when somebody revokes what the last one imposed', async () => {
    const { id } = await scene.rule(ladder as never, { name: `Toads ${person}` });
    await offend(id, 2);
    const [, muted] = await imposed();
    await scene.call(sanctionRoutes.revoke, { params: scene.item(muted?.id ?? ''), body: {} });
    await offend(id, 1, 'a toad', 2);
    expect(await types()).toEqual(['warn', 'mute', 'mute']);
    await scene.remove(id);
  });

  it('frees the limit of an hour', async () => {
    const { id } = await scene.rule({ ...ladder, steps: [[mute]] } as never, {
      name: `Toads ${person}`,
      sanctionsPerHourMax: 2,
    });
    await offend(id, 3);
    expect((await scene.decisions(id)).map(({ outcome }) => outcome)).toEqual(['capped', 'matched', 'matched']);
    await undo(id);
    await offend(id, 1, 'a toad', 3);
    expect((await scene.decisions(id))[0]).toMatchObject({ outcome: 'matched', facts: { sanctionsThisHour: 0 } });
    await scene.remove(id);
  });

  it('lets a count go on that an action had begun anew', async () => {
    const counting = { of: { words: { any: ['toad'] } }, within: 3_600, atLeast: 3 };
    const definition = { ...ladder, when: { all: [{ count: counting }] }, steps: [[mute]] };
    const { id } = await scene.rule(definition as never, { name: `Toads ${person}` });
    await offend(id, 3);
    expect(await types()).toEqual(['mute']);
    await undo(id);
    await offend(id, 1, 'a toad', 3);
    expect(await types()).toEqual(['mute', 'mute']);
    await scene.remove(id);
  });

  it('makes nobody a repeat offender for another rule', async () => {
    const { id } = await scene.rule(ladder as never, { name: `Toads ${person}` });
    const condition = { sanctions: { types: ['warn'], within: 86_400, atLeast: 1 } };
    const repeat = { ...ladder, when: { all: [{ words: { any: ['newt'] } }, condition] }, steps: [[mute]] };
    const other = await scene.rule(repeat as never, { name: `Repeats ${person}` });
    await offend(id, 1);
    await undo(id);
    await offend(other.id, 1, 'a newt');
    expect(await types()).toEqual(['warn']);
    await scene.remove(id);
    await scene.remove(other.id);
  });

  it('begins the steps anew also after those that impose nothing', async () => {
    const { id } = await scene.rule({ ...ladder, steps: [[], [{ webhook: { label: 'toad' } }], [mute]] } as never, {
      name: `Toads ${person}`,
    });
    await offend(id, 2);
    await undo(id);
    await offend(id, 1, 'a toad', 2);
    const [again] = await scene.decisions(id);
    expect(again).toMatchObject({ outcome: 'matched', facts: { times: 0 } });
    await offend(id, 2, 'a toad', 3);
    expect(await types()).toEqual(['mute']);
    await scene.remove(id);
  });

  it('hides none that stand behind those that were overturned', async () => {
    const muted = async () => {
      const body = { type: 'mute', duration: 60, externalUserId: person } as const;
      const { id } = await scene.call(sanctionRoutes.create, { params: scene.params(), body });
      aheadMs += 120_000;
      return id;
    };
    await muted();
    const appeal = { params: scene.item(await muted()), body: { statement: 'Not me.' } };
    const review = { params: scene.item((await scene.call(reviewRoutes.appeal, appeal)).id) };
    const anonymous = new EarshotClient({ baseUrl: daemon.url });
    const { accessToken: token } = await anonymous.call(accountRoutes.loginCredentials, { body: administrator });
    const admin = new EarshotClient({ baseUrl: daemon.url, credential: { kind: 'bearer', token } });
    await admin.call(reviewRoutes.update, { ...review, body: { status: 'claimed' } });
    const overturned = { status: 'decided', decision: 'overturned', answer: 'It was somebody else.' } as const;
    await admin.call(reviewRoutes.update, { ...review, body: overturned });
    const condition = { sanctions: { types: ['mute'], within: 86_400, atLeast: 1 } };
    const repeat = { ...ladder, when: { all: [{ words: { any: ['newt'] } }, condition] }, steps: [[mute]] };
    const { id } = await scene.rule(repeat as never, { name: `Repeats ${person}` });
    await offend(id, 1, 'a newt');
    expect(await types()).toEqual(['mute', 'mute', 'mute']);
    await scene.remove(id);
  });
});
