import type { Caller } from '@caravan/auth/claims';
import { companionWords, type LinkedFile, type LinkImport, type LinkNews } from '@caravan/contracts/http/companion';
import { Rejected } from '@caravan/kernel/rejected';
import { Inject, Injectable } from '@nestjs/common';
import { type Begun, StoredFiles, Uploads } from '../photos/index.ts';
import { LinkedFiles } from './linked-files.client.ts';
import { holdMilliseconds, type WantedLink, WantedLinks } from './wanted-links.client.ts';

/** Each lies in memory until it is sent on. */
const mostAtOnce = 4;
const mostWaiting = 32;
const newsEveryMilliseconds = 500;

type Socket = { readonly signal: AbortSignal; tell: (news: LinkNews) => void };

/** Photos that are fetched from other sites, into the caller's own part of the storage. */
@Injectable()
export class LinkImports {
  private running = 0;
  private readonly waiting: (() => void)[] = [];

  constructor(
    @Inject(LinkedFiles) private readonly links: LinkedFiles,
    @Inject(WantedLinks) private readonly wanted: WantedLinks,
    @Inject(Uploads) private readonly uploads: Uploads,
    @Inject(StoredFiles) private readonly files: StoredFiles,
  ) {}

  get isAllowed(): boolean {
    return this.links.isAllowed;
  }

  /** Throws `Rejected`, like `begin`. */
  async look({ userId }: Caller, url: string): Promise<LinkedFile> {
    if (this.isAllowed) await this.wanted.countLook(userId);
    return this.links.look(url);
  }

  /** Refused at once is what cannot be fetched; the file itself waits for the socket. */
  async begin(caller: Caller, url: string): Promise<LinkImport> {
    await this.look(caller, url);
    const { orgId, userId, sessionId } = caller;
    const keep = ({ key }: Begun) => this.wanted.keep({ orgId, userId, sessionId, key, link: url });
    return { token: await this.uploads.beginning(caller, undefined, keep) };
  }

  /** As long as the socket is open; opened again it begins again, or says once more where the file lies. */
  async run(token: string, { signal: closed, tell }: Socket): Promise<void> {
    if (!(await this.wanted.hold(token))) return;
    const signal = AbortSignal.any([closed, AbortSignal.timeout(holdMilliseconds)]);
    try {
      const wanted = await this.wanted.find(token);
      if (!wanted) throw new Rejected('upload/not-found', 'not-found', companionWords.noUpload);
      const sent = wanted.sent ?? (await this.inTurn(signal, () => this.send(wanted, signal, tell)));
      if (!wanted.sent) await this.wanted.noteSent(token, { ...wanted, sent });
      tell({ action: 'success', payload: { complete: true, ...sent } });
    } catch (error) {
      if (closed.aborted) return;
      const message = error instanceof Rejected ? error.message : companionWords.unavailable;
      tell({ action: 'error', payload: { error: { message } } });
    } finally {
      await this.wanted.release(token);
    }
  }

  forget(token: string): Promise<void> {
    return this.wanted.forget(token);
  }

  private async send({ link, key }: WantedLink, signal: AbortSignal, tell: Socket['tell']) {
    let toldAt = 0;
    const reportProgress = (bytes: number, size: number | null) => {
      if (size === null || performance.now() - toldAt < newsEveryMilliseconds) return;
      toldAt = performance.now();
      tell({ action: 'progress', payload: progressOf(bytes, size) });
    };
    const fetched = await this.links.fetch(link, signal, reportProgress);
    signal.throwIfAborted();
    await this.files.receive(key, fetched.bytes, fetched.type);
    return { url: await this.files.addressOf(key), bytesUploaded: fetched.bytes.length };
  }

  private async inTurn<Result>(signal: AbortSignal, work: () => Promise<Result>): Promise<Result> {
    if (this.running < mostAtOnce) this.running += 1;
    else {
      if (this.waiting.length >= mostWaiting) throw busy();
      await new Promise<void>((resolve) => this.waiting.push(resolve));
    }
    try {
      signal.throwIfAborted();
      return await work();
    } finally {
      const next = this.waiting.shift();
      if (next) next();
      else this.running -= 1;
    }
  }
}

const progressOf = (bytesUploaded: number, bytesTotal: number) => ({
  bytesUploaded,
  bytesTotal,
  progress: ((bytesUploaded / bytesTotal) * 100).toFixed(2),
});
const busy = () => new Rejected('companion/too-busy', 'unavailable', companionWords.busy);
