import { describe, expect, it } from 'vitest';
import { Remembered } from '../../../daemon/platform/database/remembered.js';

const counting = (answers: Record<string, string>) => {
  const asked: string[] = [];
  const remembered = new Remembered(async (key: string) => {
    asked.push(key);
    const answer = answers[key];
    if (answer === 'fails') throw new Error(key);
    return answer ?? null;
  });
  return { asked, remembered };
};

describe('Remembered', () => {
  it('asks once for many at the same moment and for those that follow', async () => {
    const { asked, remembered } = counting({ a: 'A' });
    expect(await Promise.all([remembered.get('a'), remembered.get('a')])).toEqual(['A', 'A']);
    expect(await remembered.get('a')).toBe('A');
    expect(asked).toEqual(['a']);
  });

  it('keeps neither absence nor failure', async () => {
    const { asked, remembered } = counting({ b: 'fails' });
    for (let times = 0; times < 2; times += 1) {
      expect(await remembered.get('a')).toBeNull();
      await expect(remembered.get('b')).rejects.toThrow('b');
    }
    expect(asked).toEqual(['a', 'b', 'a', 'b']);
  });

  it('never gives an answer that was asked for before the change', async () => {
    let stored = 'old';
    let answer: () => void = () => {};
    const remembered = new Remembered(async () => {
      const seen = stored;
      if (seen === 'old') await new Promise<void>((resolve) => (answer = resolve));
      return seen;
    });
    const early = remembered.get('a');
    stored = 'new';
    remembered.forget();
    answer();
    expect(await early).toBe('old');
    expect(await remembered.get('a')).toBe('new');
  });

  it('asks again when told to, and keeps that answer; equal questions are one', async () => {
    let asked = 0;
    const remembered = new Remembered(async ({ id }: { id: string }) => `${id} ${++asked}`, { keyOf: ({ id }) => id });
    expect(await remembered.get({ id: 'a' })).toBe('a 1');
    expect(await remembered.renew({ id: 'a' })).toBe('a 2');
    expect(await remembered.get({ id: 'a' })).toBe('a 2');
  });
});
