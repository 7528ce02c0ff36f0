import { once } from 'node:events';
import { createServer } from 'node:http';
import { json } from 'node:stream/consumers';
import { avatarChoicePath, avatarChoiceSchema } from '@caravan/contracts/http/photos';
import { credentialHeader } from '@caravan/service-kit/http/service-credential';
import { testCredential } from '@caravan/service-kit/testing/peer';

/** What a stand-in for the other services answers, and what it was asked. */
export type PeerServices = {
  readonly url: string;
  /** Answers for each further question; the first one left stays. */
  answers: { status: number; files?: Record<string, object[]>; pictures?: { name: string; key: string }[] }[];
  readonly bearers: string[];
  /** What activity answers, and what it was asked. */
  pictureStatus: number;
  readonly pictures: object[];
  close(): Promise<void>;
};

/** One server in place of the four others. */
export async function startPeerServices(): Promise<PeerServices> {
  const bearers: string[] = [];
  const pictures: object[] = [];
  const peers = { answers: [{ status: 200, files: {} }], bearers, pictureStatus: 204, pictures } as Omit<
    PeerServices,
    'url' | 'close'
  >;
  const server = createServer((request, answer) => {
    const isPeer = request.headers[credentialHeader] === testCredential;
    if (request.url === avatarChoicePath && request.method === 'POST' && isPeer) {
      void json(request).then((asked) => {
        pictures.push(avatarChoiceSchema.strict().parse(asked));
        answer.writeHead(peers.pictureStatus).end();
      });
      return;
    }
    bearers.push(request.headers.authorization ?? '');
    const next = peers.answers.length > 1 ? peers.answers.shift() : peers.answers[0];
    const isKnown = request.url === '/internal/my-data' && isPeer && next !== undefined;
    answer.writeHead(isKnown ? next.status : 404, { 'content-type': 'application/json' });
    answer.end(JSON.stringify({ files: next?.files ?? {}, pictures: next?.pictures }));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = address !== null && typeof address !== 'string' ? address.port : 0;
  return Object.assign(peers, {
    url: `http://127.0.0.1:${port}`,
    close: async () => {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  });
}

/** The variables that lead to a stand-in. */
export const urlsOf = ({ url }: PeerServices): Record<string, string> => ({
  ACTIVITY_URL: url,
  SCORING_URL: url,
  SOCIAL_URL: url,
  INTEGRATIONS_URL: url,
});
