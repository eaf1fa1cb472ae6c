/** A daemon that stands still, or dies, loses the voice rooms; the one that waited has them within seconds. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { EarshotClient } from '../../src/client/earshot-client.js';
import { roomRestrictionRoutes } from '../../src/contract/rooms/room-restrictions.js';
import { sessionRoutes } from '../../src/contract/sessions/sessions.js';
import { DaemonProcess } from '../support/daemon-process.js';
import { eventually } from '../support/eventually.js';
import { hasPostgresql, type PostgresqlServer, startPostgresql } from '../support/postgresql.js';
import { earshotd } from '../support/program.js';
import { answering, deadOffer, postOffer, roomToken, signIn } from '../support/room-client.js';
import { Listener, Speaker } from '../support/room-peers.js';
import { torture } from '../support/scale.js';

const roomId = 'stage';
/** Suites share the machine; at full scale the figure of the documentation counts. */
const takeoverMaxMs = torture ? 10_000 : 20_000;

describe.skipIf(!hasPostgresql)('two daemons with the role voice', { timeout: 120_000 }, () => {
  let server: PostgresqlServer;
  let daemons: readonly [DaemonProcess, DaemonProcess];
  let client: EarshotClient;
  let projectId: string;
  beforeAll(async () => {
    server = await startPostgresql();
    const settings = { DATABASE_URL: server.url, EARSHOT_MASTER_KEY: 'cd'.repeat(32) };
    daemons = [new DaemonProcess(settings), new DaemonProcess(settings)];
    await daemons[0].start();
    await daemons[1].start();
    ({ client, projectId } = await signIn(daemons[1].url));
  }, 60_000);
  afterAll(async () => {
    for (const daemon of daemons) await daemon.dispose();
    await server.stop();
  });

  const offerAt = async (daemon: DaemonProcess, person: string) => {
    const token = await roomToken(client, projectId, roomId, person);
    return postOffer(daemon.url, 'whip', roomId, token, deadOffer('whip'));
  };
  const join = async <Peer extends Speaker | Listener>(daemon: DaemonProcess, peer: Peer, person: string) => {
    const kind = peer instanceof Speaker ? 'whip' : 'whep';
    await peer.join(answering(daemon.url, kind, roomId, await roomToken(client, projectId, roomId, person)));
    return peer;
  };

  it('has the rooms in the one that started first', async () => {
    expect((await offerAt(daemons[1], 'eve')).status).toBe(421);
    expect((await fetch(`${daemons[1].url}/health/ready`)).status).toBe(200);
    const { stdout } = await earshotd(daemons[1].dataDir, ['doctor'], { env: { DATABASE_URL: server.url } });
    expect(stdout).toContain(`held by the daemon at ${daemons[0].url}`);
  });

  it('closes the rooms of one that stands still, and goes on with its sessions in the other', async () => {
    const [frozen, next] = daemons;
    const ear = await join(frozen, new Listener('ear', 2), 'ear');
    const ann = await join(frozen, new Speaker('ann'), 'ann');
    const stop = ann.talkOn();
    await eventually(() => expect(ear.heard.length).toBeGreaterThan(10));
    const params = { projectId };
    const { id } = await client.call(sessionRoutes.create, {
      params,
      body: { title: 'Match', externalRoomId: roomId, idleTimeout: 5 },
    });
    const session = () => client.call(sessionRoutes.get, { params: { ...params, id } });
    await eventually(async () => expect((await session()).bot.counters.peers).toBeGreaterThan(0));

    const stoppedAt = performance.now();
    process.kill(frozen.pid ?? 0, 'SIGSTOP');
    try {
      await eventually(async () => expect((await offerAt(next, 'eve')).status).toBe(201), 60_000);
      const tookMs = performance.now() - stoppedAt;
      console.info(`the rooms were open at the other daemon after ${tookMs.toFixed(0)} ms`);
      expect(tookMs).toBeLessThan(takeoverMaxMs);
      // Nobody is in two rooms of one name.
      const from = ann.spoken;
      await eventually(() => expect(ann.spoken).toBeGreaterThan(from + 40));
      expect(ear.heardSince(from)).toBe(0);
    } finally {
      process.kill(frozen.pid ?? 0, 'SIGCONT');
    }
    await stop();
    await eventually(async () => expect((await offerAt(frozen, 'eve')).status).toBe(421));

    const again = await join(next, new Speaker('ann'), 'ann');
    const talking = again.talkOn();
    await new Promise((resolve) => setTimeout(resolve, 8_000)); // longer than the session's idle timeout
    expect(await session()).toMatchObject({ status: 'active', bot: { state: 'listening' } });
    const messages = await client.call(sessionRoutes.messages, { params: { ...params, id }, query: {} });
    expect(messages.map(({ content }) => content)).toContain(
      'The voice rooms were interrupted and are open again. You can join again.',
    );
    await talking();
    for (const peer of [ear, ann, again]) peer.close();
  });

  it('has them in the other again within seconds when one is killed', async () => {
    const [first, second] = daemons;
    const vault = { params: { projectId, roomId: 'vault' } };
    await client.call(roomRestrictionRoutes.close, { ...vault, body: {} });
    const killedAt = performance.now();
    await second.end('SIGKILL');
    ({ client, projectId } = await signIn(first.url));
    await eventually(async () => expect((await offerAt(first, 'eve')).status).toBe(201), 60_000);
    const tookMs = performance.now() - killedAt;
    console.info(`after a kill the rooms were open at the other daemon after ${tookMs.toFixed(0)} ms`);
    expect(tookMs).toBeLessThan(takeoverMaxMs);
    // The closed room stays closed.
    const token = await roomToken(client, projectId, 'vault', 'eve');
    const refused = await postOffer(first.url, 'whip', 'vault', token, deadOffer('whip'));
    expect(await refused.json()).toMatchObject({ code: 'room_closed' });
  });

  it('starts at once after it was killed, and has the rooms when the lease of its former run has ended', async () => {
    const [first, second] = daemons;
    await first.end('SIGKILL');
    await first.start();
    ({ client, projectId } = await signIn(first.url));
    const refused = await offerAt(first, 'eve');
    expect([201, 503]).toContain(refused.status);
    await eventually(async () => expect((await offerAt(first, 'eve')).status).toBe(201), 60_000);
    expect(second.running).toBe(false);
  });
});
