import type { Sanction } from '../../../src/contract/moderation/sanction-record.js';

const tones: Readonly<Record<string, string>> = {
  warn: 'warn',
  mute: 'warn',
  temp_ban: 'bad',
  perm_ban: 'bad',
  human_review: 'accent',
};
export const SanctionBadge = ({
  type,
  isActive = true,
}: Partial<Pick<Sanction, 'isActive'>> & Pick<Sanction, 'type'>) => (
  <span className={`badge ${isActive ? (tones[type] ?? 'warn') : ''}`}>{type}</span>
);
