/**
 * Cost to others of one client that opens 1,500 connections at once, again and again: with and without a request in each,
 * against a daemon that may open fewer files, and one that may open more.
 */
import net from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { DaemonProcess } from '../support/daemon-process.js';
import { rentedMachine, watchingHealth } from '../support/health-watch.js';
import { scale } from '../support/scale.js';

const burst = scale(300, 1_500);
const bursts = scale(2, 8);
const pauseMs = 500;
/** Until the connections of a burst are ended that nobody has answered or closed. */
const patienceMs = 2_000;
const attacker = '127.0.0.66';
/** More than the connections of a burst from one network. */
const manyFiles = 16_384;

let daemon: DaemonProcess;
afterEach(() => daemon.dispose());

/** Opens the connections in one moment, and ends them when all are open, refused or answered. Returns how many opened. */
async function open(url: string, count: number, bytes: string): Promise<number> {
  const { hostname: host, port } = new URL(url);
  let opened = 0;
  const sockets = Array.from({ length: count }, () =>
    net.connect({ host, port: Number(port), localAddress: attacker }),
  );
  const ended = sockets.map(
    (socket) =>
      new Promise<void>((resolve) => {
        socket.on('error', () => {}).once('close', () => resolve());
        socket.once('connect', () => {
          opened += 1;
          if (bytes === '') resolve();
          else socket.write(bytes);
        });
        socket.once('data', () => resolve());
      }),
  );
  await Promise.race([Promise.all(ended), sleep(patienceMs)]);
  for (const socket of sockets) socket.destroy();
  return opened;
}

const request = 'GET /api/projects HTTP/1.1\r\nHost: x\r\nX-API-Key: wrong\r\n\r\n';

describe(`bursts of ${burst} connections from one address`, { timeout: 240_000 }, () => {
  it.each([
    { what: 'that ask nothing', openFilesMax: rentedMachine.openFilesMax, bytes: '' },
    { what: 'with a request each', openFilesMax: rentedMachine.openFilesMax, bytes: request },
    { what: 'that ask nothing, where many files may be open', openFilesMax: manyFiles, bytes: '' },
    { what: 'with a request each, where many files may be open', openFilesMax: manyFiles, bytes: request },
  ])('$what delay neither health checks nor the writes of others', async ({ what, openFilesMax, bytes }) => {
    daemon = new DaemonProcess({}, { ...rentedMachine, openFilesMax });
    await daemon.start();
    let opened = 0;
    const attack = async () => {
      for (let begun = 0; begun < bursts; begun += 1) {
        opened += await open(daemon.url, burst, bytes);
        await sleep(pauseMs);
      }
    };
    // The attacker does not give way: a burst that comes slowly is none.
    const title = `${bursts} bursts of ${burst} connections ${what}`;
    await watchingHealth(daemon, title, attack, { othersAreHere: true });
    expect(opened).toBeGreaterThan(burst);
  });
});
