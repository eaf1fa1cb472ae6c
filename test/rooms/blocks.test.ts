/** Blocks, proved by the packets that the blocker, and somebody else, hear. */
import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { EarshotClient } from '../../src/client/earshot-client.js';
import { RoomEvents } from '../../src/client/room/room-events.js';
import { playerRoutes } from '../../src/contract/gameplay/players.js';
import { blockRoutes, blocksMax, playerBlockRoutes, roomBlockRoutes } from '../../src/contract/people/blocks.js';
import { participantRoutes } from '../../src/contract/people/participants.js';
import { personMoveRoutes } from '../../src/contract/people/person-moves.js';
import { caseRoutes } from '../../src/contract/reports/cases.js';
import { reportRoutes } from '../../src/contract/reports/reports.js';
import { startDaemon, type TestDaemon } from '../support/daemon.js';
import { eventually } from '../support/eventually.js';
import { answering, roomToken } from '../support/room-client.js';
import { Listener, Speaker } from '../support/room-peers.js';
import { writeBeside } from '../support/write-beside.js';

let daemon: TestDaemon;
const peers: { close(): void }[] = [];
beforeAll(async () => {
  daemon = await startDaemon();
});
afterEach(() => {
  for (const peer of peers.splice(0)) peer.close();
});
afterAll(() => daemon.stop());

const params = () => ({ projectId: daemon.projectId });
const block = (user: string, blockedUserId: string) =>
  daemon.client.call(blockRoutes.create, { params: { ...params(), user }, body: { blockedUserId } });
const unblock = (user: string, blockedUserId: string) =>
  daemon.client.call(blockRoutes.remove, { params: { ...params(), user, blockedUserId } });
const tokenFor = (roomId: string, person: string) => roomToken(daemon.client, daemon.projectId, roomId, person);
const as = (token: string) => new EarshotClient({ baseUrl: daemon.url, credential: { kind: 'bearer', token } });
const playerOf = async (userId: string) =>
  as((await daemon.client.call(playerRoutes.createToken, { params: { ...params(), userId } })).token);

async function join<Peer extends Speaker | Listener>(peer: Peer, kind: 'whip' | 'whep', roomId: string, who: string) {
  peers.push(peer);
  await peer.join(answering(daemon.url, kind, roomId, await tokenFor(roomId, who)));
  return peer;
}

/** A room in which `bob` speaks, and others listen. */
class Stage {
  readonly roomId = randomUUID();
  readonly bob = `bob-${this.roomId}`;
  readonly ann = `ann-${this.roomId}`;
  readonly cleo = `cleo-${this.roomId}`;

  hear = (who: string) => join(new Listener(who, 2), 'whep', this.roomId, who);
  speak = (who = this.bob) => join(new Speaker(who), 'whip', this.roomId, who);
}

const heard = (speaker: Speaker, ...listeners: Listener[]) =>
  eventually(async () => {
    await speaker.talk(5);
    for (const listener of listeners) expect(listener.heard.length).toBeGreaterThan(10);
  });

/** Speaks, and counts the packets that each of them hears of it. */
async function countedFrom(speaker: Speaker, ...listeners: Listener[]): Promise<number[]> {
  const from = speaker.spoken;
  await speaker.talk(25);
  await Promise.all(listeners.map((listener) => listener.settled()));
  return listeners.map((listener) => listener.heardSince(from));
}

describe('a block', () => {
  it('keeps a voice from the blocker alone, in the middle of a sentence, after a rejoin, and until it ends', async () => {
    const stage = new Stage();
    const [ann, cleo] = [await stage.hear(stage.ann), await stage.hear(stage.cleo)];
    const bob = await stage.speak();
    await heard(bob, ann, cleo);

    const endSentence = bob.talkOn();
    await block(stage.ann, stage.bob);
    const blockedAt = bob.spoken;
    await eventually(() => expect(bob.spoken).toBeGreaterThan(blockedAt + 25));
    await endSentence();
    await Promise.all([ann.settled(), cleo.settled()]);
    expect(ann.heardSince(blockedAt)).toBe(0);
    expect(cleo.heardSince(blockedAt)).toBeGreaterThan(15);

    ann.close();
    const again = await stage.hear(stage.ann);
    const [blocked = 0, others = 0] = await countedFrom(bob, again, cleo);
    expect(blocked).toBe(0);
    expect(others).toBeGreaterThan(15);

    await unblock(stage.ann, stage.bob);
    const [back = 0] = await countedFrom(bob, again);
    expect(back).toBeGreaterThan(15);
  });

  it('holds for the listener in every room, and against the new id of somebody who was moved', async () => {
    const [stage, other] = [new Stage(), new Stage()];
    const participant = { externalUserId: stage.bob };
    await daemon.client.call(participantRoutes.create, { params: params(), body: participant });
    await block(stage.ann, stage.bob);
    const movedTo = `robert-${stage.roomId}`;
    const ear = await join(new Listener('ann', 2), 'whep', other.roomId, stage.ann);
    const move = { params: { ...params(), user: stage.bob }, body: { externalUserId: movedTo } };
    await daemon.client.call(personMoveRoutes.move, move);
    const voice = await other.speak(movedTo);
    const witness = await other.hear(other.cleo);
    await heard(voice, witness);
    expect(await countedFrom(voice, ear)).toEqual([0]);
    const { blocks } = await daemon.client.call(blockRoutes.list, {
      params: { ...params(), user: stage.ann },
      query: {},
    });
    expect(blocks.map(({ blockedUserId }) => blockedUserId)).toEqual([movedTo]);
  });

  it('is told to the blocker alone, on the stream of the room', async () => {
    const stage = new Stage();
    const told = new Map<string, unknown[]>();
    for (const who of [stage.ann, stage.bob]) {
      const access = { url: `${daemon.url}/rooms/${stage.roomId}`, token: await tokenFor(stage.roomId, who) };
      const events = new RoomEvents({ ...access, encryption: null });
      peers.push(events);
      told.set(who, []);
      events.subscribe((event) => event.type === 'room.blocks' && told.get(who)?.push(event.blocked));
      await events.open();
    }
    await block(stage.ann, stage.bob);
    await unblock(stage.ann, stage.bob);
    await eventually(() => expect(told.get(stage.ann)).toEqual([[stage.bob], []]));
    expect(told.get(stage.bob)).toEqual([]);
  });
});

describe('the operations of blocks', () => {
  it('are the same with a player token and a room token, for oneself alone', async () => {
    const { roomId, ann, bob, cleo } = new Stage();
    const body = { blockedUserId: bob };
    const player = await playerOf(ann);
    const inRoom = as(await tokenFor(roomId, ann));
    const first = await player.call(playerBlockRoutes.create, { body });
    expect(await inRoom.call(roomBlockRoutes.create, { params: { roomId }, body })).toEqual(first);
    expect(await block(ann, bob)).toMatchObject({ externalUserId: ann, ...first });
    expect((await inRoom.call(roomBlockRoutes.list, { params: { roomId }, query: {} })).blocks).toEqual([first]);
    expect((await (await playerOf(cleo)).call(playerBlockRoutes.list, { query: {} })).blocks).toEqual([]);

    const byOthers = { params: { ...params(), user: bob }, query: { byOthers: true } };
    expect((await daemon.client.call(blockRoutes.list, byOthers)).blocks).toMatchObject([{ externalUserId: ann }]);

    await inRoom.call(roomBlockRoutes.remove, { params: { roomId, ...body } });
    await player.call(playerBlockRoutes.remove, { params: body });
    expect(await player.call(playerBlockRoutes.list, { query: {} })).toMatchObject({ blocks: [], total: 0 });
  });

  it('refuse more blocks than anybody may have', async () => {
    const { ann } = new Stage();
    await block(ann, `${ann}-0`);
    const others = `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${blocksMax - 1})
      INSERT INTO "PlayerBlock" SELECT "projectId", "externalUserId", "externalUserId" || '-' || n.i, "createdAt"
      FROM "PlayerBlock", n WHERE "externalUserId" = '${ann}'`;
    await writeBeside(daemon.databaseUrl, others);
    await expect(block(ann, 'one more')).rejects.toMatchObject({ status: 409, code: 'block_limit_reached' });
    expect(await block(ann, `${ann}-0`)).toMatchObject({ blockedUserId: `${ann}-0` });
  });

  it('count in the case of the blocked person, a little', async () => {
    const { ann, bob, cleo } = new Stage();
    await block(cleo, bob);
    const request = { reporterUserId: ann, externalUserId: bob, category: 'spam' };
    const { caseId } = await daemon.client.call(reportRoutes.create, { params: params(), body: request });
    const get = () => daemon.client.call(caseRoutes.get, { params: { ...params(), id: caseId ?? '' } });
    const before = await get();
    expect(before).toMatchObject({ blockers: 1, why: expect.stringContaining('blocked by 1 person') });
    for (let one = 0; one < 9; one++) await block(`${ann}-${one}`, bob);
    const after = await get();
    expect(after).toMatchObject({ blockers: 10, why: expect.stringContaining('blocked by 10 people') });
    expect(after.priority).toBeGreaterThan(before.priority);
    await unblock(cleo, bob);
    expect((await get()).blockers).toBe(9);
  });
});
