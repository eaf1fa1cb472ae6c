/**
 * Looks up names. Node.js can ask the system for few names at once and cannot give up on one: some names whose servers
 * are silent would hold up all others. So name servers are asked directly, side by side and within a time limit, and
 * the system only for what it alone knows.
 */
import type { LookupAddress } from 'node:dns';
import { lookup, Resolver } from 'node:dns/promises';
import { readFile } from 'node:fs/promises';
import { LRUCache } from 'lru-cache';
import { Lock } from '../turns/lock.js';

/** All addresses of a name. */
export type Resolve = (host: string) => Promise<LookupAddress[]>;

const limitMs = 10_000;
const firstTryMs = 2_000;
const rememberedMs = 10_000;
const rememberedMax = 1_000;

/** RFC 6761: these are this host, whatever a name server answers. */
const ownName = /(^|\.)localhost\.?$/i;
const hostsFile = process.platform === 'win32' ? 'C:\\Windows\\System32\\drivers\\etc\\hosts' : '/etc/hosts';
/** After these the system would wait for the same servers again. */
const silences = new Set(['ETIMEOUT', 'ESERVFAIL', 'ECANCELLED']);

/** `servers`: the name servers to ask; null: those of the system. */
export function nameLookup(servers: readonly string[] | null = null): Resolve {
  const others = oneByOne(askSystem);
  return remembered(async (host) => {
    if (ownName.test(host)) return [{ address: '127.0.0.1', family: 4 }];
    if (await isInHostsFile(host)) return askSystem(host);
    if (!host.includes('.')) return others(host);
    try {
      return await askNameServers(host, servers);
    } catch (error) {
      if (isSilence(error)) throw error;
      return others(host); // of a search domain or of the local network
    }
  });
}

const askSystem: Resolve = (host) => lookup(host, { all: true });

async function isInHostsFile(host: string): Promise<boolean> {
  const text = await readFile(hostsFile, 'utf8').catch(() => '');
  const namesOf = (line: string) => line.toLowerCase().replace(/#.*/, '').trim().split(/\s+/).slice(1);
  return text.split('\n').some((line) => namesOf(line).includes(host));
}

/** Addresses of both kinds; one kind is enough. Throws the failure of a silent server rather than another. */
async function askNameServers(host: string, servers: readonly string[] | null): Promise<LookupAddress[]> {
  const resolver = new Resolver({ timeout: firstTryMs, tries: 2 });
  if (servers !== null) resolver.setServers(servers);
  const limit = setTimeout(() => resolver.cancel(), limitMs);
  const ofFamily = (family: number) => (addresses: string[]) => addresses.map((address) => ({ address, family }));
  const answers = await Promise.allSettled([
    resolver.resolve4(host).then(ofFamily(4)),
    resolver.resolve6(host).then(ofFamily(6)),
  ]);
  clearTimeout(limit);
  const found = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
  if (found.length > 0) return found;
  const failures = answers.flatMap((answer): unknown[] => (answer.status === 'rejected' ? [answer.reason] : []));
  throw failures.find(isSilence) ?? failures[0];
}

const isSilence = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && silences.has(String(error.code));

/** Asks the system for one name after the other; a look-up that has waited too long is refused. */
function oneByOne(resolve: Resolve): Resolve {
  const system = new Lock('name_lookups');
  return (host) => {
    const waiting = AbortSignal.timeout(limitMs);
    return system.run(async () => {
      if (waiting.aborted) throw new Error(`The name ${host} could not be looked up in time.`);
      return resolve(host);
    });
  };
}

/** Asks once for callers that want the same name at the same time, and keeps answers and failures for some seconds. */
function remembered(resolve: Resolve): Resolve {
  const lookups = new LRUCache<string, Promise<LookupAddress[]>>({ max: rememberedMax, ttl: rememberedMs });
  return (host) => {
    const known = lookups.get(host);
    if (known !== undefined) return known;
    const asked = resolve(host);
    lookups.set(host, asked, { ttl: 0 }); // until it is answered
    const keep = () => void lookups.set(host, asked);
    asked.then(keep, keep);
    return asked;
  };
}
