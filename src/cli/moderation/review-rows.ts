/** Reviews with `who` they are about, by the name that people know. */
import type { EarshotClient } from '../../client/earshot-client.js';
import type { Review } from '../../contract/moderation/reviews.js';
import { participantNames } from '../people/participant-names.js';
import { personWords } from '../people/person-words.js';

export async function withWho(
  client: EarshotClient,
  projectId: string,
  reviews: readonly Review[],
): Promise<(Review & { readonly who: string | null })[]> {
  const ids = reviews.flatMap(({ participantId }) => participantId ?? []);
  const names = await participantNames({ client, projectId }, ids);
  return reviews.map((one) => {
    const { participantId, externalUserId } = one;
    const name = names.get(participantId ?? '');
    return { ...one, who: externalUserId === null ? null : personWords(name ?? externalUserId, externalUserId) };
  });
}
