import { Dialog } from '../parts/dialog.js';
import { screens } from '../screens.js';
import { useWords } from '../words/all-words.js';

export default function KeysList({ onClose }: { readonly onClose: () => void }) {
  const words = useWords();
  const groups: readonly (readonly [string, readonly (readonly [string, string])[]])[] = [
    [
      words.keys.everywhere,
      [
        ['Ctrl K', words.keys.palette],
        ['z', words.keys.undo],
        ['?', words.keys.list],
        ...screens.map(({ key, title }) => [`g ${key}`, words.keys.goTo(title(words))] as const),
      ],
    ],
    [
      words.keys.tables,
      [
        ['j ↓', words.keys.next],
        ['k ↑', words.keys.previous],
        ['Enter', words.keys.open],
        [words.keys.space, words.keys.select],
      ],
    ],
    [
      words.keys.inRoom,
      [
        ['m', words.rooms.mute],
        ['x', words.rooms.kick],
        ['b', words.rooms.ban],
        ['n', words.rooms.writeNote],
        ['a', words.rooms.announce],
      ],
    ],
    [
      words.keys.inCase,
      [
        ['l', words.cases.claim],
        ['r', words.cases.release],
        ['s', words.cases.sanctionPerson],
        ['b', words.cases.banDay],
        ['v', words.cases.noViolation],
        ['i', words.cases.tooLittle],
        ['f', words.cases.unfounded],
        ['e', words.cases.escalate],
        ['m', words.cases.merge],
        ['y', words.cases.confirm],
        ['d', words.cases.turnDown],
        ['u', words.cases.uphold],
        ['o', words.cases.overturn],
        ['n', words.cases.next],
      ],
    ],
  ];
  return (
    <Dialog opened onClose={onClose} title={words.keys.title}>
      {groups.map(([title, keys]) => (
        <section key={title}>
          <h2>{title}</h2>
          <dl className="facts">
            {keys.map(([key, does]) => (
              <div key={key} style={{ display: 'contents' }}>
                <dt>
                  <kbd>{key}</kbd>
                </dt>
                <dd>{does}</dd>
              </div>
            ))}
          </dl>
        </section>
      ))}
    </Dialog>
  );
}
