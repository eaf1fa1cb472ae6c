/** The daemon said no; `message` says what to do. */
export class Refusal extends Error {
  constructor(
    readonly status: number,
    message: string,
  ) {
    super(message);
  }

  /** Whether asking again later can help. */
  get isPassing(): boolean {
    return this.status === 429 || this.status >= 500;
  }
}

export async function refusalOf(response: Response): Promise<Refusal> {
  const body: unknown = await response.json().catch(() => null);
  const message = typeof body === 'object' && body !== null && 'message' in body ? String(body.message) : '';
  return new Refusal(response.status, message || `The daemon answered ${response.status}.`);
}
