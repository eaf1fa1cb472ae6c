import { useNavigate, useSearch } from '@tanstack/react-router';

/** A filter that the address keeps. */
export function useFilter(name: string): readonly [string, (value: string) => void] {
  const search = useSearch({ strict: false }) as Readonly<Record<string, unknown>>;
  const navigate = useNavigate();
  const value = search[name];
  return [
    value === undefined ? '' : String(value),
    (next) => {
      const { [name]: _, ...rest } = search;
      void navigate({ to: '.', search: next === '' ? rest : { ...rest, [name]: next }, replace: true });
    },
  ];
}
