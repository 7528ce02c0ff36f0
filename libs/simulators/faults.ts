import type { ServerResponse } from 'node:http';
import { z } from 'zod';

/** How a platform misbehaves; without a path at everything but its consent page, without times until it is taken away. */
export const faultSchema = z.object({
  kind: z.union([
    z.enum(['slow', 'hanging', 'garbage', 'other-shape', 'huge', 'redirect', 'cut']),
    z.union([401, 403, 410, 429, 500, 503].map((status) => z.literal(status))),
  ]),
  path: z.string().optional(),
  times: z.number().int().positive().optional(),
  /** Of a slow one. */
  milliseconds: z.number().int().positive().default(3_000),
  /** Where a redirect leads. */
  location: z.string().optional(),
});
export type Fault = z.input<typeof faultSchema>;

const hugeBytes = 40_000_000;

export class Faults {
  private current: (z.infer<typeof faultSchema> & { left: number }) | undefined;

  set(fault: Fault | undefined): void {
    const parsed = fault && faultSchema.parse(fault);
    this.current = parsed && { ...parsed, left: parsed.times ?? Infinity };
  }

  take(path: string): z.infer<typeof faultSchema> | undefined {
    const fault = this.current;
    if (!fault || (fault.path !== undefined && !path.startsWith(fault.path))) return undefined;
    fault.left -= 1;
    if (fault.left <= 0) this.current = undefined;
    return fault;
  }
}

/** Whether the fault has answered in place of the platform; of a hanging one nobody ever will. */
export async function misbehave(fault: z.infer<typeof faultSchema>, answer: ServerResponse): Promise<boolean> {
  const json = (status: number, body: string) => {
    answer.writeHead(status, { 'content-type': 'application/json' }).end(body);
    return true;
  };
  switch (fault.kind) {
    case 'slow':
      await new Promise((resolve) => setTimeout(resolve, fault.milliseconds).unref());
      return false;
    case 'hanging':
      return true;
    case 'garbage':
      return json(200, '<html>{"a":');
    case 'other-shape':
      return json(200, '{"weather":"fine"}');
    case 'huge':
      answer.writeHead(200, { 'content-type': 'application/json' });
      for (let sent = 0; sent < hugeBytes && !answer.destroyed; sent += 1_000_000)
        if (!answer.write(Buffer.alloc(1_000_000, 0x20)))
          await Promise.race(['drain', 'close'].map((event) => new Promise((done) => answer.once(event, done))));
      answer.end();
      return true;
    case 'redirect':
      answer.writeHead(302, { location: fault.location ?? 'http://127.0.0.1:9/' }).end();
      return true;
    case 'cut':
      answer.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' }).write('[{"id":');
      answer.destroy();
      return true;
    default:
      return json(fault.kind, JSON.stringify({ message: `Simulated ${fault.kind}` }));
  }
}
