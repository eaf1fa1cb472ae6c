/** Library for every runtime. Nothing of it needs Node.js or a browser. */

export {
  type DomainEvent,
  type EarshotEvent,
  type EventData,
  type EventOf,
  /** The schema of every kind's data, by its type. */
  eventData as events,
  type OwnEventType as EventType,
} from '../contract/events.js';
export type { RoomMessage, RoomPerson, RoomStreamEvent } from '../contract/rooms/room-events.js';
export type { CallInput, Result, Route } from '../contract/route.js';
export { routes } from '../contract/routes.js';
export { verifyWebhook, type WebhookHeaders, WebhookRefused } from '../signing/verify-webhook.js';
export {
  type ClientOptions,
  type Credential,
  EarshotClient,
  type FollowOptions,
} from './earshot-client.js';
export {
  ApiError,
  DaemonUnreachable,
  InvalidAddress,
  InvalidPathPart,
  MayBeDone,
  NotEarshot,
  Redirected,
  UnexpectedAnswer,
  UpgradeMissing,
} from './errors.js';
export { EventStream } from './event-stream.js';
export { InvalidRequest } from './invalid-request.js';
export { block, unblock } from './room/block.js';
export { ForeignRooms, MediaUnreachable, RemovedFromRoom } from './room/errors.js';
export { report } from './room/report.js';
export { requestAccess } from './room/request-access.js';
export { accessIn, accessOf, pageLink, type RoomAccess, type RoomKey } from './room/room-access.js';
export { roomEventSourceUrl } from './room/room-event-source-url.js';
export { RoomEvents, type RoomEventsOptions } from './room/room-events.js';
export type { EventStreamOptions, StreamNotice } from './stream-notice.js';
export type { Answer, Transport, TransportRequest } from './transport.js';
