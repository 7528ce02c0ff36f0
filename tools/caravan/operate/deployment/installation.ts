import type { ServiceName } from '@caravan/contracts/events/topics';

/** Where the parts of an installation are, as whoever operates it reaches them. */
export type Installation = {
  /** Each service's database as its own role, and as the owner who migrates it. */
  readonly databases: Readonly<Record<ServiceName, { readonly runtime: string; readonly owner: string }>>;
  readonly kafka: readonly string[];
  readonly redis: string;
  readonly storage: string;
  /** As `SMTP_URL`; undefined where it is not known. */
  readonly mail: string | undefined;
  readonly services: Readonly<Record<ServiceName, string>>;
  /** Where services have their figures, when not on their own port. */
  readonly metricsPort: number | undefined;
  readonly serviceCredential: string;
  readonly publicUrl: string;
};

export function metricsUrlOf(serviceUrl: string, { metricsPort }: Pick<Installation, 'metricsPort'>): string {
  const figures = new URL('/metrics', serviceUrl);
  if (metricsPort !== undefined) figures.port = String(metricsPort);
  return figures.href;
}

/** `✗` needs somebody, `!` may be meant so. */
export type Finding = { readonly mark: '✓' | '!' | '✗'; readonly what: string; readonly details: string };

export const fine = (what: string, details: string): Finding => ({ mark: '✓', what, details });
export const noteworthy = (what: string, details: string): Finding => ({ mark: '!', what, details });
export const wrong = (what: string, details: string): Finding => ({ mark: '✗', what, details });

/** What a check finds; that it cannot be made is a finding too. */
export async function findingsOf(what: string, look: () => Promise<Finding[] | Finding>): Promise<Finding[]> {
  try {
    return [await look()].flat();
  } catch (error) {
    return [wrong(what, error instanceof Error ? error.message || error.name : String(error))];
  }
}
