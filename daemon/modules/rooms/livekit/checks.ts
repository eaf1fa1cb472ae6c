/** What `earshotd doctor` says of LiveKit: whether its servers answer, take the key, agree on the time, and are closed to clients. */
import { lookup } from 'node:dns/promises';
import ipaddr from 'ipaddr.js';
import { isLoopback } from '../../../platform/config/loopback.js';
import { systemClock } from '../../../platform/time/clock.js';
import { type LiveKitAccess, LiveKitServer } from './server.js';

interface LiveKitCheck {
  readonly check: string;
  /** Throws what is wrong. */
  look(): Promise<string>;
  /** What is wrong keeps nobody out. */
  readonly isWarning: boolean;
}

const waitMs = 3_000;
/** Half of what a hidden token lives. */
const apartMaxMs = 10_000;

/** Text that the server answers with at its root. */
const answerOf = async (url: string): Promise<Response> => fetch(url, { signal: AbortSignal.timeout(waitMs) });

export function liveKitChecks(access: LiveKitAccess, publicUrl: string | undefined): readonly LiveKitCheck[] {
  return [
    { check: 'LiveKit', look: () => server(access.url), isWarning: false },
    { check: 'its key', look: () => key(access), isWarning: false },
    { check: 'its clock', look: () => clock(access.url), isWarning: false },
    { check: 'its port', look: () => port(access.url, publicUrl), isWarning: true },
    { check: 'bots', look: client, isWarning: true },
  ];
}

async function server(url: string): Promise<string> {
  try {
    const { ok, status } = await answerOf(url);
    if (!ok) throw new Error(`it answered ${status}`);
    return `answers at ${url}`;
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new Error(`No server of LiveKit answers at ${url}: ${reason}. Start it, or correct EARSHOT_LIVEKIT_URL.`);
  }
}

async function key(access: LiveKitAccess): Promise<string> {
  try {
    await new LiveKitServer(access).openRooms();
    return 'is right';
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new Error(
      `LiveKit refuses the key: ${reason}. Set EARSHOT_LIVEKIT_API_KEY and EARSHOT_LIVEKIT_API_SECRET to one of \`keys\` in its configuration.`,
    );
  }
}

async function clock(url: string): Promise<string> {
  const { headers } = await answerOf(url);
  const apartMs = Math.abs(Date.parse(headers.get('date') ?? '') - systemClock().getTime());
  if (!(apartMs <= apartMaxMs))
    throw new Error(
      `The clocks of LiveKit and of this machine are ${Math.round(apartMs / 1_000)} s apart, so nobody gets into rooms. Let a time server correct both.`,
    );
  return 'agrees with the one of this machine';
}

/** Whoever reaches the port of the signalling goes around the door only with a token; it is not to be tried. */
async function port(url: string, publicUrl: string | undefined): Promise<string> {
  const { hostname, port: number, protocol } = new URL(url);
  const host = hostname.replace(/^\[|\]$/g, '');
  const addresses = await lookup(host, { all: true });
  const open = addresses.find(({ address }) => ipaddr.process(address).range() === 'unicast');
  const advice = 'Let only daemons reach it; the media ports of LiveKit alone are for everybody.';
  if (open !== undefined) throw new Error(`${url} has the public address ${open.address}. ${advice}`);
  const outside = publicUrl === undefined ? null : new URL(publicUrl).hostname;
  if (outside === null || isLoopback(outside) || outside === hostname) return 'has no public address';
  const there = `${protocol}//${outside}:${number || (protocol === 'https:' ? 443 : 80)}`;
  const answers = await answerOf(there).then(
    async (response) => (await response.text()).trim() === 'OK',
    () => false,
  );
  if (answers) throw new Error(`LiveKit answers at ${there}, too, where clients reach it. ${advice}`);
  return 'is closed where clients are';
}

async function client(): Promise<string> {
  try {
    await import('@livekit/rtc-node');
    return "can listen: LiveKit's client is installed";
  } catch {
    throw new Error(
      "Bots need LiveKit's client for Node.js, so sessions transcribe nothing. Run `npm install --global @livekit/rtc-node@1.1.0` where Earshot is installed.",
    );
  }
}
