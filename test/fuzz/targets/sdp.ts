import {
  finishAnswer,
  readListenerOffer,
  readSpeakerOffer,
  withoutCandidates,
} from '../../../daemon/modules/rooms/embedded/sdp.js';
import { roomLimits } from '../../../daemon/modules/rooms/media/engine.js';
import { type FuzzTarget, hold } from '../engine/target.js';

const sections = (sdp: string): string[][] => {
  const found: string[][] = [];
  for (const line of sdp.split(/\r?\n/).filter((one) => one !== ''))
    if (line.startsWith('m=')) found.push([line]);
    else found.at(-1)?.push(line);
  return found;
};

const addresses = { port: 40_500, announcedAddress: '192.0.2.1', announcesLoopback: true };

function parse(input: Buffer) {
  const sdp = input.toString('utf8');
  const offers = [readSpeakerOffer(sdp)?.offer ?? null, readListenerOffer(sdp)];
  const answers = offers.map((offer) => offer?.complete(finishAnswer(withoutCandidates(offer.sdp), addresses)));
  return { sdp, offers, answers };
}

/** Offers of speakers and listeners, and the answers to them. */
export const sdp: FuzzTarget = {
  name: 'sdp',
  maxBytes: roomLimits.sdpBytes,
  parse,
  check(input) {
    const { sdp, offers, answers } = parse(input);
    for (const [index, offer] of offers.entries()) {
      if (offer === null) continue;
      const { lines } = offer;
      hold(lines.length <= roomLimits.slotsPerListener, 'An offer has a limit of lines.', lines);
      hold(new Set(lines.map(({ mid }) => mid)).size === lines.length, 'Every line has a mid of its own.', lines);
      const native = sections(offer.sdp);
      hold(
        native.length === lines.length && native.every(([media]) => media?.startsWith('m=audio ')),
        'The native parser sees audio lines alone, those that are accepted.',
        offer.sdp,
      );
      hold(!/[^\x20-\x7e\r\n]/.test(native.map(([media]) => media).join('')), 'Their media lines are plain.', native);
      const answered = sections(answers[index] ?? '').map(([media]) => media?.split(' ')[0]);
      hold(
        JSON.stringify(answered) === JSON.stringify(sections(sdp).map(([media]) => (media ?? '').split(' ')[0])),
        'The answer has the lines of the offer, in their order (RFC 3264, section 6).',
        answers[index],
      );
    }
  },
  seeds: [
    offer(['audio sendonly 0', 'video sendrecv 1'].map(section)),
    offer(Array.from({ length: 3 }, (_, index) => section(`audio recvonly ${index}`))),
    offer([
      section('audio sendrecv a').replace('a=sendrecv', 'a=bundle-only\r\na=sendrecv'),
      section('application x d'),
    ]),
  ],
  words: [
    ...[
      'm=audio 9 UDP/TLS/RTP/SAVPF 111',
      'm=audio 0 ',
      'm=video 9 ',
      'm=application 9 UDP/DTLS/SCTP webrtc-datachannel',
    ],
    ...['a=mid:', 'a=rtpmap:111 opus/48000/2', 'a=rtpmap:0 PCMU/8000', 'a=extmap:1 ', 'a=bundle-only', 'a=sendonly'],
    ...[
      'a=recvonly',
      'a=inactive',
      'a=group:BUNDLE',
      'a=group:LS',
      'a=ice-ufrag:',
      'a=ice-pwd:',
      'a=fingerprint:',
      'v=0',
    ],
    ...[
      'a=candidate:1 1 UDP 2130706431 10.0.0.1 5000 typ host',
      'a=end-of-candidates',
      '\r\n',
      '\n',
      'c=IN IP4 0.0.0.0',
    ],
    ...['urn:ietf:params:rtp-hdrext:ssrc-audio-level', '/sendonly', 'opus/48000/2', ' 111'],
  ],
};

function section(text: string): string {
  const [kind, direction, mid] = text.split(' ');
  return [
    `m=${kind} 9 UDP/TLS/RTP/SAVPF 111 0`,
    'c=IN IP4 0.0.0.0',
    `a=mid:${mid}`,
    'a=rtpmap:111 opus/48000/2',
    'a=extmap:1 urn:ietf:params:rtp-hdrext:ssrc-audio-level',
    `a=${direction}`,
    'a=candidate:1 1 UDP 2130706431 192.168.0.5 50000 typ host',
  ].join('\r\n');
}

function offer(parts: readonly string[]): string {
  const session = ['v=0', 'o=- 1 2 IN IP4 127.0.0.1', 's=-', 't=0 0', 'a=group:BUNDLE 0 1', 'a=ice-ufrag:abcd'];
  const keys = ['a=ice-pwd:0123456789abcdef01234567', 'a=fingerprint:sha-256 00:11', 'a=setup:actpass'];
  return `${[...session, ...keys, ...parts].join('\r\n')}\r\n`;
}
