/**
 * Encrypts what leaves and decrypts what comes, end to end, in a worker. It must never let a frame pass in clear:
 * set the transform in the same task as the transceiver (browsers have let first frames through otherwise).
 */
import type { RoomKey } from '../client/room/room-access.js';

export class FrameSealer {
  private constructor(private readonly worker: Worker) {}

  static get isPossible(): boolean {
    return typeof RTCRtpScriptTransform === 'function';
  }

  /** Ready to seal when it resolves. `worker` runs `earshot/seal-worker` (`seal-worker.ts`), a module. */
  static async prepare(key: RoomKey, worker: Worker): Promise<FrameSealer> {
    await new Promise<void>((resolve, reject) => {
      worker.addEventListener('message', () => resolve(), { once: true });
      worker.addEventListener('error', () => reject(new Error('The encryption could not start.')), { once: true });
      worker.postMessage(key);
    });
    return new FrameSealer(worker);
  }

  seal(sender: RTCRtpSender): void {
    sender.transform = new RTCRtpScriptTransform(this.worker, { operation: 'seal' });
  }

  open(receiver: RTCRtpReceiver): void {
    receiver.transform = new RTCRtpScriptTransform(this.worker, { operation: 'open' });
  }
}
