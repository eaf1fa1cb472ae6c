import { kindOf } from '../../../src/contract/moderation/sanction-kinds.js';
import type { Sanction } from '../../../src/contract/moderation/sanction-record.js';
import { useWords } from '../words/words.js';

const toneOf = (type: Sanction['type']): string => {
  const { told, restricts } = kindOf(type);
  if (told === 'never') return 'accent';
  return restricts === 'account' ? 'bad' : 'warn';
};
type SanctionBadgeProps = Partial<Pick<Sanction, 'isActive'>> & Pick<Sanction, 'type'>;

export const SanctionBadge = ({ type, isActive = true }: SanctionBadgeProps) => (
  <span className={`badge ${isActive ? toneOf(type) : ''}`}>{useWords().sanctions.types[type]}</span>
);
