/** A project whose settings cannot be read holds up its own gatherings and nobody else's. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { projectRoutes } from '../../src/contract/projects/projects.js';
import { settingsRoutes } from '../../src/contract/projects/settings.js';
import { startDaemon, type TestDaemon } from '../support/daemon.js';
import { eventually } from '../support/eventually.js';
import { rowsBeside, writeBeside } from '../support/write-beside.js';
import { gatheringsOf } from './support.js';

let daemon: TestDaemon;
let now = new Date('2026-03-01T12:00:00.000Z');
beforeAll(async () => {
  daemon = await startDaemon({ now: () => now, settings: { EARSHOT_LOG_LEVEL: 'fatal' } });
});
afterAll(() => daemon.stop());

it('starts the appointments of the others on time, and its own when it can be read again', async () => {
  const { id: projectId } = await daemon.admin.call(projectRoutes.create, { body: { name: 'unreadable' } });
  await daemon.admin.call(settingsRoutes.put, { params: { projectId }, body: { tokenProvider: 'embedded' } });
  const soon = (seconds: number) => new Date(now.getTime() + seconds * 1_000).toISOString();
  const held = await gatheringsOf({ client: daemon.client, projectId }).create({
    ...{ type: 'appointment', startsAt: soon(60) },
  });
  const { id } = await gatheringsOf(daemon).create({ type: 'appointment', startsAt: soon(61) });
  let readable = '';
  const url = daemon.databaseUrl;
  const query = 'SELECT "tokenProviderSettings" AS text FROM "ProjectSettings" WHERE "projectId" = ?';
  const store = async (text: string) => {
    readable ||= String((await rowsBeside(url, query, projectId))[0]?.text);
    const update = 'UPDATE "ProjectSettings" SET "tokenProviderSettings" = ? WHERE "projectId" = ?';
    await writeBeside(url, update, text, projectId);
  };
  await store('not the settings');
  await daemon.restart();
  now = new Date(now.getTime() + 120_000);
  const here = () => gatheringsOf(daemon);
  const there = () => gatheringsOf({ client: daemon.client, projectId });
  await eventually(async () => expect(await here().get(id)).toMatchObject({ status: 'STARTED' }), 15_000);
  expect(await there().get(held.id)).toMatchObject({ status: 'CREATED' });
  await store(readable);
  await eventually(async () => expect(await there().get(held.id)).toMatchObject({ status: 'STARTED' }), 15_000);
});
