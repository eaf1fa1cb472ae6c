/** A key that starts sessions with bots by the hundred: a project has so many at the same time, and no more. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { EarshotClient } from '../../src/client/earshot-client.js';
import { ApiError } from '../../src/client/errors.js';
import { sessionRoutes } from '../../src/contract/sessions/sessions.js';
import { DaemonProcess } from '../support/daemon-process.js';
import { rentedMachine, watchingHealth } from '../support/health-watch.js';
import { signIn } from '../support/room-client.js';
import { scale } from '../support/scale.js';
import { connectionsOfOne, someAtOnce } from '../support/some-at-once.js';

const limit = scale(5, 200);
const asked = scale(15, 600);

const daemon = new DaemonProcess(
  { EARSHOT_BOTS_PROJECT: String(limit), EARSHOT_RATE_LIMIT_CREDENTIAL: '0' },
  rentedMachine,
);
let client: EarshotClient;
let projectId: string;
beforeAll(async () => {
  await daemon.start();
  ({ client, projectId } = await signIn(daemon.url));
});
afterAll(() => daemon.dispose());

describe('sessions with bots', { timeout: 120_000 }, () => {
  it('are limited for each project; one that is stopped makes room', async () => {
    const params = { projectId };
    const create = async (room: string) => {
      const body = { title: 'Match', externalRoomId: room, autoStart: true };
      try {
        return (await client.call(sessionRoutes.create, { params, body })).id;
      } catch (error) {
        if (error instanceof ApiError) return error.code;
        throw error;
      }
    };
    let outcomes: string[] = [];
    await watchingHealth(daemon, `${asked} sessions with a bot, ${connectionsOfOne} at once`, async () => {
      outcomes = await someAtOnce(asked, (index) => create(`room-${index}`));
    });
    const refused = outcomes.filter((one) => one === 'bot_limit_reached');
    expect(refused).toHaveLength(asked - limit);
    const [id = ''] = outcomes.filter((one) => one !== 'bot_limit_reached');
    await client.call(sessionRoutes.stop, { params: { ...params, id } });
    const next = await create('one more');
    expect(next).not.toBe('bot_limit_reached');
    await expect(client.call(sessionRoutes.start, { params: { ...params, id } })).rejects.toMatchObject({
      status: 409,
      code: 'bot_limit_reached',
    });
    const without = { title: 'Match', externalRoomId: 'quiet', autoStart: false };
    expect(await client.call(sessionRoutes.create, { params, body: without })).toMatchObject({ status: 'active' });
  });
});
