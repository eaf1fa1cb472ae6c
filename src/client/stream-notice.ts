/** Selection of the events that a stream follows, and notices to its reader. */
import type { EarshotEvent } from '../contract/events.js';
import type { PartialMessage } from '../contract/sessions/partial-messages.js';

export interface EventStreamOptions {
  /** null: every project of the tenant that the credential may read. */
  readonly projectId: string | null;
  /** Comma-separated; a trailing `*` is a wildcard. */
  readonly types?: string | undefined;
  /** Comma-separated: `kind:id` or a bare id. */
  readonly resources?: string | undefined;
  /** Limits the stream to events about this person: an external user id or participant id. */
  readonly user?: string | undefined;
  /** `earliest`, an event id or a time; default: from now on. */
  readonly since?: string | undefined;
  /** Also what people are saying, while they say it. */
  readonly partials?: boolean | undefined;
}

export type StreamNotice =
  | { readonly kind: 'connected' }
  /** `text` is the envelope as it came: the very bytes of a webhook's body. */
  | { readonly kind: 'event'; readonly event: EarshotEvent; readonly text: string }
  /** What somebody is saying; `content` is empty where no message follows. It may be lost, and it is not repeated. */
  | { readonly kind: 'partial'; readonly partial: PartialMessage }
  /** The daemon does not keep `lastEventId` any more; every event that it keeps follows. */
  | { readonly kind: 'gap'; readonly lastEventId: string; readonly oldestId: string | null }
  /** Connects again by itself after the wait. A listener that does not want to wait throws the error. */
  | { readonly kind: 'lost'; readonly reason: string; readonly error: Error; readonly retryInMs: number };
