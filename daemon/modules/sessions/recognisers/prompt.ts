/** A vocabulary as the prompt of OpenAI's interfaces. */

const promptCharactersMax = 800;

/** As much of the vocabulary as services read: Whisper takes 224 tokens. */
export function promptOf(vocabulary: readonly string[]): string | undefined {
  let prompt = '';
  for (const word of vocabulary) {
    const longer = prompt === '' ? word : `${prompt}, ${word}`;
    if (longer.length > promptCharactersMax) break;
    prompt = longer;
  }
  return prompt === '' ? undefined : prompt;
}

/** Words and names of a prompt. */
export const vocabularyOf = (prompt: string): string[] => prompt.split(/[,\n]/);
