import { lazy, Suspense } from 'react';
import { Dialog } from '../parts/dialog.js';
import { useWords } from '../words/words.js';

const Search = lazy(() => import('./palette-search.js'));

/** One search that leads anywhere. */
export function Palette({ opened, onClose }: { readonly opened: boolean; readonly onClose: () => void }) {
  const words = useWords();
  return (
    <Dialog opened={opened} onClose={onClose} title={words.palette.title}>
      <Suspense>
        <Search onClose={onClose} />
      </Suspense>
    </Dialog>
  );
}
