/** People whose daemon is lost hear each other again at the next one, by clients of the library, without anybody's doing. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { EarshotClient } from '../../src/client/earshot-client.js';
import { accessOf, type RoomAccess } from '../../src/client/room/room-access.js';
import { RoomListener } from '../../src/client/voice/listener.js';
import { RoomPublisher } from '../../src/client/voice/publisher.js';
import { sanctionRoutes } from '../../src/contract/moderation/sanctions.js';
import { tokenRoutes } from '../../src/contract/rooms/tokens.js';
import { DaemonProcess } from '../support/daemon-process.js';
import { eventually } from '../support/eventually.js';
import { freePort } from '../support/free-port.js';
import { exampleRooms, hasNginx, startNginxWith } from '../support/nginx.js';
import { hasPostgresql, type PostgresqlServer, startPostgresql } from '../support/postgresql.js';
import { signIn } from '../support/room-client.js';
import { torture } from '../support/scale.js';

const roomId = 'stage';
/** Suites share the machine; at full scale the figure of the documentation counts. */
const silenceMaxMs = torture ? 12_000 : 30_000;
const losses = torture ? 10 : 1;
const speech = { opus: Buffer.alloc(80, 1), level: 30 };
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** Two people in one room. */
class Talk {
  private heardAt = 0;
  /** The longest time without anything heard, in ms. */
  gapMs = 0;
  private isOver = false;
  readonly reports: string[] = [];
  private readonly ear: RoomListener;
  private readonly mouth: RoomPublisher;
  private speaking: Promise<void> = Promise.resolve();

  constructor(accesses: { readonly ear: RoomAccess; readonly mouth: RoomAccess }) {
    const report = (line: string) => void this.reports.push(line);
    this.ear = new RoomListener(accesses.ear, {
      onFrame: () => {
        const now = performance.now();
        this.gapMs = Math.max(this.gapMs, now - this.heardAt);
        this.heardAt = now;
      },
      report,
    });
    this.mouth = new RoomPublisher(accesses.mouth, { report });
  }

  async begin(): Promise<void> {
    await Promise.all([this.ear.join(), this.mouth.join()]);
    this.speaking = (async () => {
      for (; !this.isOver; await pause(20)) this.mouth.send(speech);
    })();
    await this.hears();
  }

  /** How often one of the two has come back. */
  get returns(): number {
    return this.reports.filter((line) => line === 'In the room again.').length;
  }

  /** Resolves once something new is heard. */
  async hears(): Promise<void> {
    const now = performance.now();
    await eventually(() => expect(this.heardAt).toBeGreaterThan(now), 60_000);
  }

  heardSince = (ms: number): boolean => this.heardAt > ms;

  async end(): Promise<void> {
    this.isOver = true;
    await this.speaking;
    await Promise.all([this.ear.leave(), this.mouth.leave()]);
  }
}

describe.skipIf(!hasPostgresql)('people whose daemon is lost', { timeout: 600_000 }, () => {
  let server: PostgresqlServer;
  const running: DaemonProcess[] = [];
  beforeAll(async () => {
    server = await startPostgresql();
  });
  afterAll(async () => {
    for (const daemon of running) await daemon.dispose();
    await server.stop();
  });

  const accessFor = async (client: EarshotClient, projectId: string, userId: string) =>
    accessOf(await client.call(tokenRoutes.generateForProject, { params: { projectId }, body: { roomId, userId } }));

  /** The daemon that has the rooms is killed, then one stands still; both come back in between. */
  async function loses(daemons: readonly [DaemonProcess, DaemonProcess], talk: Talk): Promise<void> {
    let [holder, next] = daemons;
    for (let n = 0; n < losses; n += 1) {
      for (const loss of ['kill', 'freeze'] as const) {
        const { returns } = talk;
        talk.gapMs = 0;
        if (loss === 'kill') await holder.end('SIGKILL');
        else process.kill(holder.pid ?? 0, 'SIGSTOP');
        await eventually(() => expect(talk.returns).toBe(returns + 2), 60_000);
        await talk.hears();
        console.info(`${loss}: heard again after ${(talk.gapMs / 1_000).toFixed(1)} s`);
        expect(talk.gapMs).toBeLessThan(silenceMaxMs);
        if (loss === 'kill') await holder.start();
        else process.kill(holder.pid ?? 0, 'SIGCONT');
        await pause(2_000); // it waits for the rooms, and everybody knows
        [holder, next] = [next, holder];
      }
    }
  }

  /** Gives the rooms back: the daemons of the next test share the database. */
  async function stopped(daemons: readonly DaemonProcess[]): Promise<void> {
    for (const daemon of daemons) await daemon.end('SIGTERM');
  }

  /** Two daemons, the first of which has the rooms; `url`: the address of both. */
  async function started(url?: string): Promise<readonly [DaemonProcess, DaemonProcess]> {
    const settings = {
      DATABASE_URL: server.url,
      EARSHOT_MASTER_KEY: 'cd'.repeat(32),
      ...(url === undefined ? {} : { EARSHOT_PUBLIC_URL: url }),
    };
    const daemons = [new DaemonProcess(settings), new DaemonProcess(settings)] as const;
    running.push(...daemons);
    for (const daemon of daemons) await daemon.start();
    return daemons;
  }

  const accesses = async (client: EarshotClient, projectId: string) => ({
    ear: await accessFor(client, projectId, 'ear'),
    mouth: await accessFor(client, projectId, 'mouth'),
  });

  it('are back at the daemon that their token names second', async () => {
    const daemons = await started();
    const { client, projectId } = await signIn(daemons[1].url);
    const [url, other] = daemons.map((daemon) => `${daemon.url}/rooms/${roomId}`);
    await eventually(async () =>
      expect(await accessFor(client, projectId, 'ear')).toMatchObject({ url, otherUrls: [other] }),
    );
    const talk = new Talk(await accesses(client, projectId));
    await talk.begin();
    await loses(daemons, talk);
    await talk.end();
    await stopped(daemons);
  });

  it.skipIf(!hasNginx)('are back behind a proxy, at one address for both daemons', async () => {
    const port = await freePort();
    const url = `http://127.0.0.1:${port}`;
    const daemons = await started(url);
    const stop = await startNginxWith(exampleRooms({ port, daemons: daemons.map((one) => one.url) }), url);
    const { client, projectId } = await signIn(daemons[1].url);
    await eventually(async () =>
      expect(await accessFor(client, projectId, 'ear')).toMatchObject({ url: `${url}/rooms/${roomId}`, otherUrls: [] }),
    );
    const talk = new Talk(await accesses(client, projectId));
    await talk.begin();
    await loses(daemons, talk);
    await talk.end();
    await stop();
    await stopped(daemons);
  });

  it('are muted and banned within a second meanwhile, and the next daemon knows it before anybody is heard', async () => {
    const daemons = await started();
    const { client, projectId } = await signIn(daemons[1].url);
    await eventually(async () =>
      expect((await accessFor(client, projectId, 'ear')).otherUrls).toEqual([`${daemons[1].url}/rooms/${roomId}`]),
    );
    const talk = new Talk(await accesses(client, projectId));
    await talk.begin();
    await daemons[0].end('SIGKILL');
    const impose = async (type: 'warn' | 'mute' | 'temp_ban', externalUserId: string) => {
      const begun = performance.now();
      const body = { type, externalUserId, ...(type === 'temp_ban' ? { duration: 600 } : {}) };
      await client.call(sanctionRoutes.create, { params: { projectId }, body });
      const tookMs = performance.now() - begun;
      console.info(`${type} was answered after ${tookMs.toFixed(0)} ms`);
      return tookMs;
    };
    // The rooms change hands for seven seconds more.
    const took = [await impose('warn', 'mouth'), await impose('temp_ban', 'eve'), await impose('mute', 'mouth')];
    expect(Math.max(...took)).toBeLessThan(5_000);
    await eventually(() => expect(talk.returns).toBe(2), 60_000);
    const backAt = performance.now();
    await pause(2_000);
    expect(talk.heardSince(backAt - 2_000)).toBe(false);
    await talk.end();
    await stopped(daemons);
  });
});
