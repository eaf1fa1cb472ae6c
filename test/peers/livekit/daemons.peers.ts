/** Rooms that LiveKit carries for two daemons of a database: each acts on them. */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { dispose } from '@livekit/rtc-node';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { sanctionRoutes } from '../../../src/contract/moderation/sanctions.js';
import { roomRoutes } from '../../../src/contract/rooms/rooms.js';
import { tokenRoutes } from '../../../src/contract/rooms/tokens.js';
import { eventually } from '../../support/eventually.js';
import { earshotd } from '../../support/program.js';
import { TwoDaemons } from '../../support/two-daemons.js';
import { LiveKitProcess } from './livekit-server.js';
import { Person } from './person.js';

let server: LiveKitProcess;
let both: TwoDaemons;
const people: Person[] = [];
beforeAll(async () => {
  server = await LiveKitProcess.start();
  both = await TwoDaemons.start(server.settings);
});
afterAll(async () => {
  for (const person of people) await person.leave();
  await both.stop();
  await server.stop();
  await dispose();
});

async function join(userId: string, roomId: string): Promise<Person> {
  const body = { roomId, userId };
  const { url, token } = await both.client(0).call(tokenRoutes.generateForProject, { params: both.params(), body });
  const person = await Person.join(userId, url ?? '', token);
  people.push(person);
  return person;
}
const hears = (listener: Person, speaker: Person) => {
  const from = listener.heardOf(speaker.name);
  return eventually(() => expect(listener.heardOf(speaker.name)).toBeGreaterThan(from + 20), 15_000);
};

it('a daemon that lets nobody in sees, mutes and removes people', async () => {
  const room = randomUUID();
  const [anna, ben, cleo] = [await join('anna', room), await join('ben', room), await join('cleo', room)];
  await anna.speak();
  await ben.speak();
  await hears(cleo, anna);
  await hears(cleo, ben);
  const other = both.client(1);
  const params = { ...both.params(), roomId: room };
  const { peers } = await other.call(roomRoutes.get, { params });
  expect(peers.map(({ externalUserId }) => externalUserId).sort()).toEqual(['anna', 'ben', 'cleo']);
  await other.call(sanctionRoutes.create, { params: both.params(), body: { type: 'mute', externalUserId: 'ben' } });
  await sleep(500); // what was on its way is played
  const heard = cleo.heardOf('ben');
  await sleep(1_500);
  expect(cleo.heardOf('ben')).toBe(heard);

  await other.call(roomRoutes.kick, { params: { ...params, externalUserId: 'anna' } });
  await sleep(500);
  const kicked = cleo.heardOf('anna');
  await sleep(1_500);
  expect(cleo.heardOf('anna')).toBe(kicked);
});

it('earshotd doctor says what it finds of LiveKit', async () => {
  const run = async (more = {}) =>
    (await earshotd(both.daemons[1].dataDir, ['doctor'], { env: { ...server.settings, ...more } })).stdout;
  const fine = await run();
  for (const check of ['LiveKit', 'its key', 'its clock', 'its port', 'bots'])
    expect(fine).toMatch(new RegExp(`^ok +${check} `, 'm'));
  expect(await run({ EARSHOT_LIVEKIT_API_SECRET: 'another secret that is long enough' })).toMatch(
    /^problem +its key +LiveKit refuses the key/m,
  );
});
