/** Announced progress is stored packed: everybody who reads the log still sees the event as it was announced. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DomainEvent } from '../../../src/contract/events.js';
import { challengeRoutes } from '../../../src/contract/gameplay/challenges.js';
import { gameplayRoutes } from '../../../src/contract/gameplay/gameplay.js';
import { ChallengeWebhookPayload } from '../../../src/contract/gameplay/player-challenges.js';
import { playerRoutes } from '../../../src/contract/gameplay/players.js';
import { participantRoutes } from '../../../src/contract/people/participants.js';
import { personExportRoutes } from '../../../src/contract/people/person-export.js';
import { personMoveRoutes } from '../../../src/contract/people/person-moves.js';
import { startDaemon, type TestDaemon } from '../../support/daemon.js';
import { databases, type TestDatabase } from '../../support/database.js';
import { openStream } from '../../support/stream.js';

/** Ids that JSON and databases spell in several ways. */
const [ann, bob] = ['ann "Ä" \\ 😀', 'bob'];

describe.each(databases)('a packed event on $name', ({ open, here }) => {
  describe.skipIf(!here)('', () => {
    let stored: TestDatabase;
    let daemon: TestDaemon;
    let announced: DomainEvent;
    const params = () => ({ projectId: daemon.projectId });
    beforeAll(async () => {
      stored = await open();
      daemon = await startDaemon({ settings: { DATABASE_URL: stored.url } });
      const { admin, client, projectId } = daemon;
      for (const externalUserId of [ann, bob])
        await client.call(participantRoutes.create, { params: params(), body: { externalUserId } });
      const challenge = { name: 'Kills', eventName: 'kill-enemy', goal: 100 } as const;
      const { id } = await admin.call(challengeRoutes.create, { params: params(), body: challenge });
      const live = await follow('types=challenge.changed');
      const game = await daemon.clientWith(['gameplay'], projectId);
      for (const userId of [ann, bob]) {
        for (const act of [playerRoutes.unlock, playerRoutes.activate])
          await admin.call(act, { params: { ...params(), userId, id } });
        const body = {
          user_id: userId,
          event_name: 'kill-enemy',
          event_type: 'single',
          meta_data: { amount: 2 },
        } as const;
        await game.call(gameplayRoutes.sendEvent, { body });
      }
      announced = await counted(live, ann);
      live.close();
    });
    afterAll(async () => {
      await daemon.stop();
      await stored.close();
    });

    const follow = (query: string) =>
      openStream(`${daemon.url}/api/projects/${daemon.projectId}/events/stream?${query}`, {
        'X-API-Key': daemon.apiKey,
      });
    /** The next event that says that the person has two kills. */
    async function counted(stream: Awaited<ReturnType<typeof follow>>, userId: string): Promise<DomainEvent> {
      for (;;) {
        const event = DomainEvent.parse((await stream.next()).data);
        const { new_challenge: to } = ChallengeWebhookPayload.parse(event.payload.data);
        if (to.user_id === userId && to.user_challenge_current_score === 2) return event;
      }
    }
    const rowOf = (id: string) => stored.database.read.domainEvent.findUniqueOrThrow({ where: { id } });

    it('takes a fifth of the bytes', async () => {
      const { payload } = await rowOf(announced.id);
      expect(payload.length).toBeLessThan(JSON.stringify(announced.payload).length / 5);
    });

    it('is replayed as it was announced', async () => {
      const replay = await follow('types=challenge.changed&since=earliest');
      expect(await counted(replay, ann)).toEqual(announced);
      replay.close();
    });

    it('is found by its person, and by them alone', async () => {
      for (const userId of [ann, bob]) {
        const user = encodeURIComponent(userId);
        const replay = await follow(`types=challenge.changed&since=earliest&user=${user}`);
        for (const score of [0, 0, 2]) {
          const { payload } = DomainEvent.parse((await replay.next()).data);
          expect(payload.data).toMatchObject({
            new_challenge: { user_id: userId, user_challenge_current_score: score },
          });
        }
        replay.close();
      }
    });

    it('is exported whole', async () => {
      const response = await daemon.admin.fetch(personExportRoutes.export, { params: { ...params(), user: ann } });
      const lines = (await response.text()).trim().split('\n');
      const records: unknown[] = lines.map((line) => JSON.parse(line));
      expect(records).toContainEqual(
        expect.objectContaining({
          kind: 'event',
          record: expect.objectContaining({ id: announced.id, payload: announced.payload }),
        }),
      );
    });

    it('follows the person to another id, and loses its data with them', async () => {
      const body = { externalUserId: 'ann.2' };
      const { participant } = await daemon.admin.call(personMoveRoutes.move, {
        params: { ...params(), user: ann },
        body,
      });
      const replay = await follow('types=challenge.changed&since=earliest&user=ann.2');
      expect((await counted(replay, ann)).id).toBe(announced.id);
      replay.close();
      await daemon.admin.call(participantRoutes.remove, { params: { ...params(), id: participant.id } });
      const { payload, subjectUserId } = await rowOf(announced.id);
      expect({ subjectUserId, payload: JSON.parse(payload) }).toEqual({
        subjectUserId: null,
        payload: { action: 'updated', data: { id: announced.resourceId.split(':')[1], redacted: true } },
      });
    });
  });
});
