import { idleThresholds } from '../../client/idle-thresholds.js';

const numbers = { speechConfidenceMin: 'confidence', noSpeechProbabilityMax: 'probability of silence' };

/** Warns of thresholds that were set and have no effect with the recogniser of the project's last line. */
export const thresholdWarnings = async (...asked: Parameters<typeof idleThresholds>): Promise<string[]> =>
  (await idleThresholds(...asked)).map(
    ({ setting, engine }) =>
      `${setting} has no effect with this recogniser: the last line, by ${engine}, states no ${numbers[setting]}.`,
  );
