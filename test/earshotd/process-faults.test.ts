/** A process of the daemon that ends by a fault: logged, counted, shown by `earshotd doctor`, and started again. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { EarshotClient } from '../../src/client/earshot-client.js';
import { DaemonProcess } from '../support/daemon-process.js';
import { eventually } from '../support/eventually.js';
import { earshotd } from '../support/program.js';
import { answering, roomToken, signIn } from '../support/room-client.js';
import { Speaker } from '../support/room-peers.js';
import { roomProcess } from '../support/room-process.js';

const daemon = new DaemonProcess();
let client: EarshotClient;
let projectId: string;
beforeAll(async () => {
  await daemon.start();
  ({ client, projectId } = await signIn(daemon.url));
});
afterAll(() => daemon.dispose());

const enter = async (name: string): Promise<Speaker> => {
  const speaker = new Speaker(name);
  await speaker.join(answering(daemon.url, 'whip', 'stage', await roomToken(client, projectId, 'stage', name)));
  return speaker;
};
const roomProcessOfDaemon = (): number => roomProcess(daemon.pid ?? 0);
const faultsPrinted = () =>
  daemon.printed.filter((line) => line.includes('ended by a fault')).map((line) => JSON.parse(line));
const shownByDoctor = async (): Promise<string> => {
  const { stdout } = await earshotd(daemon.dataDir, ['doctor'], { env: { EARSHOT_TRANSCRIBER: 'off' } });
  return stdout.split('\n').find((line) => line.slice(9).startsWith('processes')) ?? '';
};

describe('a room process that ends by a signal', () => {
  it('is logged, counted and shown, and people come back', async () => {
    const before = await enter('ann');
    expect(await shownByDoctor()).toBe('ok       processes    none has crashed since the daemon started');
    const crashed = roomProcessOfDaemon();
    process.kill(crashed, 'SIGSEGV');
    await eventually(() => expect(faultsPrinted()).toHaveLength(1));
    expect(faultsPrinted()).toMatchObject([{ process: 'rooms', childPid: crashed, cause: 'SIGSEGV', detail: null }]);
    before.close();
    const after = await eventually(() => enter('ann'));
    expect(roomProcessOfDaemon()).not.toBe(crashed);
    const metrics = await (await fetch(`${daemon.url}/metrics`)).text();
    expect(metrics).toMatch(/^earshot_process_faults_total\{process="rooms",cause="SIGSEGV",version="[^"]+"\} 1$/m);
    expect(await shownByDoctor()).toMatch(
      /^warning {2}processes {4}the room process ended by SIGSEGV at \S+Z \(1 fault since the daemon started\)\. The daemon restarts it\./,
    );
    after.close();
  });

  it('is no fault when the daemon stops it', async () => {
    const speaker = await enter('ben');
    await daemon.end('SIGTERM');
    expect(faultsPrinted()).toHaveLength(1);
    speaker.close();
  });

  it('is one when it has to be killed at the stop', async () => {
    await daemon.start();
    const speaker = await enter('ben');
    const frozen = roomProcessOfDaemon();
    process.kill(frozen, 'SIGSTOP');
    await daemon.end('SIGTERM');
    expect(faultsPrinted()).toMatchObject([
      { process: 'rooms', childPid: frozen, cause: 'hung', detail: 'it did not end within 2000 ms' },
    ]);
    speaker.close();
  });
});
