/** Preconditions of each operation, and of each of its refusals. */
import type { ErrorCode } from '../../../src/contract/error-catalogue.js';
import type { World } from './world.js';

export type Made = Readonly<Record<string, unknown>>;
export type Headers = Readonly<Record<string, string>>;

/** Parts of a request that are not generated. Absent parts have their usual value. */
export interface Scene {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  readonly headers?: Headers;
  /** Token of the player who asks, where the operation takes one. */
  readonly player?: string;
  /** Headers that depend on the body as it is sent. */
  readonly signed?: (body: string) => Headers;
  /** The body, out of a made-up one of the contract's form; left out: that one as it is. */
  readonly body?: (made: Made) => unknown;
  /** Sent in the place of a body, as it is. */
  readonly raw?: string;
  /** Another daemon than the usual one. */
  readonly url?: string;
}

export type SceneOf = (world: World) => Scene | Promise<Scene>;

/** Reached by a test of its own, because it takes a daemon at its limits; the file must be there and say why. */
export interface Elsewhere {
  readonly file: string;
  /** Text of the catalogue about it. */
  readonly says: string;
}
export const elsewhere = (file: string, says: string): Elsewhere => ({ file, says });

export interface Case {
  /** Prepares a request that succeeds, whatever valid body is made up. */
  readonly works?: SceneOf;
  /** Each named refusal: how the request that works must differ to meet it. */
  readonly refuses?: Partial<Record<ErrorCode, SceneOf | Elsewhere>>;
}

/** Cases by operation id. */
export type Cases = Readonly<Record<string, Case>>;

/** The made-up body with these fields as they are stated; `undefined` leaves one out. */
export const but =
  (fields: Made) =>
  (made: Made): Made => ({ ...made, ...fields });
/** This body and nothing made up. */
export const just =
  (body: unknown): (() => unknown) =>
  () =>
    body;

export const bearer = (token: string): Headers => ({ Authorization: `Bearer ${token}` });
export const apiKey = (key: string): Headers => ({ 'X-API-Key': key });
