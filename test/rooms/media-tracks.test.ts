import type { Track } from 'node-datachannel';
import { describe, expect, it } from 'vitest';
import { sendPacket } from '../../src/media/media-tracks.js';

/** A track that another thread of the library closes after it was asked whether it is open. */
const closing: Pick<Track, 'isOpen' | 'sendMessageBinary'> = {
  isOpen: () => true,
  sendMessageBinary: () => {
    throw new Error('libdatachannel error while sending track message: Track is not open');
  },
};

describe('a packet', () => {
  it('counts as not sent when its track closes at the same moment, and keeps no other from being sent', () => {
    expect(sendPacket(closing, Buffer.alloc(1))).toBe(false);
    expect(sendPacket(undefined, Buffer.alloc(1))).toBe(false);
  });
});
