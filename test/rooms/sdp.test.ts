/** Offers that no browser makes. What browsers offer: whip.test.ts. */
import { describe, expect, it } from 'vitest';
import { readListenerOffer, readSpeakerOffer } from '../../daemon/modules/rooms/embedded/sdp.js';

const head = 'v=0\r\no=- 1 2 IN IP4 127.0.0.1\r\ns=-\r\nt=0 0';
const keys = 'a=ice-ufrag:abcd\r\na=ice-pwd:0123456789abcdef01234567\r\na=fingerprint:sha-256 00:11';
const audio = (mid: string, media = 'm=audio 9 UDP/TLS/RTP/SAVPF 111') =>
  [media, `a=mid:${mid}`, 'a=rtpmap:111 opus/48000/2', 'a=sendonly'].join('\r\n');
const offer = (...sections: string[]) => `${[head, keys, ...sections].join('\r\n')}\r\n`;

describe('an offer', () => {
  it('of one line is taken', () => {
    expect(readSpeakerOffer(offer(audio('0')))?.line).toMatchObject({ mid: '0', opusPayloadType: 111 });
  });

  it.each([
    // The line would be judged by its second mid, and the video line go to the native parser in its place.
    ['with two mids on a line', offer(audio('x/y\r\na=mid:0'), 'm=video 9 UDP/TLS/RTP/SAVPF 96\r\na=mid:0')],
    ['with a control character', offer(audio('0', 'm=audio 9 UDP/TLS/RTP/SAVPF\b 111'))],
    ['with NUL', offer(audio('0'), 'a=x\0')],
    ['with a lone carriage return', offer(audio('0'), 'a=x\rm=video 9 RTP 96')],
  ])('%s is refused', (_, sdp) => {
    expect(readSpeakerOffer(sdp)).toBeNull();
    expect(readListenerOffer(sdp.replace('a=sendonly', 'a=recvonly'))).toBeNull();
  });
});
