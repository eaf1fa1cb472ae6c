import { beforeEach, describe, expect, it } from 'vitest';
import type { Disk, DiskState } from '../../daemon/platform/quota/disk.js';
import { StorageQuota } from '../../daemon/platform/quota/storage-quota.js';

const mebibyte = 1024 * 1024;
const noon = Date.UTC(2026, 0, 31, 12);
const dayMs = 86_400_000;

let nowMs: number;
let state: DiskState;
let rows: { tenantId: string; day: string; bytes: number }[];
let isAway: boolean;
let quota: StorageQuota;
const store = {
  add: async (day: string, bytes: ReadonlyMap<string, number>) => {
    if (isAway) throw new Error('The database is away.');
    for (const [tenantId, count] of bytes) rows.push({ tenantId, day, bytes: count });
  },
  sums: async (first: string) => {
    const sums = new Map<string, number>();
    for (const { tenantId, day, bytes } of rows)
      if (day >= first) sums.set(tenantId, (sums.get(tenantId) ?? 0) + bytes);
    return sums;
  },
  prune: async (first: string) => {
    const before = rows.length;
    rows = rows.filter(({ day }) => day >= first);
    return before - rows.length;
  },
  version: () => null,
};
const disk: Pick<Disk, 'measure' | 'state'> = {
  measure: async () => {},
  get state() {
    return state;
  },
};
const made = (limits: { dayMb: number; totalMb: number }) =>
  new StorageQuota(store, disk, { ...limits, days: 3 }, () => new Date(nowMs));
beforeEach(() => {
  [nowMs, state, rows, isAway] = [noon, 'roomy', [], false];
  quota = made({ dayMb: 10, totalMb: 20 });
});

const identity = { id: 'c', credentialId: 'c', tenantId: 't', projectId: 'p' };
const key = { ...identity, kind: 'apiKey', name: 'game', scopes: [], expiresAt: null } as const;
const times = { issuedAt: new Date(), expiresAt: new Date(), confirmedAt: null };
const user = { ...identity, kind: 'user', name: 'ann@example.com', tenantRole: 'admin', ...times } as const;
const player = { ...identity, kind: 'player', externalUserId: 'u', expiresAt: new Date() } as const;
const anonymous = { kind: 'anonymous', id: 'anonymous', credentialId: '' } as const;
const refusal = (
  caller: Parameters<StorageQuota['requireSpace']>[1],
  method: 'get' | 'post' | 'delete' = 'post',
  path: `/${string}` = '/api/x',
) => {
  try {
    quota.requireSpace({ method, path }, caller);
    return null;
  } catch (error) {
    return error instanceof Error && 'code' in error ? String(error.code) : String(error);
  }
};

describe('what a tenant may store in a day', () => {
  it('is refused to players first, then to keys, then to people', () => {
    quota.count('t', 9 * mebibyte);
    expect([player, key, user].map((caller) => refusal(caller))).toEqual(['quota_exceeded', null, null]);
    quota.count('t', mebibyte);
    expect([key, user].map((caller) => refusal(caller))).toEqual(['quota_exceeded', null]);
    quota.count('t', mebibyte);
    expect(refusal(user)).toBe('quota_exceeded');
    expect(quota.refused).toBe(3);
  });

  it('keeps nobody from reading, deleting and signing in, and no other tenant from anything', () => {
    quota.count('t', 99 * mebibyte);
    expect([refusal(key, 'get'), refusal(key, 'delete'), refusal(anonymous)]).toEqual([null, null, null]);
    expect(refusal(user, 'post', '/api/auth/logout')).toBeNull();
    expect(refusal({ ...key, tenantId: 'another' })).toBeNull();
  });

  it('begins anew at midnight, and says how long that is', async () => {
    quota.count('t', 10 * mebibyte);
    expect(() => quota.requireSpace({ method: 'post', path: '/api/x' }, key)).toThrowError(
      expect.objectContaining({ status: 429, retryAfterSeconds: 43_200 }),
    );
    await quota.refresh();
    nowMs += dayMs / 2;
    await quota.refresh();
    expect(refusal(key)).toBeNull();
    expect(quota.usageOf('t')).toMatchObject({ today: 0, total: 10 * mebibyte });
  });
});

describe('what a tenant may store in all', () => {
  it('counts the days that data is kept', async () => {
    for (let day = 0; day < 2; day += 1) {
      quota.count('t', 10 * mebibyte);
      await quota.refresh();
      nowMs += dayMs;
    }
    await quota.refresh();
    expect(refusal(key)).toBe('quota_exceeded');
    nowMs += dayMs;
    await quota.refresh();
    expect(refusal(key)).toBeNull();
    expect(quota.usageOf('t')).toEqual({
      today: 0,
      total: 10 * mebibyte,
      dayMax: 10 * mebibyte,
      totalMax: 20 * mebibyte,
    });
    expect(await quota.prune(100)).toBe(1);
  });

  it('is counted by all daemons, and kept while the database is away', async () => {
    const other = made({ dayMb: 10, totalMb: 20 });
    isAway = true;
    other.count('t', 10 * mebibyte);
    await expect(other.refresh()).rejects.toThrow('away');
    isAway = false;
    await other.refresh();
    expect(refusal(key)).toBeNull();
    await quota.refresh();
    expect(refusal(key)).toBe('quota_exceeded');
  });

  it('has no limit where none is set', () => {
    quota = made({ dayMb: 0, totalMb: 0 });
    quota.count('t', 1e15);
    expect(refusal(key)).toBeNull();
    expect(quota.usageOf('t')).toMatchObject({ dayMax: null, totalMax: null });
  });
});

describe('a disk', () => {
  beforeEach(() => {
    quota = made({ dayMb: 0, totalMb: 0 });
    quota.count('t', 100);
    quota.count('small', 10);
  });

  it('that is nearly full is refused to those that store the most', () => {
    state = 'low';
    expect(refusal(key)).toBe('quota_exceeded');
    expect(refusal({ ...key, tenantId: 'small' })).toBeNull();
    expect(refusal({ ...key, tenantId: 'new' })).toBeNull();
  });

  it('that is full is refused to everybody, but for reading and deleting', () => {
    state = 'full';
    expect([key, { ...key, tenantId: 'small' }].map((caller) => refusal(caller))).toEqual([
      'database_unavailable',
      'database_unavailable',
    ]);
    expect([refusal(key, 'get'), refusal(key, 'delete')]).toEqual([null, null]);
  });
});
