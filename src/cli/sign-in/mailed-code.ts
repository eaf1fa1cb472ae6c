/** The code that a login takes while its account is being guessed at. */
import { ApiError } from '../../client/errors.js';
import { ask, canAsk, explain } from '../../terminal/questions.js';

/**
 * Sends what proves a password. Where the daemon has mailed a code, asks for it on a terminal and sends the same with the
 * code; elsewhere says how to repeat the command.
 */
export async function withMailedCode<Answer>(
  given: string | undefined,
  send: (code: { readonly code?: string }) => Promise<Answer>,
  say: (line: string) => void,
): Promise<Answer> {
  return send(given === undefined ? {} : { code: given }).catch(async (error: unknown) => {
    if (!(error instanceof ApiError) || error.code !== 'login_code_sent') throw error;
    if (!canAsk()) {
      say('When the code has arrived, run the same command with --code CODE.');
      throw error;
    }
    explain(error.message);
    return send({ code: (await ask('Code from the e-mail', '--code')).replaceAll(/\s/g, '') });
  });
}
