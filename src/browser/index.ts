/**
 * What an `import` of the package gives in a browser: the client with its contract, and a place in a room. Nothing of it
 * needs Node.js.
 */
export { ForeignRooms, MediaUnreachable, RemovedFromRoom } from '../client/room/errors.js';
export { accessIn, accessOf, type RoomAccess, type RoomKey } from '../client/room/room-access.js';
export { RoomEvents, type RoomEventsOptions } from '../client/room/room-events.js';
export type { RoomMessage, RoomPerson, RoomStreamEvent } from '../contract/rooms/room-events.js';
export * from '../portable.js';
export { FrameSealer } from './frame-sealer.js';
export { RoomCall, type RoomCallOptions } from './room-call.js';
