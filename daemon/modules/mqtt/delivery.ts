/** All of MQTT: the broker, its listeners, and the events that it publishes. */
import type { LogFollower } from '../../platform/events/follower.js';
import type { Broker } from './broker.js';
import type { TcpListener, WebSocketListener } from './listeners.js';
import { TopicPublisher } from './publisher.js';

export class MqttDelivery {
  private readonly publisher: TopicPublisher;
  private unfollow: () => void = () => {};

  constructor(
    private readonly broker: Broker,
    private readonly webSockets: WebSocketListener,
    /** null: over WebSocket only. */
    private readonly tcp: TcpListener | null,
    private readonly follower: LogFollower,
  ) {
    this.publisher = new TopicPublisher(broker);
  }

  /** Throws PortTaken; nothing of it runs then. */
  async start(): Promise<void> {
    try {
      await this.open();
    } catch (error) {
      await this.stop();
      throw error;
    }
  }

  private async open(): Promise<void> {
    await this.broker.start();
    this.unfollow = this.follower.onEvents(
      (events) => {
        for (const { event } of events) this.publisher.publish(event);
      },
      (type) => this.publisher.readsDataOf(type),
    );
    this.webSockets.start();
    await this.tcp?.start();
  }

  async stop(): Promise<void> {
    this.tcp?.stop();
    this.webSockets.stop();
    this.unfollow();
    this.publisher.stop();
    await this.broker.stop();
  }
}
