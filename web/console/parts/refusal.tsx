/** What the daemon refused: at the field that it names, else as a note. */
import { Alert, Button } from '@mantine/core';
import { ApiError } from '../../../src/client/errors.js';
import { useWords } from '../words/words.js';

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** The refusal of a field of the body, such as `duration`. */
export function fieldError(error: unknown, field: string): string | null {
  if (!(error instanceof ApiError)) return null;
  const found = error.details.filter(({ path }) => path === field || path.startsWith(`${field}.`));
  return found.length === 0 ? null : found.map(({ message }) => message).join('. ');
}

interface RefusalProps {
  readonly error: unknown;
  /** Fields of the form, which show their own refusals. */
  readonly fields?: readonly string[];
  readonly onRetry?: () => void;
}

export function Refusal({ error, fields = [], onRetry }: RefusalProps) {
  const words = useWords();
  if (error === null || error === undefined) return null;
  const atFields = error instanceof ApiError && error.details.length > 0;
  if (
    atFields &&
    error.details.every(({ path }) => fields.some((field) => path === field || path.startsWith(`${field}.`)))
  )
    return null;
  const details = atFields ? error.details.map(({ path, message }) => `${path}: ${message}`).join('. ') : '';
  return (
    <Alert color="red" variant="light" role="alert" p="xs">
      {messageOf(error)} {details}
      {onRetry !== undefined && (
        <Button size="compact-xs" variant="subtle" color="red" onClick={onRetry}>
          {words.retry}
        </Button>
      )}
    </Alert>
  );
}
