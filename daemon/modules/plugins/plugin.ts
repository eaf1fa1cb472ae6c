/** A plugin as the host runs it: part of the program, code in the sandbox, or an endpoint. */
import { z } from 'zod';
import { FreeData, Id } from '../../../src/contract/common.js';
import type { DomainEvent } from '../../../src/contract/events.js';
import { refuseUnusableText } from '../../platform/http/text.js';
import { BlockedAddress } from '../../platform/outbound/outbound.js';
import type { Manifest } from './catalogue/manifest.js';

/** The settings of an instance, secrets included. */
export type PluginSettings = z.infer<typeof FreeData>;

/** One run. */
export interface PluginRun {
  /** Id of the run, the same at every attempt; part of the `Idempotency-Key` of calls that the plugin makes. */
  readonly actionId: string;
  readonly instanceId: string;
  readonly tenantId: string;
  readonly projectId: string;
  readonly settings: PluginSettings;
  /** null: a summary of the session was asked for. */
  readonly event: DomainEvent | null;
  /** The session that the event is about, where it is about one. */
  readonly sessionId: string | null;
}

/** Annotations of one run. */
const findingsMax = 20;
/** Largest content of an annotation, as JSON. */
const contentCharactersMax = 16_384;

/** It is not too long, and every database can hold it. */
function isStorable(value: unknown): boolean {
  try {
    refuseUnusableText(value, 'content');
    return JSON.stringify(value).length <= contentCharactersMax;
  } catch {
    return false;
  }
}

/** Result of a plugin about the message of the event, another message, or (without one) a session. */
const Finding = z.object({
  type: z
    .string()
    .max(60)
    .regex(/^[a-z][a-z0-9_-]*$/, 'a type is written like off-topic'),
  content: FreeData.refine(isStorable, `content is at most ${contentCharactersMax} characters of JSON, without NUL`),
  messageId: Id.optional(),
  sessionId: Id.optional(),
});
export type PluginFinding = z.infer<typeof Finding>;

/** Return value of a plugin: nothing, or its annotations. */
export const Findings = z
  .object({ annotations: z.array(Finding).max(findingsMax).default([]) })
  .nullish()
  .transform((found) => found?.annotations ?? []);

/** A run that cannot succeed now and may later: the host tries it again. */
export class TryAgain extends Error {
  override name = 'TryAgain';
}

/** A call that got no answer may get one later, unless the address may not be called at all. */
export function unanswered(error: unknown): never {
  if (error instanceof BlockedAddress) throw error;
  throw new TryAgain(error instanceof Error ? error.message : String(error));
}

/** A run that there is no reason for. */
export class Skip extends Error {
  override name = 'Skip';
}

export interface RunnablePlugin {
  readonly manifest: Manifest;
  /**
   * Calls `onStart` when a run that had to wait for its turn begins. Throws TryAgain, Skip, and anything else where the
   * run has failed.
   */
  run(run: PluginRun, onStart: () => void): Promise<readonly PluginFinding[]>;
  /** Types of its session annotations that a new one replaces. */
  readonly replaces?: readonly string[];
}
