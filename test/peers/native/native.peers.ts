/** examples/native-go (Pion) and examples/native-python (aiortc): a tone instead of a voice, in a room of a real daemon. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { requestAccess } from '../../../src/client/room/request-access.js';
import { RoomListener } from '../../../src/client/voice/listener.js';
import { endMedia } from '../../../src/client/voice/media-peer.js';
import { type Recording, readWav } from '../../../src/client/voice/wav-file.js';
import { routes } from '../../../src/contract/routes.js';
import { startDaemon, type TestDaemon } from '../../support/daemon.js';
import { eventually } from '../../support/eventually.js';
import { roomProcesses } from '../../support/room-process.js';
import { toneWav } from '../../support/tone.js';

const examples = fileURLToPath(new URL('../../../examples/', import.meta.url));
const installed = fileURLToPath(new URL('.installed/', import.meta.url));
const programs: Readonly<Record<string, readonly [string, ...string[]]>> = {
  'native-go': [join(installed, 'native-go')],
  'native-python': [join(installed, 'venv/bin/python'), join(examples, 'native-python/native.py')],
};

let daemon: TestDaemon;
const folder = mkdtempSync(join(tmpdir(), 'earshot-native-'));
const hertzOf: Readonly<Record<string, number>> = { 'native-go': 440, 'native-python': 660 };
beforeAll(async () => {
  for (const [name, [program]] of Object.entries(programs)) {
    expect(existsSync(program), `${program}: run test/peers/install.sh`).toBe(true);
    writeFileSync(join(folder, `${name}.wav`), toneWav(2, hertzOf[name]));
  }
  daemon = await startDaemon();
});
afterAll(async () => {
  await daemon?.stop();
  endMedia();
  rmSync(folder, { recursive: true, force: true });
});

const params = () => ({ projectId: daemon.projectId });

/** Starts an example as a person in a room; it is named after the person. */
async function enter(name: string, roomId: string, userId = name) {
  const [program, ...args] = programs[name] ?? [''];
  const access = await requestAccess(daemon.client, daemon.projectId, { roomId, userId });
  const heard = join(folder, `${userId}-${roomId}`);
  const child = spawn(program, [...args, join(folder, `${name}.wav`), heard], {
    env: { PATH: process.env.PATH, EARSHOT_ROOM: access.url, EARSHOT_ROOM_TOKEN: access.token },
  });
  const lines: string[] = [];
  for (const channel of [child.stdout, child.stderr])
    createInterface({ input: channel }).on('line', (line) => lines.push(line));
  const exit = once(child, 'exit');
  const prints = (line: unknown, ms = 20_000) => eventually(() => expect(lines).toContainEqual(line), ms);
  await prints('in the room');
  return {
    lines,
    prints,
    say: (line: string) => child.stdin.write(`${line}\n`),
    async ends(): Promise<number> {
      const [code] = await exit;
      return code;
    },
    async leaves(): Promise<number> {
      child.kill('SIGINT');
      return this.ends();
    },
    /** The sound of a line of the call; complete once the program has ended. */
    line: (index: number): Recording | null => {
      const bytes = readFileSync(`${heard}-${index}.wav`);
      return bytes.length > 44 ? readWav(bytes) : null;
    },
  };
}

const windowSeconds = 0.1;

/** Share of a sound's energy at a frequency (Goertzel), and its level (RMS): the median of its windows with sound. */
function measure(sound: Recording | null, hertz: number): { share: number; level: number } {
  if (sound === null) return { share: 0, level: 0 };
  const { rate, length, at } = sound;
  const size = rate * windowSeconds;
  const windows = Array.from({ length: Math.floor(length / size) }, (_, window) => {
    let [energy, real, imaginary] = [0, 0, 0];
    for (let index = 0; index < size; index += 1) {
      const sample = at(window * size + index);
      energy += sample * sample;
      real += sample * Math.cos((2 * Math.PI * hertz * index) / rate);
      imaginary += sample * Math.sin((2 * Math.PI * hertz * index) / rate);
    }
    return { share: (2 * (real ** 2 + imaginary ** 2)) / (size * energy), level: Math.sqrt(energy / size) };
  });
  const loud = windows.filter(({ level }) => level > 0.01).sort((a, b) => a.share - b.share);
  return loud[Math.floor(loud.length / 2)] ?? { share: 0, level: 0 };
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
const peersOf = async (roomId: string) =>
  (await daemon.client.call(routes.rooms.get, { params: { ...params(), roomId } })).peers;

describe('examples of native games', { timeout: 120_000 }, () => {
  it('hear each other, each as loud as they are near', async () => {
    const [go, python] = await Promise.all([enter('native-go', 'arena'), enter('native-python', 'arena')]);
    await go.prints('line 0: native-python');
    await python.prints('line 0: native-go');
    await pause(3_000);
    expect([await go.leaves(), await python.leaves()]).toEqual([0, 0]);
    expect([go.lines.at(-1), python.lines.at(-1)]).toEqual(['left', 'left']);
    expect(await peersOf('arena')).toEqual([]);

    const [inGo, inPython] = [measure(go.line(0), 660), measure(python.line(0), 440)];
    for (const { share, level } of [inGo, inPython]) {
      expect(share).toBeGreaterThan(0.8); // what they hear is what the other says
      expect(level).toBeGreaterThan(0.1); // the tone has 0.17
    }
    expect(measure(go.line(0), 440).share).toBeLessThan(0.1);
    expect(go.line(1)).toBeNull(); // nobody else has spoken
  });
});

describe.each(Object.keys(programs))('%s', { timeout: 120_000 }, (name) => {
  const other = name === 'native-go' ? 'native-python' : 'native-go';
  const room = (what: string) => `${what}-${name}`;

  it('plays whoever is far away more quietly', async () => {
    const far = await enter(other, room('far'), 'far');
    const near = await enter(name, room('far'), 'near');
    near.say('volume far 0.25');
    await near.prints('line 0: far');
    await pause(3_000);
    await Promise.all([near.leaves(), far.leaves()]);
    const { share, level } = measure(near.line(0), hertzOf[other] ?? 0);
    expect(share).toBeGreaterThan(0.8);
    expect(level).toBeGreaterThan(0.02);
    expect(level).toBeLessThan(0.07);
  });

  it('is silent while its key is up, and while a moderator has muted it, which it shows', async () => {
    let frames = 0;
    const access = await requestAccess(daemon.client, daemon.projectId, { roomId: room('talk'), userId: 'ear' });
    const listener = new RoomListener(access, { onFrame: () => (frames += 1) });
    await listener.join();
    const speaker = await enter(name, room('talk'));
    const isHeard = async () => {
      const before = frames;
      await eventually(() => expect(frames).toBeGreaterThan(before + 25), 10_000);
    };
    const isSilent = async () => {
      await pause(500); // what is under way
      const before = frames;
      await pause(1_000);
      expect(frames).toBe(before);
    };
    await isHeard();
    speaker.say('talk off');
    await isSilent();
    speaker.say('talk on');
    await isHeard();

    const body = { type: 'mute', externalUserId: name, duration: 600, reason: 'shouting' } as const;
    const { id } = await daemon.client.call(routes.sanctions.create, { params: params(), body });
    await speaker.prints('muted: shouting');
    await isSilent();
    await daemon.client.call(routes.sanctions.revoke, { params: { ...params(), id }, body: {} });
    await speaker.prints('no longer muted');
    await isHeard();
    await speaker.leaves();
    await listener.leave();
  });

  it('comes back when the room is lost, and stays out after a kick', async () => {
    const speaker = await enter(name, room('crash'));
    for (const pid of roomProcesses()) process.kill(pid, 'SIGKILL');
    await speaker.prints(expect.stringMatching(/^lost /));
    await eventually(() => expect(speaker.lines.filter((line) => line === 'in the room')).toHaveLength(2), 60_000);
    await eventually(async () => expect(await peersOf(room('crash'))).toMatchObject([{ speaking: true }]), 20_000);

    const at = { ...params(), roomId: room('crash'), externalUserId: name };
    await daemon.client.call(routes.rooms.kick, { params: at });
    expect(await speaker.ends()).toBe(1);
    expect(speaker.lines.at(-1)).toMatch(/^refused.*A moderator removed you from the room/);
  });
});
