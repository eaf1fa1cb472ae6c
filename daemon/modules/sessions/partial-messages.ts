/**
 * Passes on what people are saying while they say it, to streams of this daemon and of others that ask for it. Nothing is stored, and
 * nothing that counts or acts reads it: that waits for the message.
 */
import type { PartialMessage } from '../../../src/contract/sessions/partial-messages.js';

/** The person whose speech it is. */
interface Owner {
  readonly tenantId: string;
  readonly projectId: string;
  readonly roomId: string;
}

export interface PartialReader {
  /** While nobody wants them, nothing is recognised before its end. */
  wants(owner: Owner): boolean;
  read(tenantId: string, message: PartialMessage): void;
  /** Tenants whose lines it wants; left out: it only passes on what others want. */
  tenants?(): Iterable<string>;
}

export class PartialMessages {
  private readonly readers = new Set<PartialReader>();

  /** Returns a function that ends it. */
  follow(reader: PartialReader): () => void {
    this.readers.add(reader);
    return () => this.readers.delete(reader);
  }

  isWanted(owner: Owner): boolean {
    for (const reader of this.readers) if (reader.wants(owner)) return true;
    return false;
  }

  /** Tenants whose lines somebody wants here. */
  tenants(): ReadonlySet<string> {
    return new Set([...this.readers].flatMap((reader) => [...(reader.tenants?.() ?? [])]));
  }

  publish(tenantId: string, message: PartialMessage): void {
    for (const reader of this.readers) reader.read(tenantId, message);
  }
}
