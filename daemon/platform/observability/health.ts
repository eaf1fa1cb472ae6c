/** Whether the daemon can do its work now, asked of the parts that can fail while it runs. */
export interface Problem {
  readonly part: string;
  /** What is wrong and what to do. */
  readonly problem: string;
}

export interface Probe {
  readonly part: string;
  /** null when all is well; throws, or takes too long, when it is not. */
  look(): Promise<string | null> | string | null;
}

const patienceMs = 2_000;

export class Health {
  constructor(private readonly probes: readonly Probe[]) {}

  /** Empty when the daemon is ready. */
  async problems(): Promise<readonly Problem[]> {
    const found = await Promise.all(this.probes.map(async ({ part, look }) => ({ part, problem: await judged(look) })));
    return found.flatMap(({ part, problem }) => (problem === null ? [] : [{ part, problem }]));
  }
}

async function judged(look: Probe['look']): Promise<string | null> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<string>((resolve) => {
    timer = setTimeout(resolve, patienceMs, `did not answer within ${patienceMs} ms`);
  });
  try {
    return await Promise.race([Promise.resolve().then(look), late]);
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  } finally {
    clearTimeout(timer);
  }
}
