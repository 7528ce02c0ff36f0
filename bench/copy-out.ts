import { Client } from '@caravan/event-store/postgres/client';
import type { Connection, Submittable } from 'pg';

/** Throws the answer away; answers the number of bytes. */
export async function copyOut(databaseUrl: string, query: string): Promise<number> {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await client.query(`set app.org = 'system'`);
    return await new Promise<number>((resolve, reject) => {
      client.query(new Copying(query, resolve, reject));
    });
  } finally {
    await client.end();
  }
}

class Copying implements Submittable {
  private bytes = 0;

  constructor(
    private readonly text: string,
    private readonly done: (bytes: number) => void,
    private readonly failed: (error: Error) => void,
  ) {}

  submit(connection: Connection): void {
    connection.query(`copy (${this.text}) to stdout`);
  }

  handleCopyData({ chunk }: { chunk: Buffer }): void {
    this.bytes += chunk.length;
  }

  handleCommandComplete(): void {}

  handleReadyForQuery(): void {
    this.done(this.bytes);
  }

  handleError(error: Error): void {
    this.failed(error);
  }
}
