import { demoPeople } from './people.ts';

const mostAttempts = 20;

export type SeedOptions = {
  readonly url: string;
  /** Themselves: whoever shows their credential may log a history, have its recap built and read how far they are. */
  readonly services: {
    readonly urls: Readonly<Record<'activity' | 'scoring' | 'social', string>>;
    readonly credential: string;
  };
  readonly timeZone: string;
  /** Somebody connects it, which must not be tried at the real one. */
  readonly isStravaSimulated: boolean;
  readonly print: (line: string) => void;
  readonly appointAdmin: (email: string) => Promise<void>;
  readonly confirmAddresses: (emails: readonly string[]) => Promise<void>;
};

export type Joined = { readonly id: string; readonly token: string };

export function personOf(joined: readonly Joined[], name: string): Joined {
  const found = joined[demoPeople.findIndex((one) => `${one.name} `.startsWith(`${name} `))];
  if (!found) throw new Error(`The demo has no ${name}`);
  return found;
}

export const bearer = ({ token }: { token: string }) => ({ authorization: `Bearer ${token}` });

export async function send(
  method: 'POST' | 'PUT' | 'PATCH',
  url: string,
  body: object,
  headers: Record<string, string> = {},
): Promise<unknown> {
  for (let attempt = 1; ; attempt += 1) {
    const response = await fetch(url, {
      method,
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    });
    if (response.ok) return response.json();
    const problem = await response.text();
    const waitSeconds = Number(response.headers.get('retry-after'));
    if (waitSeconds === 0 || attempt === mostAttempts)
      throw new Error(`The demo could not be filled: ${url} answered ${response.status} ${problem}`);
    await new Promise((resolve) => setTimeout(resolve, waitSeconds * 1000));
  }
}
