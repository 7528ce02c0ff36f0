import type { RunFile } from './run-file.ts';

/** A part that a service asks nothing of at the moment, since it does not answer. */
export type OpenBreaker = { readonly service: string; readonly dependency: string };

const patienceMilliseconds = 5_000;
const openState = /^caravan_breaker_state\{(?=[^}]*dependency="([^"]+)")[^}]*\} [12]$/gm;

/** Which parts of a running instance are not asked at the moment, as its services' figures say. */
export async function openBreakers({ services, serviceCredential }: RunFile): Promise<OpenBreaker[]> {
  const asked = Object.entries(services).map(async ([service, url]) => {
    const text = await fetch(`${url}/metrics`, {
      headers: { 'x-service-credential': serviceCredential },
      signal: AbortSignal.timeout(patienceMilliseconds),
    }).then(
      (answer) => answer.text(),
      () => undefined,
    );
    // What tells nothing of others does not answer itself.
    if (text === undefined) return [{ service: 'nobody', dependency: service }];
    return [...text.matchAll(openState)].map(([, dependency = '']) => ({ service, dependency }));
  });
  return (await Promise.all(asked)).flat();
}
