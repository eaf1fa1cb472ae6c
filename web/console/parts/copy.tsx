import { ActionIcon, CopyButton, Tooltip } from '@mantine/core';
import { useWords } from '../words/words.js';
import { Icon } from './icon.js';

export function Copying({ value, label }: { readonly value: string; readonly label: string }) {
  const words = useWords();
  return (
    <CopyButton value={value}>
      {({ copied, copy }) => (
        <Tooltip label={copied ? words.copied : label} openDelay={200}>
          <ActionIcon variant="subtle" size="xs" color="gray" aria-label={label} onClick={copy}>
            <Icon name={copied ? 'done' : 'copy'} />
          </ActionIcon>
        </Tooltip>
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

/** One word of a shell, quoted where it must be (POSIX, 2.2). */
const quoted = (text: string): string => (/^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`);

/** A command line; undefined parts are left out. */
export const commandLine = (...parts: readonly (string | undefined)[]): string =>
  ['earshot', ...parts.filter((part) => part !== undefined).map(quoted)].join(' ');

/** The command that does the same, to copy. */
export function CliLine({ line }: { readonly line: string }) {
  const words = useWords();
  return (
    <div className="cli-line">
      <code title={words.command}>{line}</code>
      <Copying value={line} label={words.copyLine} />
    </div>
  );
}
