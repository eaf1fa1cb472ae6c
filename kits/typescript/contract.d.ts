/** A schema of the contract. It judges the form alone: what is missing, or of another kind. */
export interface Schema<T> {
  safeParse(value: unknown):
    | { readonly success: true; readonly data: T; readonly error?: undefined }
    | {
        readonly success: false;
        readonly data?: undefined;
        readonly error: {
          readonly issues: readonly { readonly path: readonly (string | number)[]; readonly message: string }[];
        };
      };
}

/** An operation of the daemon. Its type says what a call takes and what comes back. */
export interface Route<Input = never, Answer = unknown> {
  readonly operationId: string;
  readonly method: 'get' | 'post' | 'put' | 'patch' | 'delete';
  /** Absolute, with `{name}` for parameters. */
  readonly path: string;
  /** Exists in the type alone. */
  readonly types?: { readonly input: (input: Input) => void; readonly answer: Answer };
}

/** Parts of a call that a client states: `params`, `query`, `headers` and `body`, as far as the operation has them. */
export type CallInput<R extends Route> = R extends Route<infer Input, infer _Answer> ? Input : never;

/** The body of the success answer; undefined where there is none. */
export type Result<R extends Route> = R extends Route<infer _Input, infer Answer> ? Answer : never;
