import { once } from 'node:events';
import { createServer } from 'node:http';
import { credentialHeader } from '@caravan/service-kit/service-credential';
import { testCredential } from '@caravan/service-kit/testing/neighbour';

/** What a stand-in for the other services answers, and what it was asked. */
export type Neighbours = {
  readonly url: string;
  /** Answers for each further question; the first one left stays. */
  answers: { status: number; files?: Record<string, object[]> }[];
  readonly bearers: string[];
  close(): Promise<void>;
};

/** One server in place of the four others. */
export async function startNeighbours(): Promise<Neighbours> {
  const bearers: string[] = [];
  const neighbours = { answers: [{ status: 200, files: {} }], bearers } as Pick<Neighbours, 'answers' | 'bearers'>;
  const server = createServer((request, answer) => {
    bearers.push(request.headers.authorization ?? '');
    const next = neighbours.answers.length > 1 ? neighbours.answers.shift() : neighbours.answers[0];
    const isNeighbour = request.headers[credentialHeader] === testCredential;
    const isKnown = request.url === '/internal/my-data' && isNeighbour && next !== undefined;
    answer.writeHead(isKnown ? next.status : 404, { 'content-type': 'application/json' });
    answer.end(JSON.stringify({ files: next?.files ?? {} }));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = address !== null && typeof address !== 'string' ? address.port : 0;
  return Object.assign(neighbours, {
    url: `http://127.0.0.1:${port}`,
    close: async () => {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  });
}

/** The variables that lead to a stand-in. */
export const leadingTo = ({ url }: Neighbours): Record<string, string> => ({
  ...{ ACTIVITY_URL: url, SCORING_URL: url, SOCIAL_URL: url, INTEGRATIONS_URL: url },
});
