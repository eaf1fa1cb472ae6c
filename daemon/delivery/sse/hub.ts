/** All event streams of this daemon: opened, fed from the log, checked every second, told when the daemon stops. */
import type { ServerResponse } from 'node:http';
import { DomainError } from '../../../src/contract/errors.js';
import type { LogFollower } from '../../events/follower.js';
import type { EventLog } from '../../events/log.js';
import type { Member } from '../../http/caller.js';
import { heartbeatMs } from '../../http/sse-writer.js';
import type { Logger } from '../../observability/logger.js';
import { filterOf, type Reach } from './filter.js';
import { EventStreamConnection, frame } from './stream.js';

/** What a caller may read now; null when the credential or the role is gone. */
export interface Readership {
  reach(caller: Member, projectId: string | null): Promise<Reach | null>;
}

export interface OpenStream {
  readonly caller: Member;
  /** null: every project of the tenant that the caller may read. */
  readonly projectId: string | null;
  readonly types: string | undefined;
  readonly resources: string | undefined;
  /** Where to begin: earliest, the event seen last, or a time; null: now. */
  readonly place: string | null;
}

interface Connected {
  readonly stream: EventStreamConnection;
  readonly caller: Member;
  readonly projectId: string | null;
}

const checkMs = 500;
const streamsPerCredentialMax = 1_000;
const streamsMax = 10_000;

export class SseHub {
  private readonly connected = new Set<Connected>();
  private unsubscribe: (() => void) | null = null;
  private readonly timers: NodeJS.Timeout[] = [];
  private checking = false;

  constructor(
    private readonly log: EventLog,
    private readonly follower: LogFollower,
    private readonly readership: Readership,
    private readonly logger: Logger,
  ) {}

  start(): void {
    this.unsubscribe = this.follower.onEvents((events) => {
      if (this.connected.size === 0) return;
      const frames = events.map(frame);
      for (const { stream } of this.connected) stream.live(frames);
    });
    this.timers.push(
      setInterval(() => this.heartbeat(), heartbeatMs),
      setInterval(() => void this.check(), checkMs),
    );
  }

  stop(): void {
    this.unsubscribe?.();
    for (const timer of this.timers) clearInterval(timer);
    for (const { stream } of this.connected) stream.close('the daemon is stopping; connect again');
    this.connected.clear();
  }

  /** Answers with the stream and returns once it is being served. Throws rate_limited, overloaded, no_access_to_project. */
  async open({ caller, projectId, types, resources, place }: OpenStream, response: ServerResponse): Promise<void> {
    if (this.connected.size >= streamsMax) throw new DomainError('overloaded', { retryAfterSeconds: 10 });
    const own = [...this.connected].filter((one) => one.caller.credentialId === caller.credentialId).length;
    if (own >= streamsPerCredentialMax) throw new DomainError('rate_limited', { retryAfterSeconds: 10 });
    const reach = await this.readership.reach(caller, projectId);
    if (reach === null) throw new DomainError('no_access_to_project');
    const from = await this.startOf(place === '' ? null : place);
    if (response.destroyed) return; // its close, which would forget the stream, is over
    const stream = new EventStreamConnection(response, filterOf(types, resources), reach, from.after);
    const entry: Connected = { stream, caller, projectId };
    this.connected.add(entry);
    response.on('close', () => this.connected.delete(entry));
    if (from.gap !== null) stream.named('stream.gap', from.gap);
    await stream.replay(this.log);
  }

  /** Where a stream begins, and the gap to tell of when the log does not hold the event that was seen last. */
  private async startOf(
    place: string | null,
  ): Promise<{ after: bigint; gap: { lastEventId: string; oldestId: string | null } | null }> {
    if (place === null) return { after: await this.log.head(), gap: null };
    if (place === 'earliest') return { after: 0n, gap: null };
    const time = Date.parse(place);
    if (place.includes('T') && !Number.isNaN(time))
      return { after: await this.log.positionBefore(new Date(time - 1)), gap: null };
    const found = await this.log.find(place);
    if (found !== null) return { after: found.position, gap: null };
    const oldestId = (await this.log.oldest())?.event.id ?? null;
    return { after: await this.log.positionBefore(timeOfId(place)), gap: { lastEventId: place, oldestId } };
  }

  private heartbeat(): void {
    for (const { stream } of this.connected) stream.comment('heartbeat');
  }

  /** Cuts those who do not read, and those who may not read any more; each credential is asked about once. */
  private async check(): Promise<void> {
    if (this.checking) return;
    this.checking = true;
    try {
      const asked = new Map<string, Promise<Reach | null>>();
      for (const entry of this.connected) {
        const { stream, caller, projectId } = entry;
        if (stream.isStuck(performance.now())) {
          this.logger.warn({ credential: caller.credentialId }, 'event stream cut off: the client does not read');
          stream.cutOff();
          continue;
        }
        const key = `${caller.credentialId} ${projectId}`;
        const answer = asked.get(key) ?? this.readership.reach(caller, projectId);
        asked.set(key, answer);
        const reach = await answer;
        if (reach === null) stream.close('the credential or the access to the project is gone');
        else stream.setReach(reach);
      }
    } catch (error) {
      this.logger.warn({ err: error }, 'event streams could not be checked; trying again');
    } finally {
      this.checking = false;
    }
  }
}

/** A UUIDv7 begins with its time; anything else counts as older than everything. */
const timeOfId = (id: string): Date => {
  const ms = /^[0-9a-f]{8}-[0-9a-f]{4}-7/i.test(id) ? Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16) : 0;
  return new Date(ms);
};
