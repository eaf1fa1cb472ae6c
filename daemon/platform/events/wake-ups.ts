/**
 * Announces that the log has grown, that webhook deliveries are due, or that any rows were stored. Carries no data, except for texts
 * that are stored nowhere.
 */

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
  /** Sends a text to the other daemons. It may be lost, and is where it has more than 7,500 bytes. */
  sendText(text: string): void;
  /** Calls the listener with each text of another daemon. Returns a function that ends the subscription. */
  onText(listener: (text: string) => void): () => void;
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

  sendText(): void {} // nor anybody to send to

  onText(): () => void {
    return () => {};
  }

  async start(): Promise<void> {}
  async stop(): Promise<void> {}
}
