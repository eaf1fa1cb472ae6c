import { spawn, spawnSync } from 'node:child_process';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { participantRoutes } from '../../src/contract/people/participants.js';
import { startDaemon, type TestDaemon } from '../support/daemon.js';
import { eventually } from '../support/eventually.js';
import { freePort } from '../support/free-port.js';

const has = spawnSync('mosquitto_sub', ['--help']).error === undefined;

/** Clients of another implementation, as operators have them. */
describe.skipIf(!has)('mosquitto_sub and mosquitto_pub (package mosquitto-clients)', { timeout: 60_000 }, () => {
  let daemon: TestDaemon;
  beforeAll(async () => {
    daemon = await startDaemon({ settings: { EARSHOT_MQTT_PORT: String(await freePort()) } });
  });
  afterAll(() => daemon.stop());
  const join = (externalUserId: string) =>
    daemon.client.call(participantRoutes.create, { params: { projectId: daemon.projectId }, body: { externalUserId } });
  const all = () => `projects/${daemon.projectId}/events/#`;

  const mosquitto = (program: string, ...args: string[]) => mosquittoOf('mqttv311', program, ...args);
  function mosquittoOf(version: string, program: string, ...args: string[]) {
    const { hostname, port } = new URL(daemon.mqttUrl);
    const lineByLine = ['-oL', program]; // a pipe would be told only at the end
    const child = spawn('stdbuf', [...lineByLine, '-h', hostname, '-p', port, '-V', version, '-d', ...args]);
    const it = { said: '', stop: () => child.kill('SIGTERM'), ended: Promise.resolve<number | null>(null) };
    for (const channel of [child.stdout, child.stderr])
      channel.setEncoding('utf8').on('data', (text: string) => {
        it.said += text;
      });
    it.ended = new Promise((resolve) => child.once('close', resolve));
    return it;
  }
  const operator = () => ['-u', daemon.projectId, '-P', daemon.apiKey];
  const subscribed = (one: { said: string }) => eventually(() => expect(one.said).toMatch(/SUBACK/), 30_000);

  it.each([
    ['0', '0'],
    ['1', '1'],
    ['2', '1'],
  ])('that ask for QoS %s hear an event of the project at %s', async (qos, told) => {
    const client = mosquitto('mosquitto_sub', ...operator(), '-t', all(), '-q', qos, '-C', '1', '-F', 'heard %q %t %p');
    await subscribed(client);
    await join(`heard at ${qos}`);
    expect(await client.ended).toBe(0);
    expect(client.said).toContain(`Subscribed (mid: 1): ${told}`);
    expect(client.said).toContain(`heard ${told} projects/${daemon.projectId}/events/participant.created {"id":"`);
    expect(client.said).toContain(`heard at ${qos}`);
  });

  it('learn that nothing is kept for them when they ask for a lasting session', async () => {
    const lasting = ['-c', '-i', 'lasting', '-q', '1', '-C', '1', '-F', 'heard %q'];
    const client = mosquitto('mosquitto_sub', ...operator(), '-t', all(), ...lasting);
    await subscribed(client);
    await join('lasting');
    expect(await client.ended).toBe(0);
    expect(client.said).toContain('Subscribed (mid: 1): 0');
    expect(client.said).toContain('heard 0');
  });

  it('are refused with a bad key, and topics of others', async () => {
    const stranger = mosquitto('mosquitto_sub', '-u', daemon.projectId, '-P', 'wrong', '-t', all());
    await stranger.ended;
    expect(stranger.said).toContain('bad user name or password');
    const curious = mosquitto('mosquitto_sub', ...operator(), '-t', '#');
    await eventually(() => expect(curious.said).toMatch(/All subscription requests were denied/), 30_000);
    curious.stop();
    await curious.ended;
  });

  it('are refused a wildcard inside a level, which would never match', async () => {
    const client = mosquitto('mosquitto_sub', ...operator(), '-t', all().replace('#', 'gathering.*'));
    await eventually(() => expect(client.said).toMatch(/All subscription requests were denied/), 30_000);
    client.stop();
    await client.ended;
  });

  it('speak MQTT 5, too', async () => {
    const client = mosquittoOf(
      'mqttv5',
      'mosquitto_sub',
      ...operator(),
      '-t',
      all(),
      '-q',
      '1',
      '-C',
      '1',
      '-F',
      'heard %q %t %p',
    );
    await subscribed(client);
    await join('heard by five');
    expect(await client.ended).toBe(0);
    expect(client.said).toContain(`heard 1 projects/${daemon.projectId}/events/participant.created {"id":"`);
    const forged = mosquittoOf(
      'mqttv5',
      'mosquitto_pub',
      ...operator(),
      '-t',
      all().replace('#', 'x.y'),
      '-m',
      'forged',
    );
    await forged.ended;
    const stranger = mosquittoOf('mqttv5', 'mosquitto_sub', '-u', daemon.projectId, '-P', 'wrong', '-t', all());
    expect(await stranger.ended).toBeGreaterThan(0);
    expect(stranger.said).toMatch(/bad user name or password/i);
  });

  it('cannot publish', async () => {
    const listener = mosquitto('mosquitto_sub', ...operator(), '-t', all(), '-C', '1', '-F', 'heard %p');
    await subscribed(listener);
    const forged = mosquitto(
      'mosquitto_pub',
      ...operator(),
      '-q',
      '1',
      '-t',
      all().replace('#', 'x.y'),
      '-m',
      'forged',
    );
    await eventually(() => expect(forged.said).toMatch(/PUBLISH/), 30_000);
    await join('genuine');
    await listener.ended;
    expect(listener.said).toContain('genuine');
    expect(listener.said).not.toContain('heard forged');
    forged.stop();
    await forged.ended;
  });
});
