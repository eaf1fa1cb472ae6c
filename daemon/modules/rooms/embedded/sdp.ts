/**
 * Reads what an offer asks for and trims SDP in both directions. Pure. The native parser sees only the accepted lines:
 * audio lines with Opus, plain mids, no candidates (the browser's own checks arrive and become peer-reflexive;
 * `*.local` names would only delay them). Every other line, such as video or a data channel, is answered with port 0
 * (RFC 3264).
 */
import { roomLimits } from '../media/engine.js';

export interface OfferedLine {
  readonly mid: string;
  readonly direction: 'sendrecv' | 'sendonly' | 'recvonly' | 'inactive';
  readonly opusPayloadType: number;
  /** Id of the audio level header extension (RFC 6464), when offered. */
  readonly audioLevelId: number | null;
}

/** An offer of which some lines are accepted. */
export interface TakenOffer {
  readonly lines: readonly OfferedLine[];
  /** Only the accepted lines, for the native parser. */
  readonly sdp: string;
  /** The complete answer from the answer to the accepted lines: the others have port 0, in the order of the offer. */
  readonly complete: (answerSdp: string) => string;
}

/** Addresses that an answer names besides those that the library finds. */
export interface AnnouncedAddresses {
  /** The single UDP port of all peers. */
  readonly port: number;
  /** Announced in front of the host's own addresses; null: none. */
  readonly announcedAddress: string | null;
  /** Announces 127.0.0.1 as well, which the library does not list: the only address of a machine without a network. */
  readonly announcesLoopback: boolean;
}

const audioLevelUri = 'urn:ietf:params:rtp-hdrext:ssrc-audio-level';
const required = ['a=ice-ufrag:', 'a=ice-pwd:', 'a=fingerprint:'] as const;
/** Control characters have no place in a line (RFC 8866, section 9), and the native parser need not see any. */
const control = /[^\P{Cc}\r\n]|\r(?!\n)/u;
const directions = ['sendrecv', 'sendonly', 'recvonly', 'inactive'] as const;
const sends = ({ direction }: OfferedLine): boolean => direction === 'sendonly' || direction === 'sendrecv';
const receives = ({ direction }: OfferedLine): boolean => direction === 'recvonly' || direction === 'sendrecv';

/** A speaker's offer: exactly one line that sends audio. Null when it is no usable SDP. */
export function readSpeakerOffer(sdp: string): { offer: TakenOffer; line: OfferedLine } | null {
  const offer = readOffer(sdp, sends);
  const line = offer?.lines[0];
  return offer !== null && line !== undefined && offer.lines.length === 1 ? { offer, line } : null;
}

/** A listener's offer: the first eight lines that receive audio, further ones are not taken. Null when it is no usable SDP. */
export const readListenerOffer = (sdp: string): TakenOffer | null =>
  readOffer(sdp, receives, roomLimits.slotsPerListener);

function readOffer(sdp: string, takes: (line: OfferedLine) => boolean, linesMax?: number): TakenOffer | null {
  if (Buffer.byteLength(sdp) > roomLimits.sdpBytes || !sdp.startsWith('v=0') || control.test(sdp)) return null;
  if (!required.every((start) => sdp.includes(`\n${start}`))) return null;
  const { session, sections } = split(sdp);
  // Else a line could be judged by one mid, and another line be taken in its place (RFC 5888, section 4: one mid each).
  if (sections.some((section) => section.filter((line) => line.startsWith('a=mid:')).length > 1)) return null;
  const mids = sections.map(midOf).filter((mid) => mid !== null);
  if (new Set(mids).size < mids.length) return null;
  const read = sections.map(readLine);
  const lines = read
    .filter((line) => line !== null)
    .filter(takes)
    .slice(0, linesMax);
  if (lines.length === 0) return null;
  const taken = new Set(lines.map(({ mid }) => mid));
  const isTaken = (section: string[]) => taken.has(midOf(section) ?? '');
  // Bundle-only lines have no transport but that of the first line, which must be taken with them (RFC 8843, section 7).
  const leans = sections.some((section) => isTaken(section) && section.includes('a=bundle-only'));
  if (leans && !isTaken(sections[0] ?? [])) return null;
  return {
    lines,
    sdp: joinLines([
      ...session.filter((line) => !line.startsWith('a=group:')),
      `a=group:BUNDLE ${[...taken].join(' ')}`,
      ...sections.filter(isTaken).flat(),
    ]),
    complete: (answerSdp) => {
      const answer = split(answerSdp);
      const answers = new Map(answer.sections.map((section) => [midOf(section), section]));
      const all = sections.map(
        (section) => (isTaken(section) ? answers.get(midOf(section)) : null) ?? rejected(section),
      );
      return joinLines([...answer.session, ...all.flat()]);
    },
  };
}

const midOf = (section: string[]): string | null => find(section, /^a=mid:(\S+)$/);

/** The line as it is refused: same kind, protocol and formats, no port. */
function rejected(section: string[]): string[] {
  const mid = midOf(section);
  const media = (section[0] ?? '').replace(/^(m=\S+) \d+(?:\/\d+)?/, '$1 0');
  return [media, 'c=IN IP4 0.0.0.0', ...(mid === null ? [] : [`a=mid:${mid}`]), 'a=inactive'];
}

export const withoutCandidates = (sdp: string): string => joinLines(toLines(sdp).filter((line) => !isCandidate(line)));

/**
 * The answer as it is sent: without the lip-sync group over all slots, with lines that only send (a listener's lines are
 * kept as `sendrecv` on this side, so that what the listener sends is counted), with the announced address in front of each
 * own candidate (behind NAT or in a container the host's addresses mean nothing outside), and with loopback behind them. Each
 * bundled line has the candidates of the first: aiortc reads those of the last line only.
 */
export function finishAnswer(sdp: string, { port, announcedAddress, announcesLoopback }: AnnouncedAddresses): string {
  const loopback = `a=candidate:loopback 1 UDP ${lowestHostPriority} 127.0.0.1 ${port} typ host`;
  const lines = toLines(sdp)
    .filter((line) => !line.startsWith('a=group:LS'))
    .map((line) => (line === 'a=sendrecv' ? 'a=sendonly' : line))
    .flatMap((line) => (announcesLoopback && line === 'a=end-of-candidates' ? [loopback, line] : [line]));
  if (announcedAddress === null) return joinLines(repeatCandidates(lines));
  const announced = new Set<string>();
  const withAnnounced = lines.flatMap((line) => {
    if (line.startsWith('m=')) announced.clear();
    const candidate = announceCandidate(line, announcedAddress);
    if (candidate === null || announced.has(candidate)) return [line];
    announced.add(candidate);
    return [candidate, line];
  });
  return joinLines(repeatCandidates(withAnnounced));
}

const isCandidate = (line: string): boolean => /^a=(candidate:|end-of-candidates)/.test(line);

/** Puts the candidates of the first section at the end of every section with transport and without candidates of its own. */
function repeatCandidates(lines: readonly string[]): string[] {
  const { session, sections } = split(joinLines(lines));
  const candidates = sections.find((section) => section.some(isCandidate))?.filter(isCandidate) ?? [];
  const repeated = sections.map((section) => {
    const isBundled = section.some((line) => line.startsWith('a=ice-ufrag:')) && !section.some(isCandidate);
    return isBundled ? [...section, ...candidates] : section;
  });
  return [session, ...repeated].flat();
}

/** Below the host's other addresses: loopback is for those who pair nothing else (RFC 8445, section 5.1.2.1). */
const lowestHostPriority = (126 << 24) + 255;

/** `candidate:<foundation> <component> UDP <priority> <address> <port> typ host` with the address replaced. */
function announceCandidate(line: string, address: string): string | null {
  const match = /^a=candidate:\S+ 1 (?:UDP|udp) \d+ \S+ (\d+) typ host/.exec(line);
  return match ? `a=candidate:announced 1 UDP 2130706431 ${address} ${match[1]} typ host` : null;
}

/** The part before the first `m=` line, and the media sections. */
function split(sdp: string): { session: string[]; sections: string[][] } {
  const session: string[] = [];
  const sections: string[][] = [];
  for (const line of toLines(sdp)) {
    if (line.startsWith('m=')) sections.push([]);
    (sections.at(-1) ?? session).push(line);
  }
  return { session, sections };
}

/** null where it is not an audio line with Opus, or one that its sender has disabled (port 0). */
function readLine(lines: string[]): OfferedLine | null {
  if (/^m=audio 0 /.test(lines[0] ?? '') && !lines.includes('a=bundle-only')) return null;
  const media = /^m=audio (\d+) (?:UDP|RTP)[\w/]* ([\d ]+)$/.exec(lines[0] ?? '');
  const mid = find(lines, /^a=mid:([\w-]{1,32})$/);
  const opus = find(lines, /^a=rtpmap:(\d{1,3}) opus\/48000\/2$/i);
  if (media?.[2] === undefined || mid === null || opus === null) return null;
  const opusPayloadType = Number(opus);
  if (opusPayloadType > 127 || !media[2].split(' ').includes(opus)) return null;
  const level = find(lines, new RegExp(`^a=extmap:(\\d{1,2})(?:/\\w+)? ${audioLevelUri}`));
  return {
    mid,
    opusPayloadType,
    direction: directions.find((direction) => lines.includes(`a=${direction}`)) ?? 'sendrecv',
    audioLevelId: level !== null && Number(level) >= 1 && Number(level) <= 14 ? Number(level) : null,
  };
}

function find(lines: string[], pattern: RegExp): string | null {
  for (const line of lines) {
    const value = pattern.exec(line)?.[1];
    if (value !== undefined) return value;
  }
  return null;
}

/** The answer's line that accepts the audio level extension. */
export const audioLevelLine = (id: number): string => `a=extmap:${id} ${audioLevelUri}`;

const toLines = (sdp: string): string[] => sdp.split(/\r?\n/).filter((line) => line !== '');
const joinLines = (lines: readonly string[]): string => `${lines.join('\r\n')}\r\n`;
