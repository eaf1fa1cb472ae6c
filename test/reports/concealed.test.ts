/** Events and the export of a person say nothing of orders of authorities, of legal holds, and of who blocks whom. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { blockRoutes } from '../../src/contract/people/blocks.js';
import { participantRoutes } from '../../src/contract/people/participants.js';
import { personRoutes } from '../../src/contract/people/person.js';
import { personExportRoutes } from '../../src/contract/people/person-export.js';
import { caseRoutes } from '../../src/contract/reports/cases.js';
import { orderRoutes } from '../../src/contract/reports/orders.js';
import { reportRoutes } from '../../src/contract/reports/reports.js';
import { startDaemon, type TestDaemon } from '../support/daemon.js';
import { openStream } from '../support/stream.js';

let daemon: TestDaemon;
beforeAll(async () => {
  daemon = await startDaemon();
});
afterAll(() => daemon.stop());

const params = () => ({ projectId: daemon.projectId });
const item = (id: string | null) => ({ params: { ...params(), id: id ?? '' } });
const orderOf = (externalUserId: string) =>
  daemon.client.call(orderRoutes.create, {
    params: params(),
    body: {
      ...{ kind: 'act', authority: 'Amtsgericht Bonn', memberState: 'DE', reference: `12 Gs ${externalUserId}` },
      ...{ category: 'hate', legalGround: '§ 130 StGB', externalUserId },
    },
  });
const report = (externalUserId: string) =>
  daemon.client.call(reportRoutes.create, {
    params: params(),
    body: { externalUserId, category: 'spam', reporterUserId: `${externalUserId}-by` },
  });

interface Told {
  readonly type: string;
  readonly data: { readonly externalUserId?: string | null };
  readonly text: string;
}

/** What a stream sends of the work, without the audit log, which is for administrators. */
async function toldBy(work: () => Promise<unknown>): Promise<Told[]> {
  const marker = `marker-${Math.random()}`;
  const stream = await openStream(`${daemon.url}/api/projects/${daemon.projectId}/events/stream`, {
    'X-API-Key': daemon.apiKey,
  });
  await work();
  await daemon.client.call(participantRoutes.create, { params: params(), body: { externalUserId: marker } });
  const streamed: Told[] = [];
  for (;;) {
    const data = (await stream.next(30_000)).data as { type: string; payload: Pick<Told, 'data'> };
    const text = JSON.stringify(data);
    if (data.type === 'participant.created' && text.includes(marker)) break;
    if (/^(case|order|block)\./.test(data.type)) streamed.push({ type: data.type, data: data.payload.data, text });
  }
  stream.close();
  return streamed;
}

describe('events', () => {
  it('say who changed what they block, and not whom, nor change the case beside it', async () => {
    await report('bob');
    const streamed = await toldBy(async () => {
      const block = { ...params(), user: 'ann' };
      await daemon.client.call(blockRoutes.create, { params: block, body: { blockedUserId: 'bob' } });
      await daemon.client.call(blockRoutes.remove, { params: { ...block, blockedUserId: 'bob' } });
    });
    expect(streamed.map(({ type, data }) => [type, data.externalUserId])).toEqual([
      ['block.created', 'ann'],
      ['block.deleted', 'ann'],
    ]);
    expect(streamed.filter(({ text }) => text.includes('bob'))).toEqual([]);
  });

  it('tell of an order without its person, also where it opens a case, and of a legal hold nothing', async () => {
    const { caseId } = await report('carl');
    const streamed = await toldBy(async () => {
      await orderOf('carl');
      await orderOf('dora');
      await daemon.admin.call(caseRoutes.hold, { ...item(caseId), body: { reason: 'LG Bonn, 3 O 12/26' } });
      await daemon.admin.call(caseRoutes.liftHold, item(caseId));
    });
    expect(streamed.map(({ type }) => type).sort()).toEqual(['case.created', 'order.created', 'order.created']);
    for (const { text } of streamed) expect(text).not.toMatch(/carl|dora|Bonn|12 Gs|StGB|heldAt|"orders"/);
  });

  it('about a case that is ordered and held say of it what they say of any', async () => {
    await daemon.client.call(participantRoutes.create, { params: params(), body: { externalUserId: 'emil' } });
    const { caseId } = await report('emil');
    await orderOf('emil');
    await daemon.admin.call(caseRoutes.hold, { ...item(caseId), body: { reason: 'LG Bonn, 3 O 12/26' } });
    const streamed = await toldBy(() => daemon.client.call(caseRoutes.claim, item(caseId)));
    expect(streamed).toMatchObject([{ type: 'case.updated', data: { externalUserId: 'emil', status: 'claimed' } }]);
    const [{ data } = { data: {} }] = streamed;
    for (const field of ['orders', 'heldAt', 'heldByUserId', 'holdReason', 'blockers'])
      expect(data).not.toHaveProperty(field);
    await expect(
      daemon.client.call(personRoutes.erase, { params: { ...params(), user: 'emil' } }),
    ).rejects.toMatchObject({ code: 'legal_hold' });
  });
});

describe('the export of a person', () => {
  it('contains the case and its events, and nothing of the order, the hold and the erasure that it stopped', async () => {
    const answer = await daemon.admin.fetch(personExportRoutes.export, { params: { ...params(), user: 'emil' } });
    const text = await answer.text();
    const kinds = text.split('\n').flatMap((line) => (line === '' ? [] : ((JSON.parse(line).kind as string) ?? [])));
    expect(kinds).toEqual(expect.arrayContaining(['case', 'report', 'event']));
    expect(text).not.toMatch(
      /Amtsgericht|LG Bonn|12 Gs|StGB|"orders"|heldAt|holdReason|order\.created|holdCase|erasureRequest/,
    );
  });
});
