/** The transcript of a session, whole. */
import type { EarshotClient } from '../../client/earshot-client.js';
import { type Message, sessionRoutes, transcriptPageMax } from '../../contract/sessions/sessions.js';

/** All pages, in the order in which lines were spoken, also those that are stored meanwhile. */
export async function wholeTranscript(
  client: EarshotClient,
  params: { readonly projectId: string; readonly id: string },
): Promise<Message[]> {
  const all: Message[] = [];
  for (let page: Message[] | null = null; page === null || page.length > 0; ) {
    const query = { limit: transcriptPageMax, order: 'stored', after: all.at(-1)?.id } as const;
    page = await client.call(sessionRoutes.messages, { params, query });
    for (const message of page) all.push(message);
  }
  return all.sort((a, b) => (placeOf(a) < placeOf(b) ? -1 : 1));
}

const placeOf = ({ timestamp, id }: Message): string => `${timestamp} ${id}`;
