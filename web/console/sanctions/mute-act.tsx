import { silencingTypes } from '../../../src/contract/moderation/sanction-kinds.js';
import { sanctionRoutes } from '../../../src/contract/moderation/sanctions.js';
import { useProject } from '../frame/project.js';
import { Act } from '../parts/act.js';
import { commandLine } from '../parts/copy.js';
import { useMarked } from '../people/marks.js';
import { restrictionOf } from '../people/person-link.js';
import { client } from '../session/session.js';
import { useWords } from '../words/words.js';
import { undoOfRevocations, undoOfSanction } from './taken-back.js';

const muteSeconds = 600;

interface MuteActProps {
  /** External user id; null: nobody is chosen. */
  readonly id: string | null;
  readonly name: string;
  readonly isLarge?: boolean;
  readonly shortcut?: string;
}

/** Mutes for ten minutes; of somebody who is muted, takes all back that silences them. Either can be undone. */
export function MuteAct({ id, name, isLarge = false, shortcut }: MuteActProps) {
  const words = useWords();
  const { params } = useProject();
  const muted = restrictionOf(useMarked(id)?.marks, silencingTypes);
  const user = id ?? 'USER';
  const common = { isLarge, disabled: id === null, ...(shortcut === undefined ? {} : { shortcut }) };
  if (muted === null)
    return (
      <Act
        {...common}
        label={words.rooms.mute}
        run={() =>
          client.call(sanctionRoutes.create, {
            params,
            body: { type: 'mute', externalUserId: user, duration: muteSeconds },
          })
        }
        undo={(sanction) => undoOfSanction(params, sanction, words.done.muted(name))}
        line={commandLine('mute', user, '10m')}
      />
    );
  return (
    <Act
      {...common}
      label={words.rooms.unmute}
      run={() =>
        Promise.all(
          muted.ids.map((one) => client.call(sanctionRoutes.revoke, { params: { ...params, id: one }, body: {} })),
        )
      }
      undo={(revoked) => undoOfRevocations(params, revoked, words.done.unmuted(name))}
      line={commandLine('unmute', user)}
    />
  );
}
