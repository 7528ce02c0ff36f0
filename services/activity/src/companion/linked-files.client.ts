import { type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import type { LookupFunction } from 'node:net';
import { companionWords, type LinkedFile } from '@caravan/contracts/http/companion';
import { mostPhotoBytes } from '@caravan/contracts/http/photos';
import { Rejected } from '@caravan/kernel/rejected';
import { publicLookup } from '@caravan/service-kit/http/public-lookup';
import { linkedFileOf, linkOf, type LinkRules, unreachable } from './link.ts';
import { tooLarge } from './storage-call.ts';

const lookMilliseconds = 10_000;
/** Of a whole file; see `wantedSeconds`. */
export const fetchMilliseconds = 50_000;
const mostRedirections = 5;
const redirections = new Set([301, 302, 303, 307, 308]);

type Fetched = LinkedFile & { readonly bytes: Buffer };
/** Hears how much has come, of how much. */
type Moved = (bytes: number, size: number | null) => void;
type Arriving = { readonly file: LinkedFile; readonly answer: IncomingMessage };

/** Fetches what members name: photos, from the open internet, and nothing from anywhere else (S30). Throws `Rejected`. */
export class LinkedFiles {
  private readonly rules: LinkRules | undefined;
  private readonly lookUp: LookupFunction | undefined;
  private readonly milliseconds: number;

  /** @param rules undefined: nothing is fetched */
  constructor(rules: LinkRules | undefined, milliseconds = fetchMilliseconds) {
    this.rules = rules;
    this.milliseconds = milliseconds;
    const { isOutside, nameServers } = rules ?? {};
    this.lookUp = isOutside && publicLookup({ isOutside, ...(nameServers && { nameServers }) });
  }

  get isAllowed(): boolean {
    return this.rules !== undefined;
  }

  /** What lies there, by what is said before it comes. */
  async look(text: string): Promise<LinkedFile> {
    const signal = AbortSignal.timeout(Math.min(lookMilliseconds, this.milliseconds));
    const { file, answer } = await this.open(text, signal).catch(inWords);
    answer.destroy();
    return file;
  }

  /** Never more of it than a photo may have. */
  async fetch(text: string, signal: AbortSignal, moved: Moved): Promise<Fetched> {
    try {
      return await this.read(text, AbortSignal.any([signal, AbortSignal.timeout(this.milliseconds)]), moved);
    } catch (error) {
      return inWords(error);
    }
  }

  private async read(text: string, signal: AbortSignal, moved: Moved): Promise<Fetched> {
    const { file, answer } = await this.open(text, signal);
    const chunks: Buffer[] = [];
    let bytes = 0;
    try {
      for await (const chunk of answer as AsyncIterable<Buffer>) {
        bytes += chunk.length;
        if (bytes > mostPhotoBytes) throw tooLarge();
        chunks.push(chunk);
        moved(bytes, file.size);
      }
    } finally {
      answer.destroy();
    }
    return { ...file, bytes: Buffer.concat(chunks) };
  }

  /** Each redirection is an address like the first one. */
  private async open(text: string, signal: AbortSignal): Promise<Arriving> {
    if (!this.rules) throw noLinks();
    let link = linkOf(text, this.rules);
    for (let left = mostRedirections; left >= 0; left -= 1) {
      const answer = await this.ask(link, signal);
      const { statusCode = 0, headers } = answer;
      if (statusCode === 200) return { answer, file: this.fileOf(link, answer) };
      answer.destroy();
      const { location } = headers;
      if (!redirections.has(statusCode) || location === undefined || !URL.canParse(location, link.href))
        throw unreachable();
      link = linkOf(new URL(location, link).href, this.rules);
    }
    throw unreachable();
  }

  private fileOf(link: URL, answer: IncomingMessage): LinkedFile {
    try {
      return linkedFileOf(link, answer.headers);
    } catch (error) {
      answer.destroy();
      throw error;
    }
  }

  /** Nothing that another request has left is sent along: no connection, no cookie, no referrer. */
  private ask(link: URL, signal: AbortSignal): Promise<IncomingMessage> {
    const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
    const request = link.protocol === 'https:' ? requestHttps : requestHttp;
    const asked = request(link, {
      headers: { accept: 'image/*', 'accept-encoding': 'identity', 'user-agent': 'Caravan' },
      agent: false,
      maxHeaderSize: 16_384,
      signal,
      ...(this.lookUp && { lookup: this.lookUp }),
    });
    asked.on('response', resolve).on('error', reject).end();
    return promise;
  }
}

function inWords(error: unknown): never {
  throw error instanceof Rejected ? error : unreachable();
}

const noLinks = () => new Rejected('companion/no-links', 'not-found', companionWords.noLinks);
