import { lazy, Suspense, useEffect, useState } from 'react';
import { Dialog } from '../parts/dialog.js';
import { isTyping } from '../parts/keys.js';
import { useWords } from '../words/words.js';

const Search = lazy(() => import('./palette-search.js'));

interface PaletteProps {
  readonly opened: boolean;
  readonly onClose: () => void;
}

/** One search that leads anywhere and acts on anything. What is typed before its field is there is kept for it. */
export function Palette({ opened, onClose }: PaletteProps) {
  const words = useWords();
  const [text, setText] = useState('');
  useEffect(() => {
    if (!opened) return setText('');
    const typed = (event: KeyboardEvent) => {
      if (isTyping(event.target) || event.key.length !== 1 || event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault();
      event.stopPropagation();
      setText((before) => before + event.key);
    };
    addEventListener('keydown', typed, true);
    return () => removeEventListener('keydown', typed, true);
  }, [opened]);
  return (
    <Dialog opened={opened} onClose={onClose} title={words.palette.title}>
      <Suspense>
        <Search text={text} onText={setText} onClose={onClose} />
      </Suspense>
    </Dialog>
  );
}
