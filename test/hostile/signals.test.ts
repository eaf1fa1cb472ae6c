/** Signals that mean nothing to a daemon: it answers them in its log and goes on. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { DaemonProcess } from '../support/daemon-process.js';
import { eventually } from '../support/eventually.js';
import { rentedMachine } from '../support/health-watch.js';

const daemon = new DaemonProcess({}, rentedMachine);
beforeAll(() => daemon.start());
afterAll(() => daemon.dispose());

it.each(['SIGUSR1', 'SIGUSR2', 'SIGQUIT'] as const)('%s is logged, and ends nothing', async (signal) => {
  const { pid } = daemon;
  process.kill(pid ?? 0, signal);
  await eventually(() => {
    expect(daemon.printed.filter((line) => line.includes(`"signal":"${signal}"`))).toEqual([
      expect.stringContaining('SIGTERM stops the process'),
    ]);
  });
  expect(daemon.printed.filter((line) => line.includes('Debugger'))).toEqual([]);
  expect((await fetch(`${daemon.url}/health/live`)).status).toBe(200);
  expect(daemon.pid).toBe(pid);
});
