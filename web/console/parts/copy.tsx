import { CopyButton } from '@mantine/core';
import { type Command, shellLine } from '../../../src/text/command-line.js';
import { usePreferences } from '../frame/preferences.js';
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

/** Shows the commands of all pages, or hides them; kept by the browser. */
export function CliSwitch() {
  const words = useWords();
  const [{ showsCommands }, change] = usePreferences();
  return (
    <button
      type="button"
      className="cli-switch"
      aria-pressed={showsCommands}
      title={words.showCommands}
      onClick={() => change({ showsCommands: !showsCommands })}
    >
      CLI
    </button>
  );
}

/** The command that does the same, to copy; nothing where commands are hidden. */
export function CliLine({ line }: { readonly line: Command }) {
  const words = useWords();
  const text = useShellLine(line);
  const [{ showsCommands }] = usePreferences();
  if (!showsCommands) return null;
  return (
    <div className="cli-line">
      <code title={words.command}>{text}</code>
      <Copying value={text} label={words.copyLine} />
    </div>
  );
}

/** The same behind a button, where there is no room for a line. */
export function CopyLine({ line }: { readonly line: Command }) {
  const words = useWords();
  const text = useShellLine(line);
  const [{ showsCommands }] = usePreferences();
  return showsCommands ? <Copying value={text} label={words.copyCommand(text)} /> : null;
}
