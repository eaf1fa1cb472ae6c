/**
 * `earshot/voice`: speaks into rooms and listens to them from Node.js, as `RoomCall` does in browsers. Apart from the
 * library's entry, because it loads native code.
 */
export { type HeardFrame, type ListenerOptions, RoomListener } from './client/voice/listener.js';
export { endMedia } from './client/voice/media-peer.js';
export { type PlayOptions, type PublisherOptions, RoomPublisher } from './client/voice/publisher.js';
export { type SpeechFrame, speechFrames } from './client/voice/speech-frames.js';
export { type Recording, readWav } from './client/voice/wav-file.js';
