import { mkdtempSync, rmSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { uuidv7 } from 'uuidv7';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { DebugAudio } from '../../daemon/modules/sessions/bot/debug-audio.js';
import { eraseWords } from '../../daemon/modules/sessions/erasure.js';
import { MessageStore } from '../../daemon/modules/sessions/message-store.js';
import { RecentErasures } from '../../daemon/modules/sessions/recent-erasures.js';
import type { Transaction } from '../../daemon/platform/database/database.js';
import { openSqlite, type TestDatabase } from '../support/database.js';

const pcm = new Int16Array(1_000);
const fileBytes = 44 + 2_000;
const at = new Date('2026-01-01T00:00:00.000Z');

let opened: TestDatabase;
let folder: string;
beforeAll(async () => {
  opened = await openSqlite();
});
afterAll(async () => {
  await opened.close();
});
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'earshot-test-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const erasures = () => new RecentErasures(() => at);

/** A message that somebody spoke, with its recording. */
async function spoken(tx: Transaction, audioFile: string): Promise<string> {
  const [tenantId, projectId, sessionId] = [uuidv7(), uuidv7(), uuidv7()];
  await tx.tenant.create({ data: { id: tenantId, name: 't', createdAt: at } });
  await tx.project.create({ data: { id: projectId, tenantId, name: 'p', billingProjectId: projectId, createdAt: at } });
  const bot = { botWanted: false, botState: 'stopped', botSince: at, botCounters: '{}' };
  const session = { tenantId, projectId, externalRoomId: 'r', gateway: 'g', title: 't', createdByUserId: 'k' };
  await tx.session.create({
    data: { id: sessionId, ...session, ...bot, createdAt: at, status: 'ended', idleTimeout: 0 },
  });
  const words = { type: 'user', senderName: 'u1', content: 'hello', externalUserId: 'u1', shadowMuted: false };
  await tx.message.create({ data: { id: uuidv7(), projectId, sessionId, ...words, timestamp: at, audioFile } });
  return projectId;
}

describe('erasing what a person said', () => {
  it.each(['ahead', 'in the transaction'])('makes room for other recordings, %s', async (when) => {
    const recordings = new DebugAudio(folder, () => fileBytes);
    await recordings.start();
    const name = (await recordings.write(pcm)) ?? '';
    expect(await recordings.write(pcm)).toBeNull();
    const projectId = await opened.database.transaction((tx) => spoken(tx, name));
    const erasure = eraseWords(opened.database, new MessageStore(opened.database), recordings, erasures());
    const person = { id: 'person-1', externalUserId: 'u1', displayName: 'U1', heldIds: [], aheadTo: 0n };
    if (when === 'ahead') await erasure.inBatches?.(projectId, person);
    else await opened.database.transaction(async (tx) => erasure.afterLog?.(tx, projectId, person));
    expect(await opened.database.read.message.count({ where: { projectId } })).toBe(0);
    expect(await readdir(folder)).toEqual([]);
    expect(await recordings.write(pcm)).not.toBeNull();
  });
});
