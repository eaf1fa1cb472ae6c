/**
 * Entry of the package in a browser: the portable library, and a place in a room by the browser's own
 * WebRTC.
 */
export * from '../client/portable.js';
export * from './rooms.js';
