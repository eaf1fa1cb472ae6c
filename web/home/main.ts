/** The start page, `GET /` in a browser: which program answers here, whether it works, and where to go on. */
import { baseUrl } from '../base.js';
import { byId } from '../elements.js';

async function answerOf<Body>(path: string): Promise<Body | null> {
  try {
    return await (await fetch(baseUrl + path, { cache: 'no-store' })).json();
  } catch {
    return null;
  }
}

function healthText(health: { problems: { part: string; problem: string }[] } | null): string {
  if (health === null) return 'Earshot does not answer. Reload in a moment.';
  if (health.problems.length === 0) return 'Ready';
  return health.problems.map(({ part, problem }) => `${part}: ${problem}`).join('; ');
}

byId('command', HTMLElement).textContent = `earshot login --url ${baseUrl}`;
void answerOf<{ version?: string }>('/api').then((greeting) => {
  // A daemon without the role http has no API.
  byId('version', HTMLElement).textContent = greeting?.version ?? 'unknown: there is no API at this address';
});
void answerOf<Parameters<typeof healthText>[0]>('/health/ready').then((health) => {
  byId('health', HTMLElement).textContent = healthText(health);
});
