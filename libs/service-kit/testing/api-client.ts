/** What came back; the body is the parsed JSON, or the text when it is none. */
export type Answer = { readonly status: number; readonly body: any; readonly headers: Headers };

export type ApiClient = {
  get(path: string, headers?: Readonly<Record<string, string>>): Promise<Answer>;
  post(path: string, body: unknown, headers?: Readonly<Record<string, string>>): Promise<Answer>;
  /** Sends a body as it is, under any content type. */
  send(path: string, body: string | Buffer, contentType: string): Promise<Answer>;
};

/** Speaks HTTP with a service under test as one signed-in person; without a token as nobody. */
export function apiClient(url: string, token?: string): ApiClient {
  const authorization: Record<string, string> = token === undefined ? {} : { authorization: `Bearer ${token}` };
  const call = async (path: string, init: RequestInit): Promise<Answer> => {
    const response = await fetch(`${url}${path}`, {
      ...init,
      headers: { ...authorization, ...(init.headers as Record<string, string> | undefined) },
    });
    const text = await response.text();
    return { status: response.status, headers: response.headers, body: parsed(text) };
  };
  const post = (path: string, body: string | Buffer, headers: Readonly<Record<string, string>>) =>
    call(path, { method: 'POST', body: body as BodyInit, headers });
  return {
    get: (path, headers = {}) => call(path, { headers }),
    post: (path, body, headers = {}) =>
      post(path, JSON.stringify(body), { 'content-type': 'application/json', ...headers }),
    send: (path, body, contentType) => post(path, body, { 'content-type': contentType }),
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
