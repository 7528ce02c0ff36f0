/** What came back; the body is the parsed JSON, or the text when it is none. A test names the shape it expects. */
export type Answer<Body> = { readonly status: number; readonly body: Body; readonly headers: Headers };

type Names = Readonly<Record<string, string>>;
type Fields = Readonly<Record<string, unknown>>;

export type ApiClient = {
  get<Body = Fields>(path: string, headers?: Names): Promise<Answer<Body>>;
  post<Body = Fields>(path: string, body: unknown, headers?: Names): Promise<Answer<Body>>;
  /** Sends a body as it is, under any content type. */
  send<Body = Fields>(path: string, body: string | Buffer<ArrayBuffer>, contentType: string): Promise<Answer<Body>>;
};

/** Speaks HTTP with a service under test as one signed-in person; without a token as nobody. */
export function apiClient(url: string, token?: string): ApiClient {
  const authorization: Names = token === undefined ? {} : { authorization: `Bearer ${token}` };
  const call = async <Body>(
    path: string,
    headers: Names,
    body?: string | Buffer<ArrayBuffer>,
  ): Promise<Answer<Body>> => {
    const response = await fetch(`${url}${path}`, {
      headers: { ...authorization, ...headers },
      ...(body !== undefined && { method: 'POST', body }),
    });
    const text = await response.text();
    return { status: response.status, headers: response.headers, body: parsed(text) as Body };
  };
  return {
    get: (path, headers = {}) => call(path, headers),
    post: (path, body, headers = {}) =>
      call(path, { 'content-type': 'application/json', ...headers }, JSON.stringify(body)),
    send: (path, body, contentType) => call(path, { 'content-type': contentType }, body),
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
