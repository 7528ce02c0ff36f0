import { expect, test } from 'vitest';
import { pathsOf, serveApi, signedInAs } from '../testing/app.tsx';
import { createQueryClient } from './query-client.ts';

test('[9.30 8.2] no retry, never stale, no refetch on focus, reconnection or interval', () => {
  const { queries, mutations } = createQueryClient().getDefaultOptions();
  expect(queries).toMatchObject({
    retry: false,
    staleTime: Infinity,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
    refetchInterval: false,
  });
  expect(mutations?.retry).toBe(false);
});

test('[7.2] a query without its own function GETs the path that its key spells', async () => {
  signedInAs();
  const calls = serveApi({ 'GET /api/weekly-challenges/c1/progress': { body: { currentProgress: 3 } } });
  const answer = await createQueryClient().query({ queryKey: ['/api/weekly-challenges', 'c1', 'progress'] });
  expect(answer).toEqual({ currentProgress: 3 });
  expect(pathsOf(calls)).toEqual(['GET /api/weekly-challenges/c1/progress']);
});

test('[8.1] a query answered 401 or 403 yields null', async () => {
  signedInAs();
  serveApi({ 'GET /api/logs': { status: 403, body: {} } });
  expect(await createQueryClient().query({ queryKey: ['/api/logs'] })).toBeNull();
});

test('[8.2] a failed query is called once', async () => {
  signedInAs();
  const calls = serveApi({ 'GET /api/logs': { status: 500, body: 'Boom' } });
  await expect(createQueryClient().query({ queryKey: ['/api/logs'] })).rejects.toThrow('500: Boom');
  expect(calls).toHaveLength(1);
});
