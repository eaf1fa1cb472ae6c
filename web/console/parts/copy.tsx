import { CopyButton } from '@mantine/core';
import { type Command, shellLine } from '../../../src/text/command-line.js';
import { useProjectFlag } from '../frame/project.js';
import { useWords } from '../words/words.js';
import { Icon } from './icon.js';

export function Copying({ value, label }: { readonly value: string; readonly label: string }) {
  const words = useWords();
  return (
    <CopyButton value={value}>
      {({ copied, copy }) => (
        <button type="button" className="copy" title={copied ? words.copied : label} aria-label={label} onClick={copy}>
          <Icon name={copied ? 'done' : 'copy'} />
        </button>
      )}
    </CopyButton>
  );
}

/** An id: its end, and a button for all of it. */
export function Id({ id }: { readonly id: string }) {
  const words = useWords();
  return (
    <span className="id">
      <code title={id}>{id.length > 14 ? `…${id.slice(-8)}` : id}</code>
      <Copying value={id} label={words.copyId(id)} />
    </span>
  );
}

export { accountLine, type Command, commandLine, type Flag } from '../../../src/text/command-line.js';

/** The command as it is typed, with the project where the account reaches several. */
function useShellLine(command: Command): string {
  return shellLine(command, useProjectFlag());
}

/** The command that does the same, to copy. */
export function CliLine({ line }: { readonly line: Command }) {
  const words = useWords();
  const text = useShellLine(line);
  return (
    <div className="cli-line">
      <code title={words.command}>{text}</code>
      <Copying value={text} label={words.copyLine} />
    </div>
  );
}

/** The same behind a button, where there is no room for a line. */
export function CopyLine({ line }: { readonly line: Command }) {
  const text = useShellLine(line);
  return <Copying value={text} label={useWords().copyCommand(text)} />;
}
