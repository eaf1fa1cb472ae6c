/** Filters above a list. */
import { NativeSelect, TextInput } from '@mantine/core';
import type { ComponentProps } from 'react';

interface FilterProps {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
}

export const TextFilter = ({ label, value, onChange, isDate = false }: FilterProps & { readonly isDate?: boolean }) => (
  <TextInput
    {...(isDate ? { type: 'date', max: '9999-12-31' } : { placeholder: label })}
    aria-label={label}
    value={value}
    onChange={(event) => onChange(event.currentTarget.value)}
  />
);

interface ChoiceFilterProps extends FilterProps {
  readonly choices: ComponentProps<typeof NativeSelect>['data'];
}

export const ChoiceFilter = ({ label, value, onChange, choices }: ChoiceFilterProps) => (
  <NativeSelect
    aria-label={label}
    value={value}
    onChange={(event) => onChange(event.currentTarget.value)}
    data={choices}
  />
);
