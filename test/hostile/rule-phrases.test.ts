/** A project whose rules and plugins look for as many phrases as they may, and then ordinary chat in it. */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { EarshotClient } from '../../src/client/earshot-client.js';
import { pluginInstanceRoutes } from '../../src/contract/plugins/plugins.js';
import { ruleDecisionRoutes } from '../../src/contract/rules/rule-decisions.js';
import { phraseCharactersMax, ruleRoutes, rulesPerProjectMax } from '../../src/contract/rules/rules.js';
import { sessionRoutes } from '../../src/contract/sessions/sessions.js';
import { openChat } from '../support/chat-room.js';
import { DaemonProcess } from '../support/daemon-process.js';
import { rentedMachine, watchingHealth } from '../support/health-watch.js';
import { scale } from '../support/scale.js';

const messages = scale(30, 300);
const atOnce = 10;
const messageCharacters = 4_000;
/** One letter that stands for a sentence of 18. */
const sentence = '\ufdfa';
const listMax = 200;
const pollMs = 500;

const daemon = new DaemonProcess({ EARSHOT_RATE_LIMIT_CREDENTIAL: '0' }, rentedMachine);
let client: EarshotClient;
let params: { projectId: string };
let sessionId: string;

beforeAll(async () => {
  const { http } = await daemon.start();
  ({ client, params, sessionId } = await openChat(http));
}, 60_000);
afterAll(() => daemon.dispose());

const ruleOf = (phrases: readonly string[], name: string = crypto.randomUUID()) => {
  const lists = Array.from({ length: Math.ceil(phrases.length / listMax) }, (_, list) =>
    phrases.slice(list * listMax, (list + 1) * listMax),
  );
  const when = { any: [...lists.map((any) => ({ words: { any } })), { origin: 'text' as const }] };
  return { name, definition: { format: 1 as const, when, steps: [[{ webhook: {} }]] } };
};
const create = (body: ReturnType<typeof ruleOf>) => client.call(ruleRoutes.create, { params, body });

it('refuses a rule, and a project, with more phrases than may be kept in memory', async () => {
  const many = Array.from({ length: 1_100 }, (_, n) => `${sentence.repeat(60)}${n}`);
  await expect(create(ruleOf(many))).rejects.toMatchObject({ status: 400, code: 'validation_failed' });
  const most = Array.from({ length: 250 }, (_, n) => `${n} `.padEnd(phraseCharactersMax.rule / 250 - 1, 'x'));
  const made = [];
  for (let rule = 0; rule < phraseCharactersMax.project / phraseCharactersMax.rule; rule += 1)
    made.push(await create(ruleOf(most)));
  await expect(create(ruleOf(most))).rejects.toMatchObject({ status: 409, code: 'rule_limit' });
  for (const { id } of made) await client.call(ruleRoutes.remove, { params: { ...params, id } });
});

it('judges chat by the largest rules and lists while a neighbour writes', { timeout: 500_000 }, async () => {
  const perRule = phraseCharactersMax.project / rulesPerProjectMax;
  // Words of one letter are the most words that a phrase may have, and all begin alike.
  const phrases = Array.from({ length: 20 }, (_, n) => `${'a '.repeat((perRule / 20 - 8) / 2)}${n}`);
  for (let rule = 0; rule < rulesPerProjectMax; rule += 1) await create(ruleOf(phrases.map((one) => `${one}${rule}`)));
  const terms = Array.from({ length: 500 }, (_, n) => `a a a a a ${sentence.repeat(80)}${n}`);
  const body = { pluginId: 'toxicity', settings: { words: terms, allow: terms.map((term) => `${term}x`) } };
  await client.call(pluginInstanceRoutes.create, { params, body });
  const contents = [sentence.repeat(messageCharacters), 'a '.repeat(messageCharacters / 2), 'good game, all of you'];
  const title = `${messages} messages judged by ${rulesPerProjectMax} rules with the most phrases`;
  await watchingHealth(daemon, title, async () => {
    for (let said = 0; said < messages; said += atOnce)
      await Promise.all(
        Array.from({ length: atOnce }, (_, n) =>
          client.call(sessionRoutes.say, {
            params: { ...params, id: sessionId },
            body: { externalUserId: `u${n}`, content: contents[(said + n) % contents.length] ?? '' },
          }),
        ),
      );
    // Seldom: counting many decisions is work, too.
    const all = messages * rulesPerProjectMax;
    for (let total = 0; total < all; await sleep(pollMs))
      ({ total } = await client.call(ruleDecisionRoutes.list, { params, query: { limit: 1 } }));
  });
});
