/**
 * Offers on their way to the room process. Setting up a connection is the most expensive thing that it does, so only a
 * few are set up at a time: sound, and calls that take a right away, never wait behind many. Projects take turns; the
 * queue is bounded.
 */
import { DomainError } from '../../../../src/contract/errors.js';
import { FairShare, type ShareLimits } from '../../../platform/limits/fair-share.js';
import { countRefusal } from '../../../platform/limits/refusals.js';

const underWayMax = 8;
const underWayPerProjectMax = 4;
const waitingMax: ShareLimits = { each: 256, together: 512 };
const waitMs = 5_000;
const retryAfterSeconds = 2;

interface ProjectQueue {
  readonly projectId: string;
  underWay: number;
  readonly waiting: (() => void)[];
}

export class OfferQueue {
  /** Projects with waiting offers, in the order of their turns. */
  private readonly lanes = new Map<string, ProjectQueue>();
  private readonly places = new FairShare(waitingMax, 'offer_queue');
  private underWay = 0;

  /**
   * Does the work when its turn comes. Throws overloaded when the queue is full or too slow, and the errors of the
   * work.
   */
  async run<Result>(projectId: string, work: () => Promise<Result>): Promise<Result> {
    const lane = this.lanes.get(projectId) ?? { projectId, underWay: 0, waiting: [] };
    this.lanes.set(projectId, lane);
    if (this.isFree(lane)) this.begin(lane);
    else await this.turn(lane);
    try {
      return await work();
    } finally {
      this.underWay -= 1;
      lane.underWay -= 1;
      this.fill();
      this.forgetIfIdle(lane);
    }
  }

  /** Resolves when the offer is being handled. */
  private async turn(lane: ProjectQueue): Promise<void> {
    if (!this.places.acquire(lane.projectId)) {
      this.forgetIfIdle(lane);
      throw overloaded();
    }
    try {
      await new Promise<void>((resolve, reject) => {
        const begin = () => {
          clearTimeout(late);
          this.begin(lane);
          resolve();
        };
        const late = setTimeout(() => {
          lane.waiting.splice(lane.waiting.indexOf(begin), 1);
          this.forgetIfIdle(lane);
          countRefusal('offer_queue');
          reject(overloaded());
        }, waitMs);
        lane.waiting.push(begin);
      });
    } finally {
      this.places.release(lane.projectId);
    }
  }

  private fill(): void {
    for (const lane of [...this.lanes.values()]) {
      if (this.underWay >= underWayMax) return;
      if (lane.underWay >= underWayPerProjectMax) continue;
      const begin = lane.waiting.shift();
      if (begin === undefined) continue;
      this.lanes.delete(lane.projectId);
      this.lanes.set(lane.projectId, lane); // back to the end of the queue
      begin();
    }
  }

  private begin(lane: ProjectQueue): void {
    this.underWay += 1;
    lane.underWay += 1;
  }

  private isFree = ({ underWay, waiting }: ProjectQueue): boolean =>
    this.underWay < underWayMax && underWay < underWayPerProjectMax && waiting.length === 0;

  private forgetIfIdle({ projectId, underWay, waiting }: ProjectQueue): void {
    if (underWay === 0 && waiting.length === 0) this.lanes.delete(projectId);
  }
}

const overloaded = (): DomainError =>
  new DomainError('overloaded', {
    message: 'Too many people are joining rooms right now. Send the offer again after the seconds in Retry-After.',
    retryAfterSeconds,
  });
