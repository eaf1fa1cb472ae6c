import { Checkbox } from '@mantine/core';
import { useWords } from '../words/all-words.js';

interface MadeAccessProps {
  /** Names of keys and of open invitations. */
  readonly open: readonly string[];
  /** Addresses of people who have accepted an invitation. */
  readonly members: readonly string[];
  readonly withdraws: boolean;
  readonly onChange: (withdraws: boolean) => void;
}

/** Shows what somebody gave to others who is about to lose their own access, and asks whether it ends with it. */
export function MadeAccess({ open, members, withdraws, onChange }: MadeAccessProps) {
  const own = useWords().madeAccess;
  return (
    <>
      {open.length > 0 && (
        <>
          <p>{own.open(open.join(', '))}</p>
          <Checkbox
            label={own.withdraw}
            checked={withdraws}
            onChange={(event) => onChange(event.currentTarget.checked)}
          />
        </>
      )}
      {members.length > 0 && <p>{own.members(members.join(', '))}</p>}
    </>
  );
}
