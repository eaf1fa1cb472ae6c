/** What a deletion takes along, asked when somebody is about to delete. */
import { seasonRoutes } from '../../../src/contract/gameplay/season-routes.js';
import { useProject } from '../frame/project.js';
import { Refusal } from '../parts/refusal.js';
import { useRead } from '../parts/use-read.js';
import { useWords } from '../words/all-words.js';

export function Loss({ id, text }: { readonly id: string; readonly text: string }) {
  const words = useWords().gameplay;
  const { params } = useProject();
  const { data, error } = useRead(seasonRoutes.progress, { params: { ...params, id } });
  return (
    <>
      {text}
      <Refusal error={error} />
      {data !== undefined && <strong> {words.playersLosing(data.players)}</strong>}
    </>
  );
}
