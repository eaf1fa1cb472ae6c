/** Announces that the log has grown, that webhook deliveries are due, or that any rows were stored. Carries no data. */

export type News = 'events' | 'deliveries' | 'rows';

export interface WakeUps {
  /** Left out: events. */
  wake(news?: News): void;
  /** As `wake`, but for other daemons only. */
  tellOthers(news: News): void;
  /** False while nothing that other daemons announce would be heard. */
  readonly isHearing: boolean;
  /** Calls the listener for this news, left out: events. Returns a function that ends the subscription. */
  onWake(listener: () => void, news?: News): () => void;
  start(): Promise<void>;
  stop(): Promise<void>;
}

export class LocalWakeUps implements WakeUps {
  private readonly listeners = {
    events: new Set<() => void>(),
    deliveries: new Set<() => void>(),
    rows: new Set<() => void>(),
  };
  readonly isHearing = true;

  wake(news: News = 'events'): void {
    for (const listener of this.listeners[news]) listener();
  }

  tellOthers(): void {} // there are none

  onWake(listener: () => void, news: News = 'events'): () => void {
    this.listeners[news].add(listener);
    return () => this.listeners[news].delete(listener);
  }

  async start(): Promise<void> {}
  async stop(): Promise<void> {}
}
