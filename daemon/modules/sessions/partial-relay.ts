/**
 * Passes what people are saying between daemons that share a PostgreSQL database: one has the rooms, others may have the streams.
 * A daemon with readers says so every few seconds; the one with the rooms sends what these want. Nothing is stored.
 */
import { z } from 'zod';
import { PartialMessage } from '../../../src/contract/sessions/partial-messages.js';
import type { WakeUps } from '../../platform/events/wake-ups.js';
import { every } from '../../platform/time/ticks.js';
import type { PartialMessages } from './partial-messages.js';

const announceMs = 3_000;
/** What a daemon wants that has not said so again for this long is forgotten. */
const wantedMs = 10_000;
/** Tenants that a daemon names, as many as fit into a notification. */
const namedMax = 150;
/** Tenants that other daemons want together; beyond these, those who come later wait. */
const wantedMax = 2_000;

const Text = z.union([
  z.object({ wanted: z.array(z.string()).max(namedMax) }),
  z.object({ tenantId: z.string(), message: PartialMessage }),
]);

export class PartialRelay {
  /** Tenants that other daemons want, and until when. */
  private readonly wanted = new Map<string, number>();
  private readonly ends: (() => void)[] = [];
  private announced: ReadonlySet<string> = new Set();
  /** What another daemon sent is not sent on. */
  private isReceiving = false;

  constructor(
    private readonly partials: PartialMessages,
    private readonly others: Pick<WakeUps, 'sendText' | 'onText'>,
  ) {}

  start(): void {
    this.ends.push(
      this.others.onText((text) => this.onText(text)),
      this.partials.follow({
        wants: ({ tenantId }) => (this.wanted.get(tenantId) ?? 0) > performance.now(),
        read: (tenantId, message) => {
          if (!this.isReceiving && (this.wanted.get(tenantId) ?? 0) > performance.now())
            this.send({ tenantId, message });
        },
      }),
      every(announceMs, () => this.announce()),
    );
  }

  stop(): void {
    for (const end of this.ends.splice(0)) end();
  }

  /** Says what is wanted here, in turn where it is more than one notification holds. */
  private announce(): void {
    for (const [tenantId, untilMs] of this.wanted) if (untilMs <= performance.now()) this.wanted.delete(tenantId);
    const here = this.partials.tenants();
    const waiting = [...here].filter((tenantId) => !this.announced.has(tenantId));
    const wanted = (waiting.length > 0 ? waiting : [...here]).slice(0, namedMax);
    this.announced = new Set(waiting.length > 0 ? [...this.announced, ...wanted] : wanted);
    if (wanted.length > 0) this.send({ wanted });
  }

  private send(text: z.infer<typeof Text>): void {
    this.others.sendText(JSON.stringify(text));
  }

  private onText(text: string): void {
    const heard = Text.safeParse(parsed(text));
    if (!heard.success) return; // another version
    if ('wanted' in heard.data) {
      for (const tenantId of heard.data.wanted)
        if (this.wanted.has(tenantId) || this.wanted.size < wantedMax)
          this.wanted.set(tenantId, performance.now() + wantedMs);
      return;
    }
    this.isReceiving = true;
    try {
      this.partials.publish(heard.data.tenantId, heard.data.message);
    } finally {
      this.isReceiving = false;
    }
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
