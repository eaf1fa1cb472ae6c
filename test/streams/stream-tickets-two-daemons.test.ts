import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { streamTicketRoutes } from '../../src/contract/streams/stream-tickets.js';
import { hasPostgresql } from '../support/postgresql.js';
import { TwoDaemons } from '../support/two-daemons.js';

describe.skipIf(!hasPostgresql)('a ticket for an event stream, of two daemons', { timeout: 120_000 }, () => {
  let two: TwoDaemons;
  beforeAll(async () => {
    two = await TwoDaemons.start({ EARSHOT_LOG_LEVEL: 'trace' });
  }, 120_000);
  afterAll(() => two.stop());

  const ticket = async () => {
    const body = { types: 'participant.*' };
    const made = await two.client(0).call(streamTicketRoutes.createForProject, { params: two.params(), body });
    const { pathname, search } = new URL(made.url);
    return { ...made, at: (which: 0 | 1) => two.daemons[which].url + pathname + search };
  };
  const statusOf = async (url: string): Promise<number> => {
    const response = await fetch(url);
    await response.body?.cancel();
    return response.status;
  };

  it('is used at the other one', async () => {
    expect(await statusOf((await ticket()).at(1))).toBe(200);
  });

  it('is used once, however many use it at both at the same time', async () => {
    const { at } = await ticket();
    const statuses = await Promise.all(Array.from({ length: 10 }, (_, n) => statusOf(at(n % 2 === 0 ? 0 : 1))));
    expect(statuses.sort()).toEqual([200, ...Array.from({ length: 9 }, () => 401)]);
  });

  it('stands in no log, whether it was used or refused', async () => {
    const { ticket: text, at } = await ticket();
    expect([await statusOf(at(1)), await statusOf(at(0)), await statusOf(`${at(1)}&user=x`)]).toEqual([200, 401, 401]);
    const refusal = await (await fetch(at(0))).text();
    const printed = two.daemons.flatMap((daemon) => daemon.printed).join('\n');
    expect(printed).toContain('/events/stream');
    expect(`${printed}${refusal}`).not.toContain(text);
  });
});
