/** The bot opens what is said with the key that the room has at that time. */
import { expect, it } from 'vitest';
import { FrameOpener } from '../../../daemon/modules/sessions/bot/frame-opener.js';
import { sealFrame } from '../../support/sealed-frames.js';

interface RoomKey {
  readonly key: string;
  readonly keyIndex: number;
}
const [first, second] = [
  { key: 'open sesame', keyIndex: 0 },
  { key: 'open barley', keyIndex: 1 },
];
const said = Uint8Array.from([8, 1, 2, 3]);

/** After each key of the room in turn: which of the two keys' frames the bot opens. */
async function opened(keys: readonly (RoomKey | null)[]): Promise<boolean[][]> {
  let roomKey: RoomKey | null = null;
  const opener = new FrameOpener(async () => roomKey);
  const frames = await Promise.all([first, second].map(({ key, keyIndex }) => sealFrame(said, key, keyIndex)));
  const results: boolean[][] = [];
  for (const key of keys) {
    roomKey = key;
    await opener.refresh();
    results.push(frames.map((frame) => Buffer.compare(opener.cipher?.open(frame) ?? Uint8Array.of(), said) === 0));
  }
  return results;
}

it.each<[string, (RoomKey | null)[], boolean[][]]>([
  ['opens none in a room without a key', [null], [[false, false]]],
  ['opens those of the key', [first], [[true, false]]],
  ['keeps a key that stays', [first, { ...first }], Array(2).fill([true, false])],
  [
    'takes the new key when it changes',
    [first, second],
    [
      [true, false],
      [false, true],
    ],
  ],
  [
    'takes the same password under another index',
    [{ ...first, keyIndex: 1 }, first],
    [
      [false, false],
      [true, false],
    ],
  ],
  [
    'opens none once the room is not encrypted any more',
    [first, null],
    [
      [true, false],
      [false, false],
    ],
  ],
])('%s', async (_, keys, results) => {
  expect(await opened(keys)).toEqual(results);
});
