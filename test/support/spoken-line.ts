/** A line of a project as a recogniser writes it that states no confidence, without anybody speaking. */
import { expect } from 'vitest';
import { sessionRoutes } from '../../src/contract/sessions/sessions.js';
import type { TestDaemon } from './daemon.js';
import { writeBeside } from './write-beside.js';

const asSpoken = `UPDATE "Message" SET "origin" = 'speech', "asrEngine" = 'sherpa', "asrQuality" = 'good', "asrReport" = ?
  WHERE "id" = ?`;

/** Returns the session. */
export async function spokenLine(
  { client, databaseUrl }: TestDaemon,
  projectId: string,
  room: string,
): Promise<string> {
  const params = { projectId };
  const body = { title: room, externalRoomId: room, autoStart: false };
  const { id } = await client.call(sessionRoutes.create, { params, body });
  const said = { externalUserId: 'u1', content: 'go mid' };
  const line = await client.call(sessionRoutes.say, { params: { ...params, id }, body: said });
  const report = JSON.stringify({ confidence: null, noSpeechProbability: 0.1, words: [], alternatives: [] });
  expect(await writeBeside(databaseUrl, asSpoken, report, line.id)).toBe(1);
  return id;
}
