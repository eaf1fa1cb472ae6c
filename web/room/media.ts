/** One WebRTC connection with the room, by WHIP (to speak) or WHEP (to listen). */
import { refusalOf } from './refusal.js';

/** A connection may recover from `disconnected` by itself; after this it counts as lost. */
const disconnectedMs = 6_000;

export class MediaLink {
  readonly connection = new RTCPeerConnection();
  private resource: string | null = null;
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly roomUrl: string,
    private readonly kind: 'whip' | 'whep',
    private readonly token: string,
    private readonly lost: () => void,
  ) {}

  get resourceId(): string | null {
    return this.resource?.split('/').at(-1) ?? null;
  }

  /** Offers what was added to the connection. Throws Refusal, or TypeError when the daemon is out of reach. */
  async open(): Promise<void> {
    this.connection.addEventListener('connectionstatechange', () => this.watch());
    await this.connection.setLocalDescription();
    const response = await fetch(`${this.roomUrl}/${this.kind}`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${this.token}`, 'Content-Type': 'application/sdp' },
      body: this.connection.localDescription?.sdp ?? '',
    });
    if (!response.ok) throw await refusalOf(response);
    this.resource = response.headers.get('Location');
    await this.connection.setRemoteDescription({ type: 'answer', sdp: await response.text() });
  }

  /** Gives the place back, also while the page is being closed. */
  release(): void {
    if (this.resource === null) return;
    const headers = { Authorization: `Bearer ${this.token}` };
    fetch(this.resource, { method: 'DELETE', headers, keepalive: true }).catch(() => {});
    this.resource = null;
  }

  private watch(): void {
    clearTimeout(this.timer);
    const { connectionState: state } = this.connection;
    if (state === 'failed') this.lost();
    else if (state === 'disconnected') this.timer = setTimeout(() => this.judge(), disconnectedMs);
  }

  private judge(): void {
    if (this.connection.connectionState === 'disconnected') this.lost();
  }
}
