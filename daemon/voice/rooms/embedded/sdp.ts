/**
 * Reads what an offer wants and trims SDP in both directions. Pure. The native parser sees only offers that passed
 * here: audio lines with Opus, plain mids, no candidates (the browser's own checks arrive and become
 * peer-reflexive; `*.local` names would only delay them).
 */
import { roomLimits } from '../engine.js';

export interface OfferedLine {
  readonly mid: string;
  readonly direction: 'sendrecv' | 'sendonly' | 'recvonly' | 'inactive';
  readonly opusPayloadType: number;
  /** Id of the audio level header extension (RFC 6464), when offered. */
  readonly audioLevelId: number | null;
}

const audioLevelUri = 'urn:ietf:params:rtp-hdrext:ssrc-audio-level';
const required = ['a=ice-ufrag:', 'a=ice-pwd:', 'a=fingerprint:'] as const;
const directions = ['sendrecv', 'sendonly', 'recvonly', 'inactive'] as const;

/** The offer's audio lines, or null when it holds anything else or is no usable SDP. */
export function readOffer(sdp: string): OfferedLine[] | null {
  if (Buffer.byteLength(sdp) > roomLimits.sdpBytes || !sdp.startsWith('v=0')) return null;
  if (!required.every((start) => sdp.includes(`\n${start}`))) return null;
  const lines = splitSections(sdp).map(readLine);
  const usable = lines.filter((line) => line !== null);
  const mids = new Set(usable.map((line) => line.mid));
  return usable.length > 0 && usable.length === lines.length && mids.size === lines.length ? usable : null;
}

/** A speaker's offer: exactly one line that sends. */
export function readSpeakerOffer(sdp: string): OfferedLine | null {
  const lines = readOffer(sdp);
  const line = lines?.[0];
  return lines?.length === 1 && (line?.direction === 'sendonly' || line?.direction === 'sendrecv') ? line : null;
}

/** A listener's offer: one to eight lines that receive. */
export function readListenerOffer(sdp: string): OfferedLine[] | null {
  const lines = readOffer(sdp);
  if (lines === null || lines.length > roomLimits.slotsPerListener) return null;
  return lines.every(({ direction }) => direction === 'recvonly' || direction === 'sendrecv') ? lines : null;
}

export const withoutCandidates = (sdp: string): string =>
  joinLines(toLines(sdp).filter((line) => !/^a=(candidate:|end-of-candidates)/.test(line)));

/**
 * The answer as it leaves: without the lip-sync group over all slots, and with the announced address in front of
 * each own candidate (behind NAT or in a container the host's addresses mean nothing outside).
 */
export function finishAnswer(sdp: string, announcedAddress: string | null): string {
  const lines = toLines(sdp).filter((line) => !line.startsWith('a=group:LS'));
  if (announcedAddress === null) return joinLines(lines);
  const announced = new Set<string>();
  return joinLines(
    lines.flatMap((line) => {
      if (line.startsWith('m=')) announced.clear();
      const candidate = announceCandidate(line, announcedAddress);
      if (candidate === null || announced.has(candidate)) return [line];
      announced.add(candidate);
      return [candidate, line];
    }),
  );
}

/** `candidate:<foundation> <component> UDP <priority> <address> <port> typ host` with the address replaced. */
function announceCandidate(line: string, address: string): string | null {
  const match = /^a=candidate:\S+ 1 (?:UDP|udp) \d+ \S+ (\d+) typ host/.exec(line);
  return match ? `a=candidate:announced 1 UDP 2130706431 ${address} ${match[1]} typ host` : null;
}

/** The media sections, each from its `m=` line on. */
function splitSections(sdp: string): string[][] {
  const sections: string[][] = [];
  for (const line of toLines(sdp)) {
    if (line.startsWith('m=')) sections.push([]);
    sections.at(-1)?.push(line);
  }
  return sections;
}

function readLine(lines: string[]): OfferedLine | null {
  const media = /^m=audio (\d+) (?:UDP|RTP)\S* ([\d ]+)$/.exec(lines[0] ?? '');
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

/** Line of an answer that takes up the audio level extension. */
export const audioLevelLine = (id: number): string => `a=extmap:${id} ${audioLevelUri}`;

const toLines = (sdp: string): string[] => sdp.split(/\r?\n/).filter((line) => line !== '');
const joinLines = (lines: string[]): string => `${lines.join('\r\n')}\r\n`;
