import { Pool } from 'undici';
import { outcomeOf, type Tally } from './tally.ts';

/** As many as a browser of each person would open; waiting for one of the client's own would hide what the product does. */
const connections = 1_024;
const patienceMilliseconds = 15_000;

export type Asked = {
  /** What it is called in figures; its path unless said otherwise. */
  readonly act?: string;
  readonly method?: 'GET' | 'POST' | 'PUT';
  readonly path: string;
  readonly token: string;
  readonly body?: object | Buffer;
};

class NotGood extends Error {}

/** Of a problem document. */
const codeIn = (text: string): string => {
  const [, code] = /urn:caravan:problem:([a-z/-]+)/.exec(text) ?? [];
  return code === undefined ? '' : ` ${code}`;
};

/** People's requests, each counted. */
export class Visitors {
  private readonly pool: Pool;

  constructor(
    readonly url: string,
    public tally: Tally,
  ) {
    const timeOuts = { headersTimeout: patienceMilliseconds, bodyTimeout: patienceMilliseconds };
    this.pool = new Pool(url, { connections, pipelining: 1, ...timeOuts });
  }

  /** Throws when it was not answered well. */
  async ask({ path, act = path, method = 'GET', token, body }: Asked): Promise<unknown> {
    const { tally } = this;
    const sentAt = performance.now();
    const bytes = Buffer.isBuffer(body) ? body : body && Buffer.from(JSON.stringify(body));
    const type = Buffer.isBuffer(body) ? 'image/jpeg' : 'application/json';
    try {
      const answer = await this.pool.request({
        method,
        path,
        headers: {
          ...(token !== '' && { authorization: `Bearer ${token}` }),
          ...(bytes && { 'content-type': type, 'content-length': String(bytes.length) }),
        },
        ...(bytes && { body: bytes }),
      });
      const text = await answer.body.text();
      const outcome = outcomeOf(answer.statusCode, String(answer.headers['retry-after']));
      tally.note(act, outcome, performance.now() - sentAt);
      if (outcome !== 'good') throw new NotGood(`${act} ${answer.statusCode}${codeIn(text)}`);
      return text === '' ? undefined : (JSON.parse(text) as unknown);
    } catch (error) {
      if (!(error instanceof NotGood)) tally.note(act, 'failed', performance.now() - sentAt);
      tally.noteFailure(error instanceof NotGood ? error.message : `${act} ${String(error)}`);
      throw error;
    }
  }

  /** As a page does: at once. */
  async askAll(paths: readonly string[], token: string): Promise<void> {
    await Promise.all(paths.map((path) => this.ask({ path, token })));
  }

  close(): Promise<void> {
    return this.pool.destroy();
  }
}
