/** A place in a room by the browser's own WebRTC, beside what the portable library has. */
export { FrameSealer } from './frame-sealer.js';
export { RoomCall, type RoomCallOptions } from './room-call.js';
