import { chmodSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ReceivedMail } from '@caravan/service-kit/testing/mail-server';

const mostMails = 1_000;

/** The newest thousand stay. */
export class KeptMails {
  readonly #folder: string;
  #names: string[];
  #nth = 0;

  constructor(folder: string) {
    mkdirSync(folder, { recursive: true });
    // A mail holds links that let in whoever opens them.
    chmodSync(folder, 0o700);
    this.#folder = folder;
    this.#names = readdirSync(folder)
      .filter((name) => name.endsWith('.json'))
      .toSorted();
  }

  /** When it returns the mail survives the end of the process. */
  keep(mail: ReceivedMail): void {
    this.#nth += 1;
    // Sorted by name they are sorted by arrival, also those of one millisecond.
    const name = `${mail.receivedAt.replaceAll(':', '-')}-${String(this.#nth).padStart(6, '0')}-${mail.id}.json`;
    const whole = join(this.#folder, name);
    writeFileSync(`${whole}.part`, JSON.stringify(mail), { mode: 0o600 });
    renameSync(`${whole}.part`, whole);
    this.#names.push(name);
    for (const old of this.#names.splice(0, Math.max(0, this.#names.length - mostMails))) {
      rmSync(join(this.#folder, old), { force: true });
    }
  }

  list(to?: string): ReceivedMail[] {
    const mails = this.#names.toReversed().map((name) => this.#read(name));
    return to === undefined ? mails : mails.filter((mail) => mail.to.includes(to.toLowerCase()));
  }

  find(id: string): ReceivedMail | undefined {
    const name = this.#names.find((candidate) => candidate.endsWith(`-${id}.json`));
    return name === undefined ? undefined : this.#read(name);
  }

  #read(name: string): ReceivedMail {
    return JSON.parse(readFileSync(join(this.#folder, name), 'utf8')) as ReceivedMail;
  }
}
