/** The live figures of a tenant. Events are counted as they are read from the log, so they cost no query. */
import { type DomainEvent, ownEventTypes } from '../../../src/contract/events.js';
import { busiestMax, type LiveFigures } from '../../../src/contract/figures/figures.js';
import type { Answered } from '../../platform/observability/metrics.js';
import type { StorageQuota } from '../../platform/quota/storage-quota.js';
import type { Clock } from '../../platform/time/clock.js';
import { version } from '../../platform/version.js';
import type { ProjectStore } from '../projects/store.js';
import type { RoomsAnywhere } from '../rooms/elsewhere/rooms-anywhere.js';
import type { BotSupervisor } from '../sessions/supervisor.js';
import type { DeliveryQueue } from '../webhooks/delivery/queue-store.js';
import { LastMinute, total } from './last-minute.js';

interface FigureSources {
  readonly rooms: Pick<RoomsAnywhere, 'sums'>;
  readonly projects: Pick<ProjectStore, 'ofTenant'>;
  readonly deliveries: Pick<DeliveryQueue, 'pending'>;
  readonly intake: { readonly waiting: number };
  readonly bots: Pick<BotSupervisor, 'recognising'>;
  readonly quota: Pick<StorageQuota, 'usageOf'>;
}

interface TenantMinute {
  readonly events: LastMinute;
  readonly deliveries: LastMinute;
}

/** A rate over fewer seconds jumps, over more it lags. */
const rateSeconds = 10;
const tenantsSwept = 100;
/** Other types come from outside, in any number. */
const ownTypes: ReadonlySet<string> = new Set(ownEventTypes);

export class FigureService {
  private readonly tenants = new Map<string, TenantMinute>();
  private readonly requests: LastMinute;

  constructor(
    private readonly sources: FigureSources,
    private readonly now: Clock,
  ) {
    this.requests = new LastMinute(this.nowMs);
  }

  private readonly nowMs = (): number => this.now().getTime();

  count(events: readonly DomainEvent[]): void {
    for (const { tenantId, type, payload } of events) {
      const minute = this.tenants.get(tenantId) ?? this.newTenant(tenantId);
      minute.events.observe(ownTypes.has(type) ? type : 'ingested');
      if (type === 'webhook.delivery.updated') minute.deliveries.observe(statusOf(payload.data));
    }
  }

  answered({ method, route, seconds }: Answered): void {
    if (seconds !== null) this.requests.observe(`${method} ${route.path}`, seconds * 1_000);
  }

  async figuresOf(tenantId: string): Promise<LiveFigures> {
    const [projects, pending] = await Promise.all([
      this.sources.projects.ofTenant(tenantId),
      this.sources.deliveries.pending(tenantId),
    ]);
    const rooms = await this.rooms(new Map(projects.map(({ id, name }) => [id, name])));
    const minute = this.tenants.get(tenantId);
    return {
      at: this.now().toISOString(),
      version,
      events: this.events(minute),
      rooms,
      deliveries: { pending, ...deliveries(minute) },
      queues: { gameEvents: this.sources.intake.waiting, utterances: this.sources.bots.recognising },
      storage: this.sources.quota.usageOf(tenantId),
      requests: this.slowest(),
    };
  }

  private events(minute: TenantMinute | undefined): LiveFigures['events'] {
    if (minute === undefined) return { perSecond: 0, lastMinute: 0, types: [] };
    const all = minute.events.countsOfLast();
    const types = [...all].map(([type, { count }]) => ({ type, lastMinute: count }));
    return {
      perSecond: total(minute.events.countsOfLast(rateSeconds - 1)) / rateSeconds,
      lastMinute: total(all),
      types: types.toSorted((a, b) => b.lastMinute - a.lastMinute || a.type.localeCompare(b.type)),
    };
  }

  private async rooms(names: ReadonlyMap<string, string>): Promise<LiveFigures['rooms']> {
    const { busiest, ...sums } = await this.sources.rooms.sums([...names.keys()], busiestMax);
    return {
      ...sums,
      busiest: busiest.map((room) => ({ ...room, projectName: names.get(room.projectId) ?? room.projectId })),
    };
  }

  private slowest(): LiveFigures['requests'] {
    const all = this.requests.countsOfLast();
    const routes = [...all].map(([key, { count, worst }]) => {
      const [method = '', route = ''] = key.split(' ');
      return { method, route, lastMinute: count, worstMs: rounded(worst) };
    });
    const slowest = routes.toSorted((a, b) => b.worstMs - a.worstMs).slice(0, busiestMax);
    return { lastMinute: total(all), worstMs: slowest[0]?.worstMs ?? 0, slowest };
  }

  private newTenant(tenantId: string): TenantMinute {
    if (this.tenants.size >= tenantsSwept)
      for (const [id, { events }] of this.tenants) if (events.isEmpty) this.tenants.delete(id);
    const minute = { events: new LastMinute(this.nowMs), deliveries: new LastMinute(this.nowMs) };
    this.tenants.set(tenantId, minute);
    return minute;
  }
}

const rounded = (ms: number): number => Math.round(ms * 10) / 10;

const statusOf = (data: unknown): string =>
  typeof data === 'object' && data !== null && 'status' in data ? String(data.status) : '';

function deliveries(minute: TenantMinute | undefined): Omit<LiveFigures['deliveries'], 'pending'> {
  const counts = minute?.deliveries.countsOfLast();
  const countOf = (status: string): number => counts?.get(status)?.count ?? 0;
  return { delivered: countOf('delivered'), retried: countOf('pending'), failed: countOf('failed') };
}
