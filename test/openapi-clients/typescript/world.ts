/** Values from the test that runs these programs, and the reading of a stream by hand. */
const given = (name: string): string => {
  const value = process.env[name];
  if (value === undefined) throw new Error(`${name} is missing.`);
  return value;
};

export const environment = {
  url: given('DAEMON_URL'),
  apiKey: given('DAEMON_API_KEY'),
  projectId: given('DAEMON_PROJECT'),
  email: given('DAEMON_EMAIL'),
  password: given('DAEMON_PASSWORD'),
  /** An offer of a client that speaks. */
  offerSdp: given('OFFER_SDP'),
};

/** Type of the first event of sanctions in the stream; null when it ends before. */
export async function sanctionIn(stream: ReadableStream<Uint8Array> | null): Promise<string | null> {
  if (stream === null) return null;
  let text = '';
  const decoder = new TextDecoder();
  for await (const chunk of stream) {
    text += decoder.decode(chunk, { stream: true });
    const found = /"type":"(sanction\.[a-z]+)"/.exec(text);
    if (found?.[1] !== undefined) return found[1];
  }
  return null;
}
