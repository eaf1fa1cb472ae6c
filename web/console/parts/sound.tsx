/** Fetches a recording when it is wanted, and plays it. */
import { ActionIcon } from '@mantine/core';
import { useEffect, useState } from 'react';
import { useWords } from '../words/words.js';
import { type Command, CopyLine } from './copy.js';
import { Icon } from './icon.js';
import { Refusal } from './refusal.js';
import { useIntent } from './use-intent.js';

interface SoundProps {
  /** Such as `Play what Ana says`. */
  readonly label: string;
  /** A WAV file. */
  readonly fetch: () => Promise<Uint8Array<ArrayBuffer>>;
  /** The command that saves it. */
  readonly line: Command;
}

export function Sound({ label, fetch, line }: SoundProps) {
  const words = useWords();
  const [url, setUrl] = useState<string | null>(null);
  const fetching = useIntent({
    rests: false,
    mutationFn: async () => URL.createObjectURL(new Blob([await fetch()], { type: 'audio/wav' })),
    onSuccess: setUrl,
  });
  useEffect(() => () => URL.revokeObjectURL(url ?? ''), [url]);
  return (
    <span className="act">
      {url === null ? (
        <ActionIcon
          variant="subtle"
          size="sm"
          aria-label={label}
          loading={fetching.isPending}
          onClick={() => fetching.start()}
        >
          <Icon name="play" />
        </ActionIcon>
      ) : (
        // biome-ignore lint/a11y/useMediaCaption: the transcript is the caption
        <audio controls autoPlay aria-label={words.sound} src={url} />
      )}
      <CopyLine line={line} />
      <Refusal error={fetching.error} />
    </span>
  );
}
