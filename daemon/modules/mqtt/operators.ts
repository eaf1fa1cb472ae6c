/**
 * The operators that are connected, and which events of their project each follows. Each is sent to separately, so that
 * one that does not read delays nobody else.
 */
import { EventType } from '../../../src/contract/events.js';
import { countRefusal } from '../../platform/limits/refusals.js';
import { filterWithin, type OperatorSession, operatorTopic } from './authenticator.js';
import type { Qos } from './granted-qos.js';

/** Filters that match every type, which is one level of a topic (MQTT 3.1.1, 4.7). */
const filtersOfAll: readonly string[] = ['#', '+', '+/#'];

/**
 * Choice: a filter that no event can match is refused, so that nobody waits for events in vain. `gathering.*` is one: only a
 * whole level can be a wildcard, and clients that sort messages by filter would drop what was sent for it.
 */
const canMatchEvents = (rest: string): boolean =>
  filtersOfAll.includes(rest) || EventType.safeParse(rest.replace(/\/#$/, '')).success;

interface Operator {
  readonly session: OperatorSession;
  readonly filters: Map<string, Qos>;
}

export class Operators<Client> {
  private readonly seated = new Map<Client, Operator>();
  private readonly byProject = new Map<string, Map<Client, Operator>>();

  constructor(
    private readonly perProjectMax: number,
    private readonly filtersMax: number,
  ) {}

  /** false: the project has as many as it may. */
  seat(client: Client, session: OperatorSession): boolean {
    const own = this.byProject.get(session.projectId) ?? new Map();
    if (own.size >= this.perProjectMax) {
      countRefusal('mqtt_operators');
      return false;
    }
    const operator = { session, filters: new Map() };
    this.seated.set(client, operator);
    this.byProject.set(session.projectId, own.set(client, operator));
    return true;
  }

  leave(client: Client): void {
    const { projectId } = this.seated.get(client)?.session ?? {};
    if (projectId === undefined) return;
    this.seated.delete(client);
    const own = this.byProject.get(projectId);
    own?.delete(client);
    if (own?.size === 0) this.byProject.delete(projectId);
  }

  isOne(client: Client): boolean {
    return this.seated.has(client);
  }

  /** false: the filter leads beyond the project, no event can match it, or there are too many. */
  follow(client: Client, filter: string, qos: Qos): boolean {
    const { session, filters } = this.seated.get(client) ?? {};
    if (session === undefined || filters === undefined) return false;
    const hasRoom = filters.has(filter) || filters.size < this.filtersMax;
    const rest = filterWithin(session.projectId, filter);
    if (!hasRoom || rest === null || !canMatchEvents(rest)) return false;
    filters.set(filter, qos);
    return true;
  }

  unfollow(client: Client, filter: string): void {
    this.seated.get(client)?.filters.delete(filter);
  }

  /** The operators that follow events of the type, each once, at the best quality of service that they asked for. */
  *followersOf(projectId: string, type: string): Iterable<{ readonly client: Client; readonly qos: Qos }> {
    const own = this.byProject.get(projectId);
    if (own === undefined) return;
    const matching = [...filtersOfAll, type, `${type}/#`].map((rest) => operatorTopic(projectId, rest));
    for (const [client, { filters }] of own) {
      const asked = matching.flatMap((filter) => filters.get(filter) ?? []);
      if (asked.length > 0) yield { client, qos: asked.includes(1) ? 1 : 0 };
    }
  }

  *sessions(): Iterable<readonly [Client, OperatorSession]> {
    for (const [client, { session }] of this.seated) yield [client, session];
  }

  get empty(): boolean {
    return this.seated.size === 0;
  }
}
