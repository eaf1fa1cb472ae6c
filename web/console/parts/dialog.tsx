import { Modal } from '@mantine/core';
import type { PropsWithChildren, ReactNode } from 'react';
import { useWords } from '../words/words.js';

interface DialogProps {
  readonly opened: boolean;
  /** Left out: nothing but what is in the dialog closes it. */
  readonly onClose?: () => void;
  readonly title: ReactNode;
  readonly size?: 'md' | 'lg';
  /** Hides the page behind it. */
  readonly isOpaque?: boolean;
}

/** Marks the first field, which has the focus then; without it the button that closes the dialog would. */
function markFirstField(body: HTMLDivElement | null): void {
  if (body === null || body.querySelector('[data-autofocus]') !== null) return;
  body.querySelector('input, select, textarea')?.setAttribute('data-autofocus', '');
}

/** A dialog without motion, and without the library's lock of scrolling, which writes a style element of its own. */
export function Dialog({
  opened,
  onClose,
  title,
  size = 'md',
  isOpaque = false,
  children,
}: PropsWithChildren<DialogProps>) {
  const words = useWords();
  if (!opened) return null;
  const closes = onClose !== undefined;
  return (
    <Modal
      opened
      onClose={onClose ?? (() => {})}
      title={title}
      size={size}
      lockScroll={false}
      transitionProps={{ duration: 0 }}
      withCloseButton={closes}
      closeOnEscape={closes}
      closeOnClickOutside={closes}
      closeButtonProps={{ 'aria-label': words.close }}
      {...(isOpaque ? { overlayProps: { backgroundOpacity: 1 } } : {})}
    >
      <div ref={markFirstField}>{children}</div>
    </Modal>
  );
}
