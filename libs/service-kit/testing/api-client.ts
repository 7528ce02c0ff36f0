import { asPeer } from './peer.ts';

/** What came back; the body is the parsed JSON, or the text when it is none. A test names the shape it expects. */
export type Answer<Body> = { readonly status: number; readonly body: Body; readonly headers: Headers };

type Names = Readonly<Record<string, string>>;
type Fields = Readonly<Record<string, unknown>>;

export type ApiClient = {
  get<Body = Fields>(path: string, headers?: Names): Promise<Answer<Body>>;
  post<Body = Fields>(path: string, body: unknown, headers?: Names): Promise<Answer<Body>>;
  put<Body = Fields>(path: string, body: unknown, headers?: Names): Promise<Answer<Body>>;
  patch<Body = Fields>(path: string, body: unknown, headers?: Names): Promise<Answer<Body>>;
  delete<Body = Fields>(path: string): Promise<Answer<Body>>;
  /** Sends a body as it is, under any content type. */
  send<Body = Fields>(path: string, body: string | Buffer<ArrayBuffer>, contentType: string): Promise<Answer<Body>>;
};

/** Speaks HTTP with a service under test, as the gateway does for one signed-in person; without a token for nobody. */
export function apiClient(url: string, token?: string): ApiClient {
  const authorization: Names = token === undefined ? {} : { authorization: `Bearer ${token}` };
  const call = async <Body>(
    path: string,
    headers: Names,
    body?: string | Buffer<ArrayBuffer>,
    method = body === undefined ? 'GET' : 'POST',
  ): Promise<Answer<Body>> => {
    const response = await fetch(`${url}${path}`, {
      headers: { ...asPeer, ...authorization, ...headers },
      method,
      ...(body !== undefined && { body }),
    });
    const text = await response.text();
    return { status: response.status, headers: response.headers, body: parseJson(text) as Body };
  };
  const callWithJson = <Body>(method: string, path: string, body: unknown, headers: Names) =>
    call<Body>(path, { 'content-type': 'application/json', ...headers }, JSON.stringify(body), method);
  return {
    get: (path, headers = {}) => call(path, headers),
    post: (path, body, headers = {}) => callWithJson('POST', path, body, headers),
    put: (path, body, headers = {}) => callWithJson('PUT', path, body, headers),
    patch: (path, body, headers = {}) => callWithJson('PATCH', path, body, headers),
    delete: (path) => call(path, {}, undefined, 'DELETE'),
    send: (path, body, contentType) => call(path, { 'content-type': contentType }, body),
  };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
