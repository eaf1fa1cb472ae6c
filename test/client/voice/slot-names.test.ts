import { describe, expect, it } from 'vitest';
import { SlotNames } from '../../../src/client/voice/slot-names.js';

const heard: string[] = [];
const slot = (): SlotNames<number> => {
  heard.length = 0;
  return new SlotNames((speaker, packet) => heard.push(`${speaker} ${packet}`));
};

describe('SlotNames', () => {
  it('knows who speaks when the name comes first', () => {
    const names = slot();
    names.announce('ann', 0);
    names.packet(1, true, 10);
    names.packet(2, false, 30);
    expect(heard).toEqual(['ann 1', 'ann 2']);
  });

  it('keeps what comes before its name, and then says it', () => {
    const names = slot();
    names.packet(1, true, 0);
    names.packet(2, false, 20);
    expect(heard).toEqual([]);
    names.announce('ann', 25);
    names.packet(3, false, 40);
    expect(heard).toEqual(['ann 1', 'ann 2', 'ann 3']);
  });

  it('gives a late packet to the old speaker and the next marker to the new one', () => {
    const names = slot();
    names.announce('ann', 0);
    names.packet(1, true, 0);
    names.announce(null, 100);
    names.announce('ben', 101);
    names.packet(2, false, 102);
    names.packet(3, true, 103);
    expect(heard).toEqual(['ann 1', 'ann 2', 'ben 3']);
  });

  it('takes the new name without its marker when that was lost', () => {
    const names = slot();
    names.announce('ann', 0);
    names.packet(1, true, 0);
    names.announce('ben', 1_000);
    names.packet(2, false, 1_100);
    names.packet(3, false, 1_600);
    expect(heard).toEqual(['ann 1', 'ann 2', 'ben 3']);
  });

  it('counts what nobody was ever named for, and holds a second of it at most', () => {
    const names = slot();
    for (let packet = 0; packet < 60; packet += 1) names.packet(packet, packet === 0, packet * 20);
    expect(names.unnamed).toBe(10);
    names.forget();
    expect(names.unnamed).toBe(60);
    expect(heard).toEqual([]);
  });
});
