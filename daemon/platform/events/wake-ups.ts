/** Announces that the log has grown, or that webhook deliveries are due. Carries no data. */

export type News = 'events' | 'deliveries';

export interface WakeUps {
  /** Left out: events. */
  wake(news?: News): void;
  /** Calls the listener for this news, left out: events. Returns a function that ends the subscription. */
  onWake(listener: () => void, news?: News): () => void;
  start(): Promise<void>;
  stop(): Promise<void>;
}

export class LocalWakeUps implements WakeUps {
  private readonly listeners = { events: new Set<() => void>(), deliveries: new Set<() => void>() };

  wake(news: News = 'events'): void {
    for (const listener of this.listeners[news]) listener();
  }

  onWake(listener: () => void, news: News = 'events'): () => void {
    this.listeners[news].add(listener);
    return () => this.listeners[news].delete(listener);
  }

  async start(): Promise<void> {}
  async stop(): Promise<void> {}
}
