import mqtt from 'mqtt';
import { afterEach, describe, expect, it } from 'vitest';
import { loadSettings } from '../../../daemon/platform/config/load.js';
import { Health } from '../../../daemon/platform/observability/health.js';
import { startDaemon } from '../../support/daemon.js';
import { DaemonProcess } from '../../support/daemon-process.js';
import { eventually } from '../../support/eventually.js';
import { freePort } from '../../support/free-port.js';
import { deadOffer, postOffer, roomToken } from '../../support/room-client.js';
import { roomProcess, roomProcesses } from '../../support/room-process.js';

const running: DaemonProcess[] = [];
afterEach(async () => {
  for (const daemon of running.splice(0)) await daemon.dispose();
});
const start = async (settings: Record<string, string>) => {
  const daemon = new DaemonProcess(settings);
  running.push(daemon);
  return daemon.start();
};
const statusOf = async (url: string) => (await fetch(url)).status;
/** Resolves to true if MQTT over WebSocket is answered. */
const takesMqtt = async (http: string): Promise<boolean> => {
  const client = mqtt.connect(`${http.replace(/^http/, 'ws')}/mqtt`, { reconnectPeriod: 0, connectTimeout: 5_000 });
  const answered = await new Promise<boolean>((resolve) => {
    client.on('connect', () => resolve(true));
    client.on('error', () => resolve(false));
    client.on('close', () => resolve(false));
  });
  await client.endAsync(true);
  return answered;
};

describe('EARSHOT_ROLES', () => {
  it('leaves a daemon for voice without the API and without MQTT, but with its health', async () => {
    const { http, media } = await start({ EARSHOT_ROLES: 'voice,delivery' });
    expect(media).toBeGreaterThan(0);
    expect(await statusOf(`${http}/health/ready`)).toBe(200);
    expect(await statusOf(`${http}/api`)).toBe(404);
    expect(await statusOf(`${http}/rooms/demo/events`)).toBe(401);
    expect(await takesMqtt(http)).toBe(false);
  });

  it('leaves a daemon for the API without rooms', async () => {
    const { http, media } = await start({ EARSHOT_ROLES: 'http broker' });
    expect(media).toBe(0);
    expect(await statusOf(`${http}/health/ready`)).toBe(200);
    expect(await statusOf(`${http}/api`)).toBe(200);
    expect(await statusOf(`${http}/rooms/demo/events`)).toBe(503);
    expect(await takesMqtt(http)).toBe(true);
  });

  it('refuses a role that does not exist', () => {
    expect(() => loadSettings({ environment: {}, flags: { EARSHOT_ROLES: 'http cooking' } })).toThrow('EARSHOT_ROLES');
  });
});

describe('EARSHOT_METRICS_PORT', () => {
  it('moves the metrics to a listener of their own', async () => {
    const port = await freePort();
    const { http } = await start({ EARSHOT_METRICS_PORT: String(port) });
    const metrics = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
    expect(metrics).toContain('process_cpu_seconds_total');
    expect(await statusOf(`http://127.0.0.1:${port}/health/live`)).toBe(200);
    expect(await statusOf(`http://127.0.0.1:${port}/api`)).toBe(404);
    expect(await statusOf(`${http}/metrics`)).toBe(404);
  });
});

describe('GET /health/ready', () => {
  it('says of an error only that there is one; the log has the rest, once, and a line when it is over', async () => {
    const logged: unknown[] = [];
    let isAway = true;
    const look = () => {
      if (isAway) throw new Error('connect ECONNREFUSED 10.0.0.7:5432');
      return null;
    };
    const health = new Health([{ part: 'database', check: look }], {
      error: (...told: unknown[]) => void logged.push(['error', ...told]),
      info: (...told: unknown[]) => void logged.push(['info', ...told]),
    });
    expect(await health.problems()).toEqual([{ part: 'database', problem: "failed; the daemon's log says why" }]);
    await health.problems();
    isAway = false;
    expect(await health.problems()).toEqual([]);
    await health.problems();
    const fields = { part: 'database', err: new Error('connect ECONNREFUSED 10.0.0.7:5432') };
    expect(logged).toMatchObject([
      ['error', fields, 'the daemon is not ready'],
      ['info', fields, 'what had failed is ready again'],
    ]);
  });

  it('names what is not ready, and is well again when it is', async () => {
    const daemon = await startDaemon();
    const health = async () => {
      const response = await fetch(`${daemon.url}/health/ready`);
      return { status: response.status, body: await response.json() };
    };
    expect(await health()).toEqual({ status: 200, body: { status: 'ok', problems: [] } });
    expect(roomProcesses()).toEqual([]); // it starts with the first room
    const token = await roomToken(daemon.client, daemon.projectId, 'demo', 'ann');
    expect((await postOffer(daemon.url, 'whip', 'demo', token, deadOffer('whip'))).status).toBe(201);
    expect(await health()).toEqual({ status: 200, body: { status: 'ok', problems: [] } });
    process.kill(roomProcess(), 'SIGKILL');
    await eventually(async () =>
      expect(await health()).toMatchObject({
        status: 503,
        body: { status: 'not ready', problems: [{ part: 'rooms' }] },
      }),
    );
    await eventually(async () => expect((await health()).status).toBe(200));
    await daemon.stop();
  });
});
