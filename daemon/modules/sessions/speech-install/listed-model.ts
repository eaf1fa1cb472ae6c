/** A model as `speech list` shows it. */
export interface ListedModel {
  readonly name: string;
  /** To be fetched. */
  readonly bytes: number;
  /** Licence of the weights. */
  readonly licence: string;
  /** ISO 639-1; `many`: about a hundred. */
  readonly languages: readonly string[] | 'many';
  /** By size and kind of the model, not measured. */
  readonly speed: 'fast' | 'medium' | 'slow';
  /** Percent, mean of the eight English sets of the Open ASR Leaderboard; null: no source is known that can be named. */
  readonly wrongWords: number | null;
  /** Hears while people speak, instead of decoding what was said again and again. */
  readonly isStreaming?: true;
}
