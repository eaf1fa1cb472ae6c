/** A report has what was said before it, also where the recogniser answers after it; nothing that was said after it. It may be sent again. */
import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { requestAccess } from '../../src/client/room/request-access.js';
import { RoomPublisher } from '../../src/client/voice/publisher.js';
import { speechFrames } from '../../src/client/voice/speech-frames.js';
import { settingsRoutes } from '../../src/contract/projects/settings.js';
import { reportRoutes } from '../../src/contract/reports/reports.js';
import { sessionRoutes } from '../../src/contract/sessions/sessions.js';
import type { TestDaemon } from '../support/daemon.js';
import { describeDaemonsOnEachDatabase } from '../support/each-database.js';
import { eventually } from '../support/eventually.js';
import { clip, joined, recording, speechForTests } from '../support/speech-clips.js';

const patienceMs = 45_000;
const speech = await speechForTests();

describeDaemonsOnEachDatabase('a report', (start, database) => {
  let recogniser: Server;
  let daemon: TestDaemon;
  /** Answers that wait; null: the recogniser answers at once. */
  let waiting: ServerResponse[] | null = null;
  const answer = (response: ServerResponse) => response.end('{"text": "go forward"}');
  beforeAll(async () => {
    recogniser = createServer((request, response) => {
      request.resume();
      response.writeHead(200, { 'content-type': 'application/json' });
      if (request.method === 'GET') return void response.end('{"data": []}');
      if (waiting === null) answer(response);
      else waiting.push(response);
    });
    await once(recogniser.listen(0, '127.0.0.1'), 'listening');
    const { port } = recogniser.address() as AddressInfo;
    daemon = await start({
      settings: { EARSHOT_TRANSCRIBER: 'openai', EARSHOT_OPENAI_BASE_URL: `http://127.0.0.1:${port}/v1` },
    });
  });
  afterAll(async () => {
    await daemon.stop();
    recogniser.close();
  });

  it.skipIf(speech === null)(
    'gets the line of the recogniser that answers after it',
    { timeout: 120_000 },
    async () => {
      if (speech === null) return;
      const { client, projectId } = daemon;
      const params = { projectId };
      await client.call(settingsRoutes.put, { params, body: { tokenProvider: 'embedded' as const } });
      const body = { title: 'hall', externalRoomId: 'hall' };
      const { id } = await client.call(sessionRoutes.create, { params, body });
      const path = { params: { projectId, id } };
      await eventually(
        async () => expect((await client.call(sessionRoutes.get, path)).bot.state).toBe('listening'),
        patienceMs,
      );
      waiting = []; // after the daemon has tried it
      const ann = new RoomPublisher(await requestAccess(client, projectId, { roomId: 'hall', userId: 'ann' }));
      await ann.join();
      try {
        const sound = recording(joined(0.5, await clip(speech, 'goforward')));
        const report = (reporterUserId: string, more: object) =>
          client.call(reportRoutes.create, {
            params,
            body: { externalUserId: 'ann', category: 'hate', reporterUserId, ...more },
          });
        const linesOf = async (reportId: string) =>
          (await client.call(reportRoutes.get, { params: { ...params, id: reportId } })).transcript;
        const inRoom = { roomId: 'hall', evidence: { lastSeconds: 60 } };
        // Sent before anybody speaks, and again afterwards.
        const early = await report('ida', inRoom);
        const moved = await report('joe', { roomId: 'another', evidence: { lastSeconds: 60 } });
        const once = await report('kim', inRoom);
        await ann.play(speechFrames(sound, 1_500));
        await eventually(() => expect(waiting?.length).toBeGreaterThan(0), patienceMs);
        expect((await report('ida', inRoom)).id).toBe(early.id);
        expect((await report('joe', inRoom)).id).toBe(moved.id);
        expect((await report('kim', { roomId: 'hall' })).id).toBe(once.id);
        const before = await report('ben', inRoom);
        const elsewhere = await report('eve', { roomId: 'another', evidence: { lastSeconds: 60 } });
        const without = await report('tom', { roomId: 'hall' });
        expect(await linesOf(before.id)).toEqual([]);
        for (const response of waiting ?? []) answer(response);
        waiting = null;
        for (const { id: reportId } of [before, early, moved])
          await eventually(
            async () =>
              expect(await linesOf(reportId)).toMatchObject([{ content: 'go forward', externalUserId: 'ann' }]),
            patienceMs,
          );
        // Each sending is about its own seconds, and what is said after the reports is in none of them.
        expect(await linesOf(once.id)).toEqual([]);
        await ann.play(speechFrames(sound, 1_500));
        await eventually(async () => {
          const lines = await client.call(sessionRoutes.messages, { ...path, query: { limit: 200 } });
          expect(lines.filter(({ origin }) => origin === 'speech')).toHaveLength(2);
        }, patienceMs);
        const later = await report('sue', inRoom);
        expect((await linesOf(later.id)).length).toBeGreaterThanOrEqual(1);
        expect(await linesOf(before.id)).toHaveLength(1);
        expect([await linesOf(elsewhere.id), await linesOf(without.id)]).toEqual([[], []]);
        if (database === 'SQLite') return; // it has no writer beside the report's
        waiting = [];
        await ann.play(speechFrames(sound, 1_500));
        await eventually(() => expect(waiting?.length).toBeGreaterThan(0), patienceMs);
        const beside = new pg.Client({ connectionString: daemon.databaseUrl });
        await beside.connect();
        await beside.query('BEGIN');
        await beside.query('SELECT pg_advisory_xact_lock(hashtext($1))', [`reports:${projectId}`]);
        // It has read what was said, and is not stored yet.
        const held = report('una', inRoom);
        await eventually(async () => {
          const { rows } = await beside.query(`SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND NOT granted`);
          expect(rows).toHaveLength(1);
        }, patienceMs);
        for (const response of waiting) answer(response);
        waiting = null;
        const count = 3;
        await eventually(async () => {
          const lines = await client.call(sessionRoutes.messages, { ...path, query: { limit: 200 } });
          expect(lines.filter(({ origin }) => origin === 'speech')).toHaveLength(count);
        }, patienceMs);
        await sleep(1_000);
        await beside.query('COMMIT');
        await beside.end();
        const { id: heldId } = await held;
        await eventually(async () => expect(await linesOf(heldId)).toHaveLength(count), patienceMs);
      } finally {
        await ann.leave();
      }
    },
  );
});
