/** Searches transcripts: newest first, page by page, with the places of the words and the messages around. */
import { DomainError } from '../../../../src/contract/errors.js';
import type {
  MessageHit,
  MessageSearchPage,
  MessageSearchQuery,
} from '../../../../src/contract/sessions/message-search.js';
import type { Message } from '../../../../src/contract/sessions/sessions.js';
import { bytesOf, WithinBytes } from '../../../platform/collections/within-bytes.js';
import { FairTurns } from '../../../platform/limits/fair-turns.js';
import type { MessageRow, MessageStore } from '../message-store.js';
import type { SessionStore } from '../store.js';
import type { IndexedHit, SearchedPart, SearchStore } from './search-store.js';
import { hasSigns, marksIn, type Phrase, phrasesOf } from './search-words.js';

/** Messages as callers may see them. */
interface ShownMessage {
  shown(projectId: string, rows: readonly MessageRow[]): Promise<Message[]>;
}
interface Annotated {
  beside(messages: readonly Message[]): Promise<Message[]>;
}

const wordsMax = 16;
/** A shorter beginning would stand for too many words. */
const prefixLengthMin = 3;
const contextMs = 30_000;
const contextMax = 20;
/** How many hits one answer looks through for those with the annotation, or with signs that the index does not know. */
const [lookedAtOnce, lookedTurnsMax] = [200, 10];

/** A message with its place in the index. */
interface PlacedMessage {
  readonly message: Message;
  readonly seq: number;
}

export class MessageSearch {
  /** Each look into the index, and each hit, is a piece, so that others are served in between. */
  private readonly turns = new FairTurns('transcript_searches');

  constructor(
    private readonly index: SearchStore,
    private readonly messages: MessageStore,
    private readonly sessions: Pick<SessionStore, 'byIds'>,
    private readonly view: ShownMessage,
    private readonly annotations: Annotated,
  ) {}

  /** Throws validation_failed where the text has no words, too many, or too short a beginning. */
  async page(projectId: string, query: MessageSearchQuery): Promise<MessageSearchPage> {
    const phrases = phrasesIn(query.q);
    const { sessionId = null, roomId = null, externalUserId = null, since, until, annotation, limit, after } = query;
    const part: SearchedPart = {
      projectId,
      sessionId,
      roomId,
      externalUserId,
      since: since === undefined ? null : new Date(since),
      until: until === undefined ? null : new Date(until),
    };
    const before = after === undefined ? null : Number(after);
    const isWanted = ({ content, annotations = [] }: Message): boolean =>
      hasSigns(content, phrases) &&
      (annotation === undefined ||
        annotations.some(({ type, pluginSlug }) => type === annotation || pluginSlug === annotation));
    const { found, next } =
      annotation === undefined && phrases.every(({ signs }) => signs.length === 0)
        ? await this.found(part, phrases, before, limit)
        : await this.lookedThrough(part, phrases, before, limit, isWanted);
    const rooms = new Map(
      (await this.sessions.byIds(projectId, [...new Set(found.map((one) => one.message.sessionId))])).map((session) => [
        session.id,
        session.externalRoomId,
      ]),
    );
    const hits: MessageHit[] = [];
    const room = new WithinBytes();
    let last: PlacedMessage | null = null;
    for (const one of found) {
      const { message } = one;
      const context =
        query.context === true ? await this.turns.run(projectId, () => this.around(projectId, message)) : undefined;
      const roomId = rooms.get(message.sessionId) ?? '';
      const hit = { message, roomId, marks: marksIn(message.content, phrases), ...(context && { context }) };
      if (!room.reserve(bytesOf(hit))) return { hits, next: String(last?.seq) };
      hits.push(hit);
      last = one;
    }
    return { hits, next: next === null ? null : String(next) };
  }

  private found(
    part: SearchedPart,
    phrases: readonly Phrase[],
    before: number | null,
    limit: number,
  ): Promise<{ found: PlacedMessage[]; next: number | null }> {
    return this.turns.run(part.projectId, async () => {
      const found = await this.index.page(part, phrases, before, limit + 1);
      const taken = found.slice(0, limit);
      const next = found.length > limit ? (taken.at(-1)?.seq ?? null) : null;
      return { found: await this.read(part.projectId, taken), next };
    });
  }

  /** The index knows neither signs nor annotations, which are made after the message. */
  private async lookedThrough(
    part: SearchedPart,
    phrases: readonly Phrase[],
    after: number | null,
    limit: number,
    isWanted: (message: Message) => boolean,
  ): Promise<{ found: PlacedMessage[]; next: number | null }> {
    const kept: PlacedMessage[] = [];
    let place = after;
    for (let turn = 0; turn < lookedTurnsMax; turn += 1) {
      const before = place;
      const { found, read } = await this.turns.run(part.projectId, async () => {
        const found = await this.index.page(part, phrases, before, lookedAtOnce);
        const messages = (await this.read(part.projectId, found)).map(({ message }) => [message.id, message] as const);
        return { found, read: new Map(messages) };
      });
      for (const { seq, messageId } of found) {
        const message = read.get(messageId);
        place = seq;
        if (message === undefined || !isWanted(message)) continue;
        kept.push({ message, seq });
        if (kept.length === limit) return { found: kept, next: seq };
      }
      if (found.length < lookedAtOnce) return { found: kept, next: null };
    }
    return { found: kept, next: place };
  }

  private async read(projectId: string, found: readonly IndexedHit[]): Promise<PlacedMessage[]> {
    const ids = found.map(({ messageId }) => messageId);
    const rows = await this.messages.byIds(projectId, ids);
    const shown = await this.annotations.beside(await this.view.shown(projectId, rows));
    const byId = new Map(shown.map((message) => [message.id, message]));
    return found.flatMap(({ seq, messageId }) => {
      const message = byId.get(messageId);
      return message === undefined ? [] : [{ message, seq }];
    });
  }

  private async around(projectId: string, message: Message): Promise<Message[]> {
    return this.view.shown(projectId, await this.messages.around(projectId, message, contextMs, contextMax));
  }
}

function phrasesIn(text: string): Phrase[] {
  const phrases = phrasesOf(text);
  const words = phrases.flatMap((phrase) => phrase.words);
  if (words.length === 0) refuse('has no letter or digit; write a word, "a phrase", or the beginning of a word with *');
  if (words.length > wordsMax) refuse(`has more than ${wordsMax} words; remove some`);
  const tooShort = phrases.some(
    ({ words: own, isPrefix }) =>
      isPrefix && /^[\p{ASCII}]*$/u.test(own.at(-1) ?? '') && (own.at(-1) ?? '').length < prefixLengthMin,
  );
  if (tooShort) refuse(`write at least ${prefixLengthMin} letters before *`);
  return phrases;
}

function refuse(message: string): never {
  throw new DomainError('validation_failed', { details: [{ path: 'query.q', message }] });
}
