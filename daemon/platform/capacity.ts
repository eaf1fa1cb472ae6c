/**
 * How many connections of each kind this process accepts, computed from its limit of open files, so that together they
 * never exhaust it: without a free descriptor the daemon could answer nobody, not even a health check.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import type { PlaceLimits } from './http/connection-places.js';

interface Capacity {
  /** All connections of the HTTP listener except those that MQTT has taken over. */
  readonly http: PlaceLimits;
  /** Event streams, which are HTTP connections too; the rest of the connections is kept for requests. */
  readonly streams: PlaceLimits;
  readonly mqtt: PlaceLimits;
  /** MQTT clients without a credential. */
  readonly anonymousMqtt: PlaceLimits;
}

/** Reserved for the database, outbound calls, files and child processes: a quarter, within these bounds. */
export const ownFilesMin = 256;
const ownFilesMax = 1_024;
/** Shares of the rest. HTTP gets what MQTT does not. */
const mqttShare = 0.5;
const streamsShare = 0.3;
const anonymousMqttShare = 0.2;
/** Share of one network of each kind, unless the settings say otherwise. */
const networkShare = 1 / 3;
/** Share of one tenant of each kind, unless the settings say otherwise: what is left is kept for the others. */
const tenantShare = 0.8;
/** Upper limit, however many files may be open. */
const most = { http: 25_000, streams: 10_000, mqtt: 20_000, anonymousMqtt: 10_000 };
/** Assumed number of files where the system does not state its limit. */
const openFilesAssumed = 1_024;

/** The limit of open files of this process, Infinity when there is none. */
export function openFilesMax(): number {
  for (const look of [fromProc, fromShell]) {
    try {
      const text = look();
      const count = text === 'unlimited' ? Number.POSITIVE_INFINITY : Number.parseInt(text, 10);
      if (count > 0) return count;
    } catch {
      // not this system; try the next way
    }
  }
  return openFilesAssumed;
}

const fromProc = (): string => /^Max open files\s+(\S+)/m.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1] ?? '';
/** A child process has the limit of its parent. */
const fromShell = (): string => execFileSync('sh', ['-c', 'ulimit -n'], { encoding: 'utf8' }).trim();

interface OwnShares {
  readonly perNetworkMax?: number | undefined;
  readonly perTenantMax?: number | undefined;
  readonly perPersonMax?: number | undefined;
}

/** A network and a tenant have a share of the places where nothing else is set. The shares are read anew for each connection. */
export function capacityOf(openFiles: number, shares: OwnShares): Capacity {
  const own = Math.min(openFiles / 2, Math.max(ownFilesMin, Math.min(ownFilesMax, openFiles / 4)));
  const places = (share: number, atMost: number): PlaceLimits => {
    const max = Math.min(atMost, Math.floor((openFiles - own) * share));
    return {
      max,
      get perNetworkMax() {
        return shares.perNetworkMax ?? Math.ceil(max * networkShare);
      },
      get perTenantMax() {
        return shares.perTenantMax ?? Math.ceil(max * tenantShare);
      },
      get perPersonMax() {
        return shares.perPersonMax ?? 0;
      },
    };
  };
  return {
    http: places(1 - mqttShare, most.http),
    streams: places(streamsShare, most.streams),
    mqtt: places(mqttShare, most.mqtt),
    anonymousMqtt: places(anonymousMqttShare, most.anonymousMqtt),
  };
}
