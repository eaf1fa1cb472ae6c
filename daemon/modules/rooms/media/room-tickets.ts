/**
 * One-time tickets for the event stream of a room, by which a browser's own EventSource opens it. They are held in memory: one
 * daemon has the rooms, makes their tickets and serves their streams. A ticket stands for the room token of whoever asked for it.
 */
import { DomainError } from '../../../../src/contract/errors.js';
import { ticketSeconds } from '../../../../src/contract/streams/stream-tickets.js';
import { limits } from '../../../platform/limits/catalogue.js';
import { ConcurrencyLimit } from '../../../platform/limits/concurrency-limit.js';
import { FairShare } from '../../../platform/limits/fair-share.js';
import { plainAddress } from '../../../platform/networks.js';
import { randomText } from '../../../platform/secrets/random.js';
import type { Clock } from '../../../platform/time/clock.js';
import type { RoomClaims } from '../tokens/room-tokens.js';

interface WaitingTicket {
  readonly token: string;
  readonly roomId: string;
  readonly address: string;
  readonly expiresAt: Date;
  readonly release: () => void;
}

const retryAfterSeconds = ticketSeconds;

export class RoomTickets {
  /** In the order in which they expire. */
  private readonly waiting = new Map<string, WaitingTicket>();
  private readonly ofToken = new ConcurrencyLimit('room_tickets', {
    perOwner: limits.room_tickets.max.ofToken,
    code: 'rate_limited',
  });
  private readonly ofProject = new FairShare(limits.room_tickets.max, 'room_tickets');

  constructor(private readonly now: Clock) {}

  /** Throws rate_limited, overloaded. */
  create(
    token: string,
    { jti, project, room: roomId }: RoomClaims,
    address: string,
  ): { readonly ticket: string; readonly expiresAt: Date } {
    this.deleteExpired();
    const leave = this.ofToken.enter(jti, retryAfterSeconds);
    if (!this.ofProject.acquire(project)) {
      leave();
      throw new DomainError('overloaded', { retryAfterSeconds });
    }
    const release = () => {
      leave();
      this.ofProject.release(project);
    };
    const ticket = randomText(32);
    const expiresAt = new Date(this.now().getTime() + ticketSeconds * 1_000);
    this.waiting.set(ticket, { token, roomId, address: plainAddress(address), expiresAt, release });
    return { ticket, expiresAt };
  }

  /** Uses up the ticket, whatever comes of it, and returns its room token. Throws stream_ticket_invalid. */
  use(ticket: string, roomId: string, address: string): string {
    this.deleteExpired();
    const found = this.waiting.get(ticket);
    if (found !== undefined) this.delete(ticket, found);
    const isFromThere = found?.address === 'any' || found?.address === plainAddress(address);
    if (found === undefined || found.roomId !== roomId || !isFromThere) throw new DomainError('stream_ticket_invalid');
    return found.token;
  }

  private deleteExpired(): void {
    for (const [ticket, waiting] of this.waiting) {
      if (waiting.expiresAt > this.now()) return;
      this.delete(ticket, waiting);
    }
  }

  private delete(ticket: string, { release }: WaitingTicket): void {
    this.waiting.delete(ticket);
    release();
  }
}
