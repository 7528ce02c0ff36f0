import { type LiveMessage, liveMessageSchema } from '@caravan/contracts/http/live';
import { liveTopics } from '@caravan/contracts/domain/live-topics';
import { target } from '../env.ts';
import type { Person } from './world.ts';

/** An open page of one person that shows everything: what the live stream sends to it, as it was sent. */
export class LivePage {
  text = '';
  private readonly ended = new AbortController();

  static async openFor({ token }: Person): Promise<LivePage> {
    const page = new LivePage();
    const stream = await fetch(`${target().url}/api/events?shows=${liveTopics.join()}`, {
      headers: { authorization: `Bearer ${token}` },
      signal: page.ended.signal,
    });
    if (!stream.ok || !stream.body) throw new Error(`the live stream was answered ${stream.status}`);
    page.read(stream.body).catch(() => undefined);
    return page;
  }

  get messages(): LiveMessage[] {
    return [...this.text.matchAll(/^data: (.*)\n\n/gm)].map(([, data = '']) =>
      liveMessageSchema.parse(JSON.parse(data)),
    );
  }

  close(): void {
    this.ended.abort();
  }

  private async read(body: ReadableStream<Uint8Array>): Promise<void> {
    const decoder = new TextDecoder();
    for await (const chunk of body) this.text += decoder.decode(chunk, { stream: true });
  }
}
