/** Two daemons on one PostgreSQL, one of which is killed again and again: each message is judged on one of them. */
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { EventStream } from '../../src/client/event-stream.js';
import { reviewRoutes } from '../../src/contract/moderation/reviews.js';
import { sanctionRoutes } from '../../src/contract/moderation/sanctions.js';
import { ruleDecisionRoutes } from '../../src/contract/rules/rule-decisions.js';
import { ruleRoutes } from '../../src/contract/rules/rules.js';
import { sessionRoutes } from '../../src/contract/sessions/sessions.js';
import { eventually } from '../support/eventually.js';
import { hasPostgresql } from '../support/postgresql.js';
import { scale } from '../support/scale.js';
import { TwoDaemons } from '../support/two-daemons.js';

const rounds = scale(1, 10);
const messagesPerRound = scale(25, 100);
const patienceMs = scale(60_000, 300_000);
const externalUserId = 'u1';

describe.runIf(hasPostgresql)('rules of two daemons on one PostgreSQL', () => {
  let pair: TwoDaemons;
  beforeAll(async () => {
    pair = await TwoDaemons.start();
  }, 60_000);
  afterAll(() => pair.stop());

  it('find one tenant with one administrator and one project, though both have started for the first time at once', async () => {
    const operator = new pg.Client({ connectionString: pair.databaseUrl });
    await operator.connect();
    const count = async (table: string) => (await operator.query(`SELECT 1 FROM "${table}"`)).rowCount;
    expect([await count('Tenant'), await count('User'), await count('Project')]).toEqual([1, 1, 1]);
    await operator.end();
    for (const which of [0, 1] as const) await pair.client(which).call(ruleRoutes.list, { params: pair.params() });
  });

  it('impose, ask for and announce once for each message', { timeout: 2 * patienceMs }, async () => {
    const params = pair.params();
    const matched: string[] = [];
    const stream = new EventStream(pair.client(0), { ...params, types: 'rule.matched' });
    const following = (async () => {
      for await (const notice of stream)
        if (notice.kind === 'event' && notice.event.type === 'rule.matched' && 'messageId' in notice.event.payload.data)
          matched.push(notice.event.payload.data.messageId);
    })();
    const definition = {
      ...{ format: 1 as const, mode: 'enforce' as const, when: { all: [{ words: { any: ['frog'] } }] } },
      steps: [[{ sanction: { type: 'warn' as const } }, { review: {} }, { webhook: {} }]],
    };
    const { id: ruleId } = await pair.client(0).call(ruleRoutes.create, {
      params,
      body: { name: 'frogs', sanctionsPerHourMax: 10_000, definition },
    });
    const id = await pair.session();
    const said: string[] = [];
    const say = async (to: 0 | 1, until: () => boolean): Promise<void> => {
      while (!until()) {
        const body = { externalUserId, content: 'a frog' };
        said.push((await pair.client(to).call(sessionRoutes.say, { params: { ...params, id }, body })).id);
      }
    };
    for (let round = 1; round <= rounds; round += 1) {
      const isEnough = () => said.length >= round * messagesPerRound;
      const mortal = say(1, () => false).catch(() => {});
      await say(0, isEnough);
      await pair.daemons[1].end('SIGKILL');
      await mortal;
      await say(0, () => said.length >= round * messagesPerRound + messagesPerRound / 5); // nobody beside it judges
      await pair.daemons[1].start();
    }

    const client = pair.client(0);
    await eventually(async () => {
      const sanctions = await client.call(sanctionRoutes.ofUser, { params: { ...params, externalUserId } });
      const about = (kind: string) =>
        sanctions.filter(({ type }) => type === kind).flatMap(({ evidence }) => evidence?.messageIds ?? []);
      const [warned, asked] = [about('warn'), about('human_review')].map((ids) => ids.sort());
      const reviews = await client.call(reviewRoutes.list, { params, query: { limit: 1, offset: 0 } });
      const query = { ruleId, limit: 1, offset: 0 };
      const decisions = await client.call(ruleDecisionRoutes.list, { params, query });
      expect(new Set(warned).size).toBe(warned?.length);
      expect(said.filter((one) => warned?.includes(one) !== true)).toEqual([]);
      expect(asked).toEqual(warned);
      expect(matched.toSorted()).toEqual(warned);
      expect([decisions.total, reviews.total]).toEqual([warned?.length, warned?.length]);
    }, patienceMs);
    stream.close();
    await following;
  });
});
