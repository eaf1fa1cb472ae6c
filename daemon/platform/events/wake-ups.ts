/** Announces that the log has grown. Carries no data. */

export interface WakeUps {
  wake(): void;
  /** Returns a function that ends the subscription. */
  onWake(listener: () => void): () => void;
  start(): Promise<void>;
  stop(): Promise<void>;
}

export class LocalWakeUps implements WakeUps {
  private readonly listeners = new Set<() => void>();

  wake(): void {
    for (const listener of this.listeners) listener();
  }

  onWake(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  async start(): Promise<void> {}
  async stop(): Promise<void> {}
}
