/**
 * Memory for large bodies, of requests or of answers: so many bytes in all, of which each tenant, each address within a
 * tenant, and everybody without a credential have a share. The body of a request waits for its bytes before it is read, so
 * that what does not fit stays with its sender. Bodies of one share keep their order; a ConcurrencyLimit counts pieces, not bytes.
 */
import { DomainError } from '../../../../src/contract/errors.js';
import { limits } from '../../limits/catalogue.js';
import { countRefusal } from '../../limits/refusals.js';

/** Sender of a body. */
interface BodyOwner {
  /** null: somebody without a valid credential. */
  readonly tenantId: string | null;
  /** The address, or the network of an IPv6 one. */
  readonly network: string;
}

interface BudgetSizes {
  readonly allBytes: number;
  readonly tenantBytes: number;
  /** Limit for one address within a tenant. */
  readonly addressBytes: number;
  /** Limits for everybody without a credential together, and for one address. */
  readonly strangersBytes: number;
  readonly strangerBytes: number;
  /** How long a body with a credential waits; 0: it is refused at once, as strangers are. */
  readonly waitMs: number;
}

const mebibyte = 1024 * 1024;
const sizesDefault: BudgetSizes = {
  ...limits.large_body_memory.max,
  strangersBytes: 8 * mebibyte,
  strangerBytes: mebibyte,
  waitMs: 2_000,
};

type Share = readonly [name: string, max: number];

interface WaitingBody {
  readonly shares: readonly Share[];
  readonly bytes: number;
  readonly grant: () => void;
}

const retryAfterSeconds = 1;

export class BodyBudget {
  private readonly taken = new Map<string, number>();
  /** By the first share, the oldest first; none is empty. */
  private readonly waiting = new Map<string, WaitingBody[]>();
  private takenInAll = 0;
  private refusedInAll = 0;

  constructor(
    private readonly name: 'large_body_memory' | 'answer_memory',
    private readonly sizes: BudgetSizes = sizesDefault,
  ) {}

  get takenBytes(): number {
    return this.takenInAll;
  }

  /** Bodies that found no place since the start. */
  get refused(): number {
    return this.refusedInAll;
  }

  /** Resolves to a function that gives the bytes back. Throws rate_limited (the owner's share), overloaded. */
  async acquire(owner: BodyOwner, bytes: number): Promise<() => void> {
    const shares = this.sharesOf(owner);
    const [own] = shares;
    if (this.waiting.has(own[0]) || !this.fits(shares, bytes)) await this.wait(owner, shares, bytes);
    else this.add(shares, bytes);
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      this.add(shares, -bytes);
      this.grantWaiting();
    };
  }

  private sharesOf({ tenantId, network }: BodyOwner): readonly [Share, Share] {
    const { tenantBytes, addressBytes, strangersBytes, strangerBytes } = this.sizes;
    return tenantId === null
      ? [
          ['strangers', strangersBytes],
          [`stranger ${network}`, strangerBytes],
        ]
      : [
          [`tenant ${tenantId}`, tenantBytes],
          [`tenant ${tenantId} ${network}`, addressBytes],
        ];
  }

  private fitsShares(shares: readonly Share[], bytes: number): boolean {
    return shares.every(([name, max]) => (this.taken.get(name) ?? 0) + bytes <= max);
  }

  private fits(shares: readonly Share[], bytes: number): boolean {
    return this.takenInAll + bytes <= this.sizes.allBytes && this.fitsShares(shares, bytes);
  }

  private add(shares: readonly Share[], bytes: number): void {
    this.takenInAll += bytes;
    for (const [name] of shares) {
      const now = (this.taken.get(name) ?? 0) + bytes;
      if (now === 0) this.taken.delete(name);
      else this.taken.set(name, now);
    }
  }

  private async wait(owner: BodyOwner, shares: readonly [Share, Share], bytes: number): Promise<void> {
    const isGranted =
      owner.tenantId !== null &&
      this.sizes.waitMs > 0 &&
      (await new Promise<boolean>((resolve) => {
        const [[name]] = shares;
        const row = this.waiting.get(name) ?? [];
        const entry: WaitingBody = { shares, bytes, grant: () => finish(true) };
        const finish = (granted: boolean): void => {
          clearTimeout(timer);
          row.splice(row.indexOf(entry), 1);
          if (row.length === 0) this.waiting.delete(name);
          if (granted) this.add(shares, bytes);
          resolve(granted);
          if (!granted) this.grantWaiting(); // smaller ones may have waited behind it
        };
        const timer = setTimeout(() => finish(false), this.sizes.waitMs);
        row.push(entry);
        this.waiting.set(name, row);
      }));
    if (isGranted) return;
    this.refusedInAll += 1;
    countRefusal(this.name);
    if (this.fitsShares(shares, bytes)) throw new DomainError('overloaded', { retryAfterSeconds });
    throw new DomainError('rate_limited', {
      message: 'Too many large bodies are being processed. Wait for the seconds in Retry-After.',
      retryAfterSeconds,
    });
  }

  /** Bodies of one share keep their order. */
  private grantWaiting(): void {
    for (const row of [...this.waiting.values()]) {
      for (let [first] = row; first !== undefined && this.fits(first.shares, first.bytes); [first] = row) first.grant();
    }
  }
}
