import { useQuery } from '@tanstack/react-query';
import { byFetch } from '../../../src/client/transport.js';

/** What keeps the daemon from being ready, in its own words; null: nothing. */
export function useHealth(): string | null {
  const { data = null } = useQuery({
    queryKey: ['health'],
    queryFn: async () => {
      const answer = await byFetch(new URL('/health/ready', location.origin), { method: 'GET', headers: {} });
      return answer.ok ? null : (await answer.text()).slice(0, 300);
    },
    refetchInterval: 10_000,
    retry: false,
  });
  return data;
}
