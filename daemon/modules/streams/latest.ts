/**
 * The log of a project from its end backwards. It is read forwards, in parts that begin ever earlier: longer ones where little
 * is found, shorter ones where much is, so that neither a quiet project among busy ones nor a busy one costs many reads.
 */
import { DomainError } from '../../../src/contract/errors.js';
import type { EventListQuery, ListedEvents } from '../../../src/contract/streams/event-streams.js';
import type { EventLog } from '../../platform/events/log.js';
import type { PositionedEvent } from '../../platform/events/logged.js';
import type { Member } from '../../platform/http/caller.js';
import type { ParticipantDirectory } from '../people/directory.js';
import { filterOf, reachKey, View } from './filter.js';
import type { Readership } from './permissions.js';
import { PersonFilter } from './person-filter.js';

/** Positions of the log in the first part, and in the shortest one. */
const firstPart = 500n;
const shortestPart = 100n;
const growth = 4n;
/** Reads of one part before it is given up for a shorter one. */
const partReads = 4;
/** Reads after which an answer ends, with what was found. */
const readsMax = 60;
const bytesMax = 1024 * 1024;

interface LogStretch {
  /** Oldest first; null: there was too much in it. */
  readonly found: PositionedEvent[] | null;
  readonly reads: number;
}

export class LatestEvents {
  constructor(
    private readonly log: Pick<EventLog, 'pages' | 'turns' | 'head'>,
    private readonly readership: Readership,
    private readonly people: Pick<ParticipantDirectory, 'idsOf'>,
  ) {}

  /** Throws no_access_to_project. */
  async page(caller: Member, projectId: string, query: EventListQuery): Promise<ListedEvents> {
    const { types, resources, user, limit, after } = query;
    const reach = await this.readership.reach(caller, projectId);
    if (reach === null) throw new DomainError('no_access_to_project');
    const person = user === undefined ? null : new PersonFilter(await this.people.idsOf(projectId, user));
    const view = new View(filterOf(types, resources, person), reach, reachKey(reach));
    const head = await this.log.head();
    const end = after === undefined ? head : BigInt(after) - 1n;
    const { found, to } = await this.log.turns.run(caller.tenantId, () =>
      this.backwards(view, end < head ? end : head, limit),
    );
    const shown = fitting(found.slice(0, limit));
    const isCut = shown.length < found.length;
    const last = shown.at(-1)?.position ?? 0n;
    return {
      events: shown.map(({ event }) => event),
      next: isCut ? String(last) : to > 0n ? String(to + 1n) : null,
    };
  }

  /** Newest first; what lies after `to` was read. */
  private async backwards(view: View, end: bigint, limit: number): Promise<{ found: PositionedEvent[]; to: bigint }> {
    const found: PositionedEvent[] = [];
    let to = end;
    let length = firstPart;
    for (let reads = 0; to > 0n && found.length < limit && reads < readsMax; ) {
      const from = to > length ? to - length : 0n;
      const part = await this.part(view, from, to, length <= shortestPart);
      reads += part.reads;
      if (part.found === null) {
        length = length / 8n > shortestPart ? length / 8n : shortestPart;
        continue;
      }
      found.push(...part.found.reverse());
      to = from;
      if (part.reads === 1 && part.found.length < limit / 2) length *= growth;
    }
    return { found, to };
  }

  private async part(view: View, after: bigint, to: bigint, isShortest: boolean): Promise<LogStretch> {
    const found: PositionedEvent[] = [];
    let reads = 0;
    for (let place = after; place < to; ) {
      if (reads >= partReads && !isShortest) return { found: null, reads };
      const page = await this.log.pages.read({ parts: view.parts, filter: view.logFilter, after: place, to });
      reads += 1;
      found.push(...page.events.filter(({ event }) => view.shows(event)));
      place = page.end;
    }
    return { found, reads };
  }
}

/** As many as an answer holds, and at least one. */
function fitting(events: readonly PositionedEvent[]): readonly PositionedEvent[] {
  let bytes = 0;
  const end = events.findIndex(({ event }) => {
    bytes += JSON.stringify(event).length;
    return bytes > bytesMax;
  });
  return end < 0 ? events : events.slice(0, Math.max(1, end));
}
