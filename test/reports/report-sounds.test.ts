/** Which sound is stored with a report: how much, and what happens to one that is decided or loses its person meanwhile. */
import { beforeEach, describe, expect, it } from 'vitest';
import { ReportSounds } from '../../daemon/modules/reports/sound/service.js';
import type { ReportSoundRow } from '../../daemon/modules/reports/sound/sound-store.js';
import { packSound, soundAfter } from '../../daemon/modules/sessions/evidence-sound.js';

type PackedSound = Awaited<ReturnType<Needs['sound']['held']>>[number];
type Needs = ConstructorParameters<typeof ReportSounds>[0];
type Report = NonNullable<Awaited<ReturnType<Needs['reports']['find']>>>;

const start = new Date('2026-11-26T12:00:00Z');
const stored: ReportSoundRow[] = [];
/** Debug audio by message; null: the project keeps none. */
let before: Pick<ReportSoundRow, 'externalUserId' | 'startedAt' | 'durationMs'>[] = [];
let held: readonly PackedSound[] | null = null;
let recordings: { readonly id: string; readonly sound: PackedSound }[] | null = null;
beforeEach(() => {
  stored.length = 0;
  recordings = null;
  before = [];
  held = null;
});

/** @param locked what the row of the report says once it is locked */
const soundsOf = (reporterOf: (id: string) => string, locked: Partial<Report> = {}) => {
  const report = (id: string) => ({
    ...{ id, externalUserId: 'ann', decidedAt: null, reporterUserId: reporterOf(id), ...locked },
  });
  const needs = {
    database: { transaction: (work: (tx: never) => unknown) => work({} as never) },
    reports: {
      soundEnd: (decidedAt: Date) => decidedAt,
      linesOf: async () => [
        { messageId: 'other', externalUserId: 'ben' },
        { messageId: 'first', externalUserId: 'ann' },
        { messageId: 'second', externalUserId: 'ann' },
      ],
      find: async (_: string, id: string) => report(id),
      lock: async (_: unknown, __: string, id: string) => report(id),
    },
    sounds: { insert: async (_: unknown, row: ReportSoundRow) => void stored.push(row), listOf: async () => before },
    cases: { extended: async () => {} },
    people: {
      known: async (_tx: unknown, _project: string, externalUserId: string) => ({
        externalUserId,
        joinedAt: start.toISOString(),
      }),
    },
    sound: {
      after: soundAfter,
      keepsAudio: async () => recordings !== null,
      async *recorded(_: string, ids: readonly string[]) {
        for (const id of ids) for (const one of recordings ?? []) if (one.id === id) yield one.sound;
      },
      held: () =>
        held ?? [{ externalUserId: 'ann', startedAt: start, durationMs: 1_000, packed: Buffer.from('sound') }],
    },
    box: { seal: (text: string) => text },
    ...{ openDays: () => 180, now: () => start },
    log: { error: (_: unknown, message: string) => expect.unreachable(message) },
  };
  return new ReportSounds(needs as unknown as Needs);
};
const created = (id: string) =>
  ({
    ...{ type: 'report.created', projectId: 'p' },
    payload: { data: { id, roomId: 'r', externalUserId: 'ann' } },
  }) as unknown as Parameters<ReportSounds['follow']>[0][number];
const ids = (count: number) => Array.from({ length: count }, (_, index) => created(`${index}`));

describe('the sound of reports', () => {
  it('is stored for 5 reports of a reporter in an hour, and for 30 about a room', async () => {
    await soundsOf(() => 'eve').follow(ids(40));
    expect(stored).toHaveLength(5);
    stored.length = 0;
    await soundsOf((id) => `reporter-${id}`).follow(ids(40));
    expect(stored).toHaveLength(30);
  });

  it('ends with a report that was decided meanwhile', async () => {
    await soundsOf(() => 'eve', { decidedAt: start }).follow(ids(1));
    expect(stored).toMatchObject([{ externalUserId: 'ann', decidedAt: start }]);
  });

  it('is that of the transcript where debug audio is kept, the reported person first, what was held once', async () => {
    const at = (seconds: number, externalUserId: string, bytes: number): PackedSound => ({
      ...{ externalUserId, startedAt: new Date(start.getTime() + seconds * 1_000), durationMs: 500 },
      packed: Buffer.alloc(bytes),
    });
    const mebibyte = 1_024 * 1_024;
    recordings = [
      { id: 'other', sound: at(5, 'ben', 3 * mebibyte) },
      { id: 'first', sound: at(0.2, 'ann', 10) }, // held in memory too
      { id: 'second', sound: at(9, 'ann', 6 * mebibyte) },
    ];
    await soundsOf(() => 'eve').follow(ids(1));
    expect(stored.map(({ externalUserId, startedAt }) => [externalUserId, +startedAt - +start])).toEqual([
      ...[
        ['ann', 0],
        ['ann', 9_000],
      ], // ben's does not fit any more
    ]);
    stored.length = 0;
    await soundsOf(() => 'eve', { lastSeconds: null }).follow(ids(1));
    expect(stored.map(({ startedAt }) => +startedAt - +start)).toEqual([200, 9_000]);
  });

  it('of a report that is sent again is what was said since, and nothing where only a decision changed it', async () => {
    const opus = Buffer.from([0xf8, 0xff, 0xfe]); // 20 ms of silence
    const frames = Array.from({ length: 100 }, (_, index) => ({
      ...{ sequence: index, timestamp: index * 960, arrivedAtMs: +start + index * 20, frame: opus },
    }));
    held = [packSound({ externalUserId: 'ann', frames }), packSound({ externalUserId: 'ben', frames })];
    before = [{ externalUserId: 'ann', startedAt: start, durationMs: 1_500 }];
    const again = { ...created('0'), type: 'report.updated' };
    const changed = (changes: object) => ({ ...again, payload: { ...again.payload, changes } }) as typeof again;
    await soundsOf(() => 'eve').follow([changed({ status: 'open' })]);
    expect(stored).toEqual([]);
    await soundsOf(() => 'eve').follow([changed({ repeats: 0 })]);
    const lengths = stored.map(({ externalUserId, durationMs }) => [
      externalUserId,
      Math.round(durationMs / 100) * 100,
    ]);
    expect(lengths.sort()).toEqual([
      ...[
        ['ann', 500],
        ['ben', 2_000],
      ],
    ]);
    const ann = stored.find(({ externalUserId }) => externalUserId === 'ann');
    expect(+(ann?.startedAt ?? 0) - +start).toBeGreaterThanOrEqual(1_500);
    expect(ann?.durationMs).toBeLessThanOrEqual(520);
  });

  it('is not stored where the reported person was erased meanwhile', async () => {
    await soundsOf(() => 'eve', { externalUserId: null }).follow(ids(1));
    expect(stored).toEqual([]);
  });
});
