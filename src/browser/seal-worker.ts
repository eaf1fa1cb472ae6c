/** The worker behind FrameSealer: takes the key of the room once, then turns every frame of every transform that is set. */
import type { RoomKey } from '../client/room/room-access.js';
import { deriveKey, type FrameKey, openFrame, sealFrame } from './frame-cipher.js';

interface TransformEvent extends Event {
  readonly transformer: {
    readonly readable: ReadableStream<RTCEncodedAudioFrame>;
    readonly writable: WritableStream<RTCEncodedAudioFrame>;
    readonly options: { readonly operation: 'seal' | 'open' };
  };
}
const isTransform = (event: Event): event is TransformEvent => 'transformer' in event;

let key: Promise<FrameKey> | null = null;

addEventListener('message', async ({ data }: MessageEvent<RoomKey>) => {
  key = deriveKey(data);
  await key;
  postMessage('ready');
});

addEventListener('rtctransform', (event) => {
  if (!isTransform(event)) return;
  const { readable, writable, options } = event.transformer;
  const turn = options.operation === 'seal' ? sealFrame : openFrame;
  const turned = new TransformStream<RTCEncodedAudioFrame, RTCEncodedAudioFrame>({
    async transform(frame, controller) {
      const bytes = key === null ? null : await turn(await key, new Uint8Array(frame.data));
      if (bytes === null) return; // in clear, or another's: dropped
      frame.data = bytes.buffer;
      controller.enqueue(frame);
    },
  });
  void readable.pipeThrough(turned).pipeTo(writable);
});
