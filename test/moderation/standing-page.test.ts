/** The pages of sanctioned people and of reporters as they come without JavaScript. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { reviewRoutes } from '../../src/contract/moderation/reviews.js';
import { type CreateSanctionRequest, sanctionRoutes } from '../../src/contract/moderation/sanctions.js';
import { statementRoutes } from '../../src/contract/moderation/statements.js';
import { settingsRoutes } from '../../src/contract/projects/settings.js';
import { caseRoutes } from '../../src/contract/reports/cases.js';
import { complaintRoutes, reportRoutes } from '../../src/contract/reports/reports.js';
import { startDaemon, type TestDaemon } from '../support/daemon.js';

let daemon: TestDaemon;
let people = 0;
beforeAll(async () => {
  daemon = await startDaemon();
});
afterAll(() => daemon.stop());

const params = () => ({ projectId: daemon.projectId });
const item = (id: string) => ({ params: { ...params(), id } });
const sanction = async (body: Partial<CreateSanctionRequest> = {}) => {
  people += 1;
  const { id } = await daemon.client.call(sanctionRoutes.create, {
    params: params(),
    body: { type: 'temp_ban', duration: 3_600, externalUserId: `u_${people}`, ...body },
  });
  const { url } = await daemon.client.call(statementRoutes.get, item(id));
  return { id, url: url ?? '' };
};
const german = { 'Accept-Language': 'de-AT,de;q=0.9' };
const read = async (url: string) => {
  const response = await fetch(url, { headers: german });
  return { response, html: await response.text() };
};
const send = (url: string, statement: string) =>
  fetch(url, { method: 'POST', headers: german, body: new URLSearchParams({ statement }), redirect: 'manual' });

it('names the game and the operator, in German, with times that a script can show in another zone', async () => {
  const { url } = await sanction({ reason: '<b>& "rude"' });
  expect((await read(url)).html).toContain('<p class="quiet" id="service">default</p>');
  const body = {
    tokenProvider: 'embedded',
    gameName: 'Burg & Berg',
    operatorName: 'Burg GmbH, hilfe@burg.example',
  } as const;
  await daemon.client.call(settingsRoutes.put, { params: params(), body });
  const { response, html } = await read(url);
  expect(response.status).toBe(200);
  expect(response.headers.get('content-security-policy')).toContain("form-action 'self'");
  expect(response.headers.get('cache-control')).toBe('no-store');
  expect(html).toContain('<html lang="de">');
  expect(html).toContain('Burg &amp; Berg, betrieben von Burg GmbH, hilfe@burg.example');
  expect(html).toContain('<h1>Du bist für eine gewisse Zeit ausgeschlossen</h1>');
  expect(html).toContain('Grund: &lt;b&gt;&amp; &quot;rude&quot;');
  const { endAt } = await daemon.client.call(statementRoutes.get, item((await sanction()).id));
  expect(html).toMatch(/bis zum <time datetime="[\d-]+T[\d:.]+Z">[^<]+ UTC<\/time>/);
  expect(endAt).not.toBeNull();
});

it('takes an appeal by its form, once, and says what holds afterwards', async () => {
  const { id, url } = await sanction();
  expect((await read(url)).html).toContain('<form id="appeal" method="post" action="?language=de">');
  const answer = await send(`${url}?language=de`, 'Das war mein Bruder.');
  expect(answer.status).toBe(303);
  const { html } = await read(new URL(answer.headers.get('location') ?? '', url).href);
  expect(html).toContain('Deine Beschwerde ist angekommen. Öffne diese Seite wieder');
  expect(html).not.toContain('<form id="appeal"');
  const { reviews } = await daemon.client.call(reviewRoutes.list, { params: params(), query: { sanctionId: id } });
  expect(reviews).toMatchObject([{ kind: 'appeal', statement: 'Das war mein Bruder.', createdByUserId: null }]);
  const again = await send(url, 'Noch einmal.');
  expect(again.status).toBe(409);
  expect(await again.text()).toContain('Das wurde nicht abgeschickt.');
});

it.each(['', ' ', 'x'.repeat(4_001)])(
  'refuses a statement that is empty or too long, and keeps it in the form',
  async (statement) => {
    const { url } = await sanction();
    const answer = await send(url, statement);
    expect(answer.status).toBe(400);
    expect(await answer.text()).toContain(`required>${statement.trim()}</textarea>`);
  },
);

it('says that it is over once the sanction is lifted', async () => {
  const { id, url } = await sanction({ type: 'perm_ban', duration: undefined });
  await daemon.client.call(sanctionRoutes.revoke, { ...item(id), body: {} });
  const { html } = await read(url);
  expect(html).toContain('<h1>Dauerhafter Ausschluss: aufgehoben</h1>');
  expect(html).not.toContain('<form id="appeal"');
});

it('shows a reporter the outcome, and takes a complaint by its form', async () => {
  const body = {
    externalUserId: 'u_bad',
    category: 'hate',
    notice: { from: 'Meldestelle', reference: '77' },
    language: 'de',
  };
  const { id, caseId } = await daemon.client.call(reportRoutes.create, { params: params(), body });
  const { url } = await daemon.client.call(complaintRoutes.receipt, item(id));
  expect((await read(url ?? '')).html).toContain('Deine Meldung ist eingegangen');
  const decision = { decision: 'no_action', reasonCode: 'no_violation' } as const;
  await daemon.admin.call(caseRoutes.decide, { ...item(caseId ?? ''), body: decision });
  const { html } = await read(url ?? '');
  expect(html).toMatch(/kannst du dich bis zum <time datetime="[^"]+">[^<]+<\/time> kostenlos beschweren/);
  expect((await send(url ?? '', 'Er hat gedroht.')).status).toBe(303);
  expect((await read(url ?? '')).html).toContain('Deine Beschwerde ist angekommen.');
  expect(await daemon.client.call(reportRoutes.get, item(id))).toMatchObject({ complaint: 'Er hat gedroht.' });
});

it.each([
  ['/standing/nothing', 'Diese Begründung gibt es nicht'],
  ['/receipts/nothing', 'Diese Meldung gibt es nicht'],
])('says of %s that the address is wrong', async (path, sentence) => {
  for (const answer of [await read(daemon.url + path), { response: await send(daemon.url + path, 'x') }])
    expect(answer.response.status).toBe(404);
  expect((await read(daemon.url + path)).html).toContain(sentence);
});
