/** `fields`: a stream that sends only what its reader shows. */
import { readdirSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sanctionRoutes } from '../../src/contract/moderation/sanctions.js';
import { streamTicketRoutes } from '../../src/contract/streams/stream-tickets.js';
import { resourceKinds } from '../../src/names/stream-filters.js';
import { startDaemon, type TestDaemon } from '../support/daemon.js';
import { openStream } from '../support/stream.js';

let daemon: TestDaemon;
const params = () => ({ projectId: daemon.projectId });
const metadata = {
  rounds: [
    { map: 'hill', seconds: 300 },
    { map: 'lake', seconds: 60 },
  ],
};
const warn = (reason: string) =>
  daemon.client.call(sanctionRoutes.create, {
    params: params(),
    body: { type: 'warn', externalUserId: 'ann', reason, metadata },
  });
beforeAll(async () => {
  daemon = await startDaemon();
});
afterAll(() => daemon.stop());

const path = () => `${daemon.url}/api/projects/${daemon.projectId}/events/stream`;
const follow = (query: string) => openStream(`${path()}?${query}`, { 'X-API-Key': daemon.apiKey });

describe('GET …/events/stream?fields=', () => {
  it.each([
    [
      'a field and one within another',
      'type,payload.data.reason',
      { type: 'sanction.created', payload: { data: { reason: 'P' } } },
    ],
    [
      'spaces, and a field that is not there',
      'payload.action , payload.data.nothing',
      { payload: { action: 'created', data: {} } },
    ],
    [
      'the fields of each entry of a list',
      'payload.data.metadata.rounds.map',
      { payload: { data: { metadata: { rounds: [{ map: 'hill' }, { map: 'lake' }] } } } },
    ],
    [
      'a whole object, named after a part of it',
      'payload.data.reason,payload',
      { payload: { action: 'created', data: { reason: 'P' } } },
    ],
    [
      'names that every object inherits',
      'payload.data.__proto__.x,payload.data.constructor',
      { payload: { data: {} } },
    ],
  ])('sends %s, live and replayed', async (_, fields, expected) => {
    const live = await follow(`types=sanction.created&fields=${encodeURIComponent(fields)}`);
    const since = live.headers.get('last-event-id') ?? '';
    await warn('P');
    const first = await live.next();
    live.close();
    if (fields.endsWith('payload')) expect(first.data).toMatchObject(expected);
    else expect(first.data).toEqual(expected);
    const replay = await follow(`types=sanction.created&fields=${encodeURIComponent(fields)}&since=${since}`);
    expect(await replay.next()).toEqual(first);
    replay.close();
  });

  it('keeps the id of each event, by which a reader goes on', async () => {
    const one = await follow('types=sanction.created&fields=type');
    const whole = await follow('types=sanction.created');
    await warn('Q');
    const { id, data } = await one.next();
    expect(data).toEqual({ type: 'sanction.created' });
    expect((await whole.next()).data).toMatchObject({ id });
    one.close();
    whole.close();
  });

  it('is one of the filters that a ticket is bound to', async () => {
    const body = { types: 'sanction.created', fields: 'type' };
    const make = () => daemon.client.call(streamTicketRoutes.createForProject, { params: params(), body });
    const stream = await openStream((await make()).url, {});
    await warn('R');
    expect((await stream.next()).data).toEqual({ type: 'sanction.created' });
    stream.close();
    const other = new URL((await make()).url);
    other.searchParams.set('fields', 'payload');
    expect((await fetch(other)).status).toBe(401);
  });

  it.each(['a..b', '.type', 'type,', 'a b', 'data[0]', `${'a,'.repeat(500)}a`])('refuses %s', async (fields) => {
    const response = await fetch(`${path()}?fields=${encodeURIComponent(fields)}`, {
      headers: { 'X-API-Key': daemon.apiKey },
    });
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ details: [{ path: 'query.fields' }] });
  });
});

describe('a filter that no event passes', () => {
  it.each([
    ['fields=typ,payload', 'No event has a field typ. Did you mean type?'],
    ['fields=payload.dat.reason', 'No event has a field payload.dat. Did you mean payload.data?'],
    ['fields=nobody', 'Events have id, type, source,'],
    ['resources=sanctions:1', 'There is no kind of resource sanctions. Did you mean sanction?'],
    ['resources=ann,Sesion:1', 'Did you mean session?'],
  ])('%s is refused with the nearest name', async (query, message) => {
    const [[name = '', value = ''] = []] = [...new URLSearchParams(query)];
    for (const where of ['query', 'body'] as const) {
      const headers = { 'X-API-Key': daemon.apiKey, 'Content-Type': 'application/json' };
      const response = await (where === 'query'
        ? fetch(`${path()}?${query}`, { headers })
        : fetch(path().replace('/stream', '/stream-tickets'), {
            method: 'POST',
            headers,
            body: JSON.stringify({ [name]: value }),
          }));
      const details = [{ path: `${where}.${name}`, message: expect.stringContaining(message) }];
      expect([response.status, await response.json()], where).toMatchObject([
        400,
        { code: 'validation_failed', details },
      ]);
    }
  });

  it('passes kinds of platform services, and of every event that the daemon makes', async () => {
    for (const query of ['resources=wallet:1', 'resources=sanctions:1&ingested=true', 'fields=payload.data.typ'])
      (await follow(query)).close();
    const sources = readdirSync('daemon', { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'));
    const made = sources.flatMap((name) =>
      [...readFileSync(`daemon/${name}`, 'utf8').matchAll(/resourceId: `([a-z-]+):/g)].map(([, kind = '']) => kind),
    );
    expect([...new Set(made)].toSorted()).toEqual([...resourceKinds].toSorted());
  });
});
