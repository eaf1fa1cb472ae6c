/**
 * One-time tickets for event streams. A ticket holds no right of its own: it stands for the credential that asked for it, whose
 * state is read when it is used, and which ends the stream when it ends.
 */
import { hash } from 'node:crypto';
import { z } from 'zod';
import { DomainError } from '../../../src/contract/errors.js';
import { eventRoutes } from '../../../src/contract/streams/event-streams.js';
import {
  type CreateStreamTicket,
  type StreamTicket,
  ticketSeconds,
} from '../../../src/contract/streams/stream-tickets.js';
import type { TicketedRequest } from '../../platform/http/authentication.js';
import type { Member, PastMember } from '../../platform/http/caller.js';
import { limits } from '../../platform/limits/catalogue.js';
import { countRefusal } from '../../platform/limits/refusals.js';
import { plainAddress } from '../../platform/networks.js';
import { randomText } from '../../platform/secrets/random.js';
import type { Clock } from '../../platform/time/clock.js';
import type { StreamTicketStore } from './ticket-store.js';

/** Chosen by whoever opens the stream: where it goes on, and what keeps caches from answering, are no filters. */
const freeFields: ReadonlySet<string> = new Set(['last-event-id', '_']);

const Stored = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('user'),
    id: z.string(),
    tenantId: z.string(),
    tenantRole: z.enum(['member', 'admin']),
    credentialId: z.string(),
    issuedAt: z.coerce.date(),
    generation: z.number().optional(),
    expiresAt: z.coerce.date(),
    confirmedAt: z.coerce.date().nullable(),
  }),
  z.object({
    kind: z.literal('apiKey'),
    id: z.string(),
    tenantId: z.string(),
    projectId: z.string().nullable(),
    scopes: z.array(z.string()),
    credentialId: z.string(),
    expiresAt: z.coerce.date().nullable(),
  }),
]);

interface TicketNeeds {
  readonly store: StreamTicketStore;
  readonly identity: {
    /** The current state of the caller; null when the credential is no longer valid. */
    current(caller: PastMember): Promise<Member | null>;
  };
  readonly publicUrl: () => string;
  readonly now: Clock;
}

const ticketHash = (ticket: string): string => hash('sha256', ticket, 'hex');
const pathOf = (projectId: string | null): string =>
  projectId === null ? eventRoutes.streamAll.path : eventRoutes.streamProject.path.replace('{projectId}', projectId);

/** The filters of a query in one order; one that is left out and an empty one are the same. */
const canonical = (query: Readonly<Record<string, unknown>>): string =>
  JSON.stringify(
    Object.entries(query)
      .filter(([name, value]) => !freeFields.has(name) && value !== undefined && value !== '')
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  );

export class StreamTickets {
  constructor(private readonly needs: TicketNeeds) {}

  /** Throws rate_limited. */
  async create(
    caller: Member,
    projectId: string | null,
    { address, ingested, partials, ...others }: CreateStreamTicket,
    ownAddress: string,
  ): Promise<StreamTicket> {
    const { store, publicUrl, now } = this.needs;
    const flags = Object.entries({ ingested, partials }).filter(([, isSet]) => isSet === true);
    const filters: Record<string, string | undefined> = {
      ...others,
      ...Object.fromEntries(flags.map(([name]) => [name, 'true'])),
    };
    const ticket = randomText(32);
    const { name: _, ...stored } = caller;
    const expiresAt = new Date(now().getTime() + ticketSeconds * 1_000);
    const row = {
      ...{ id: ticketHash(ticket), tenantId: caller.tenantId, projectId, credentialId: caller.credentialId, expiresAt },
      ...{ caller: JSON.stringify(stored), filters: canonical(filters), address: plainAddress(address ?? ownAddress) },
    };
    if (!(await store.add(row, now(), limits.stream_tickets.max))) {
      countRefusal('stream_tickets');
      throw new DomainError('rate_limited', { retryAfterSeconds: ticketSeconds });
    }
    const url = new URL(publicUrl() + pathOf(projectId));
    for (const [name, value] of Object.entries(filters)) if (value) url.searchParams.set(name, value);
    url.searchParams.set('ticket', ticket);
    return { url: url.href, ticket, expiresAt: expiresAt.toISOString() };
  }

  /** Uses up the ticket, whatever comes of it; null: it does not open the stream of this request. */
  async use(ticket: string, { path, query, address }: TicketedRequest): Promise<Member | null> {
    const { store, identity, now } = this.needs;
    const row = await store.use(ticketHash(ticket), now());
    if (row === null) return null;
    const isFromThere = row.address === 'any' || row.address === plainAddress(address);
    if (!isFromThere || path !== pathOf(row.projectId) || canonical(query) !== row.filters) return null;
    const caller = Stored.safeParse(JSON.parse(row.caller));
    return caller.success ? identity.current(caller.data) : null;
  }
}
