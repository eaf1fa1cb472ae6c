import { useQuery } from '@tanstack/react-query';
import { byFetch } from '../../../src/client/transport.js';
import { baseUrl } from '../../base.js';

const shownMax = 600;

/** `rooms: What is wrong, and the remedy.`, a line each; the text itself where it is none of the daemon's. */
function linesOf(text: string): string {
  try {
    const { problems } = JSON.parse(text) as { readonly problems: readonly { part: string; problem: string }[] };
    return problems.map(({ part, problem }) => `${part}: ${problem}`).join('\n');
  } catch {
    return text;
  }
}

/** What keeps the daemon from being ready, in its own words; null: nothing; undefined: not known yet. */
export function useHealth(): string | null | undefined {
  const { data } = useQuery({
    queryKey: ['health'],
    queryFn: async () => {
      const answer = await byFetch(new URL(`${baseUrl}/health/ready`), { method: 'GET', headers: {} });
      return answer.ok ? null : linesOf(await answer.text()).slice(0, shownMax);
    },
    refetchInterval: 10_000,
    retry: false,
  });
  return data;
}
