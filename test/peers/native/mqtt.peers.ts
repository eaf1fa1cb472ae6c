/** Paho, the client of Python, follows events as MQTT 5 and as MQTT 3.1.1. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { routes } from '../../../src/contract/routes.js';
import { startDaemon } from '../../support/daemon.js';
import { eventually } from '../../support/eventually.js';
import { freePort } from '../../support/free-port.js';

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

it('Paho follows events as MQTT 5 and as MQTT 3.1.1', { timeout: 120_000 }, async () => {
  const daemon = await startDaemon({ settings: { EARSHOT_MQTT_PORT: String(await freePort()) } });
  const { projectId } = daemon;
  const args = [here('paho_client.py'), '127.0.0.1', new URL(daemon.mqttUrl).port, projectId, daemon.apiKey];
  const child = spawn(here('.installed/venv/bin/python'), args, { stdio: ['ignore', 'pipe', 'inherit'] });
  const lines: string[] = [];
  createInterface({ input: child.stdout }).on('line', (line) => lines.push(line));
  await eventually(() => expect(lines).toHaveLength(4), 30_000);
  await daemon.client.call(routes.participants.create, { params: { projectId }, body: { externalUserId: 'ann' } });
  await eventually(() =>
    expect([...lines].sort()).toEqual([
      ...['3.1.1 1 participant.created', '3.1.1 Granted QoS 1', '3.1.1 Success'],
      ...['5 1 participant.created', '5 Granted QoS 1', '5 Success'],
    ]),
  );
  const exit = once(child, 'exit');
  child.kill();
  await exit;
  await daemon.stop();
});
