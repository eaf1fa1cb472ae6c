/**
 * Entry of the package in a browser: the portable library, and a place in a room by the browser's own
 * WebRTC.
 */
export * from '../client/portable.js';
export { FrameSealer } from './frame-sealer.js';
export { RoomCall, type RoomCallOptions } from './room-call.js';
