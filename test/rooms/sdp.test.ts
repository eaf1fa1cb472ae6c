/** Offers that no browser makes. What browsers offer: whip.test.ts. */
import { describe, expect, it } from 'vitest';
import { finishAnswer, readListenerOffer, readSpeakerOffer } from '../../daemon/modules/rooms/embedded/sdp.js';

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

describe('an answer', () => {
  const candidate = 'a=candidate:1 1 UDP 2114977791 192.0.2.2 40000 typ host';
  const section = (mid: string, ...more: string[]) => ['m=audio 40000 UDP/TLS/RTP/SAVPF 96', `a=mid:${mid}`, ...more];
  const keys = ['a=ice-ufrag:abcd'];
  const rejected = ['m=audio 0 UDP/TLS/RTP/SAVPF 96', 'a=mid:2', 'a=inactive'];

  it('has the candidates in each line of its bundle, and in no other', () => {
    const own = ['a=group:BUNDLE 0 1', ...section('0', ...keys, candidate, 'a=end-of-candidates')];
    const sdp = [...own, ...section('1', ...keys), ...rejected].join('\r\n');
    const addresses = { port: 40_000, announcedAddress: '203.0.113.9', announcesLoopback: true };
    const candidates = [
      'a=candidate:announced 1 UDP 2130706431 203.0.113.9 40000 typ host',
      candidate,
      expect.stringContaining('127.0.0.1 40000'),
      'a=end-of-candidates',
    ];
    expect(finishAnswer(sdp, addresses).trim().split('\r\n')).toEqual([
      'a=group:BUNDLE 0 1',
      ...section('0', ...keys, ...candidates),
      ...section('1', ...keys, ...candidates),
      ...rejected,
    ]);
  });
});
