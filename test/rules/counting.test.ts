/** Rules that count messages: by person and by room, anew after the rule has acted. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { z } from 'zod';
import { mostWithin } from '../../daemon/modules/rules/judging/counting.js';
import { sanctionRoutes } from '../../src/contract/moderation/sanctions.js';
import { personRoutes } from '../../src/contract/people/person.js';
import { ruleDecisionRoutes } from '../../src/contract/rules/rule-decisions.js';
import type { RuleDefinition } from '../../src/contract/rules/rule-definition.js';
import { ruleTestRoutes } from '../../src/contract/rules/rule-tests.js';
import { ruleRoutes } from '../../src/contract/rules/rules.js';
import { startDaemon, type TestDaemon } from '../support/daemon.js';
import { statementsOf } from '../support/statements.js';
import { RuleScene } from './scene.js';

let daemon: TestDaemon;
let scene: RuleScene;
let sessionId: string;
beforeAll(async () => {
  daemon = await startDaemon();
  scene = new RuleScene(daemon);
});
afterAll(() => daemon.stop());
afterEach(async () => {
  for (const { id } of await scene.call(ruleRoutes.list, { params: scene.params() })) await scene.remove(id);
});

const definition = (by: 'person' | 'room'): z.input<typeof RuleDefinition> => ({
  ...{ format: 1, mode: 'enforce' },
  when: { all: [{ count: { of: { words: { any: ['newt'] } }, by, within: 300, atLeast: 3 } }] },
  steps: [[], [{ sanction: { type: 'mute', duration: 600 } }]],
});

/** Says the lines one after the other; returns what the rule decided about each that counts. */
async function said(rule: string, lines: readonly (readonly [string, string])[], before = 0): Promise<string[]> {
  sessionId = await scene.session();
  for (const [user, line] of lines) await scene.say(sessionId, user, line);
  const counting = lines.filter(([, line]) => line.includes('newt')).length;
  return (await scene.decided(rule, before + counting)).map(({ outcome, facts, verdict }) => {
    const step = verdict?.step ?? null;
    return `${facts?.counts?.[0]?.count} ${outcome}${step === null ? '' : ` ${step}`}`;
  });
}
const times = <T>(count: number, one: T): T[] => Array.from({ length: count }, () => one);
const mutes = async (externalUserId: string) =>
  (await scene.call(sanctionRoutes.ofUser, { params: { ...scene.params(), externalUserId } })).map(({ type }) => type);

describe('a rule that counts messages', () => {
  it('acts at the third of a person, begins anew, and does nothing in an empty step', async () => {
    const { id } = await scene.rule(definition('person'));
    const lines = times(6, ['a', 'a newt'] as const).flatMap((line) => [line, ['a', 'hello'], ['b', 'fine']] as const);
    expect(await said(id, lines)).toEqual([
      ...['1 not_matched', '2 not_matched', '3 matched 1'],
      ...['1 not_matched', '2 not_matched', '3 matched 2'],
    ]);
    expect(await mutes('a')).toEqual(['mute']);
    const [decision] = await scene.decisions(id);
    const replay = await scene.call(ruleDecisionRoutes.replay, { params: scene.item(decision?.id ?? '') });
    expect(replay).toMatchObject({ identical: true, gone: [] });
  });

  it('counts a message in one statement, however many rules and conditions count it', async () => {
    const [rules, countsPerRule] = [12, 8];
    const all = Array.from({ length: countsPerRule }, (_, n) => ({
      count: { of: { words: { any: ['newt', `other${n}`] } }, by: 'person' as const, within: 300 + n, atLeast: 50 },
    }));
    const ids: string[] = [];
    for (let rule = 0; rule < rules; rule += 1)
      ids.push((await scene.rule({ ...definition('person'), when: { all } })).id);
    sessionId = await scene.session();
    const statements = await statementsOf(async () => {
      await scene.say(sessionId, 'f', 'a newt');
      for (const id of ids) await scene.decided(id, 1);
    });
    expect(statements.filter((text) => text.includes('"counted" LIKE'))).toHaveLength(1);
    const [decision] = await scene.decisions(ids[0] ?? '');
    expect(decision?.facts?.counts).toEqual(all.map((_, n) => ({ condition: `all.${n}`, count: 1 })));
  });

  it('counts nobody else, unless it counts by room', async () => {
    const lines = ['c', 'd', 'e'].map((user) => [user, 'newt'] as const);
    const { id } = await scene.rule(definition('person'));
    expect(await said(id, lines)).toEqual(times(3, '1 not_matched'));
    await scene.remove(id);
    const byRoom = await scene.rule(definition('room'));
    expect(await said(byRoom.id, lines)).toEqual(['1 not_matched', '2 not_matched', '3 matched 1']);
    expect(await said(byRoom.id, lines.slice(1), lines.length)).toHaveLength(5);
    expect((await scene.decisions(byRoom.id))[0]?.facts?.counts).toEqual([{ condition: 'all.0', count: 2 }]);
  });

  it('goes on counting in another version that counts the same', async () => {
    const { id } = await scene.rule(definition('person'));
    expect(await said(id, times(2, ['f', 'newt'] as const))).toHaveLength(2);
    await scene.change(id, { definition: { ...definition('person'), decay: 60 } });
    await scene.say(sessionId, 'f', 'newt');
    expect((await scene.decided(id, 3)).at(-1)).toMatchObject({ version: 2, outcome: 'matched' });
  });

  it('counts messages that its other conditions rule out', async () => {
    const { when, ...rest } = definition('person');
    const { id } = await scene.rule({ ...rest, when: { all: [...(when.all ?? []), { words: { any: ['please'] } }] } });
    const lines = ['newt', 'newt', 'newt, please'].map((line) => ['g', line] as const);
    expect(await said(id, lines)).toEqual(['1 not_matched', '2 not_matched', '3 matched 1']);
  });

  it('is tried on transcripts as it would have acted', async () => {
    sessionId = await scene.session();
    const since = new Date().toISOString();
    for (let count = 0; count < 6; count += 1) await scene.say(sessionId, 'h', 'a newt');
    const body = { definition: definition('person'), since, until: new Date(Date.now() + 1_000).toISOString() };
    const { tested } = await scene.call(ruleTestRoutes.run, { params: scene.params(), body });
    expect(tested.map(({ step }) => step)).toEqual([1, 2]);
  });

  it('may ask for what was before in so many conditions and no more', async () => {
    const [condition] = definition('person').when.all ?? [];
    const all = Array.from({ length: 11 }, () => condition ?? {});
    const many = scene.rule({ ...definition('person'), when: { all } });
    await expect(many).rejects.toMatchObject({ status: 400, code: 'validation_failed' });
    await scene.rule({ ...definition('person'), when: { all: all.slice(1) } });
  });

  it('does nothing of a person who was erased', async () => {
    const { id } = await scene.rule(definition('person'));
    await said(id, times(2, ['i', 'newt'] as const));
    await daemon.client.call(personRoutes.erase, { params: { ...scene.params(), user: 'i' } });
    await scene.say(await scene.session(), 'i', 'newt');
    expect((await scene.decided(id, 3)).at(-1)?.facts?.counts).toEqual([{ condition: 'all.0', count: 1 }]);
  });
});

describe('messages that are judged late', () => {
  it.each([
    ['alone', [], 1],
    ['with those before and after, in a span that holds all', [-40, 50], 3],
    ['without those that no span holds with it', [-40, 70], 2],
    ['without those at the edge of the span', [-100, 100], 1],
  ])('count %s', (_, others, expected) => {
    expect(mostWithin(100, 0, others)).toBe(expected);
  });
});
