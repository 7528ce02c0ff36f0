import { QueryClientProvider } from '@tanstack/react-query';
import { fireEvent, render } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { createQueryClient } from '../lib/query-client.ts';
import { Avatar } from './avatar.tsx';

const end = '?viewer=o1&expires=1&signature=s1';
const [small, large] = [64, 280].map((size) => `/objects/photos/p1/${size}.webp${end}`);

function draw(photoUrl: string | undefined, size: 'normal' | 'large' | 'huge') {
  const queryClient = createQueryClient();
  const { container } = render(
    <QueryClientProvider client={queryClient}>
      <Avatar name="Maya Okafor" photoUrl={photoUrl} size={size} />
    </QueryClientProvider>,
  );
  const faceOf = () => container.querySelector('img');
  return { faceOf, queryClient, told: ['src', 'srcset', 'width'].map((name) => faceOf()?.getAttribute(name)) };
}

test.each([
  ['normal', small, [small, `${small} 1x, ${large} 2x`, '44']],
  ['large', small, [large, null, '60']],
  ['huge', small, [large, null, '96']],
  ['huge', large, [large, null, '96']],
  ['normal', large, [large, null, '44']],
] as const)('[S29] a %s face with the address %s has as many pixels as screens show', (size, address, expected) => {
  expect(draw(address, size).told).toEqual(expected);
});

test('a face that cannot be loaded in any size is asked for again by the address that its list has', () => {
  const { faceOf, queryClient } = draw(small, 'huge');
  const invalidate = vi.spyOn(queryClient, 'invalidateQueries');
  const image = faceOf();
  if (image) fireEvent.error(image);
  expect(faceOf()).toBeNull();
  const asks = invalidate.mock.calls[0]?.[0]?.predicate;
  const queryKey: readonly unknown[] = ['/api/users'];
  const query = queryClient.getQueryCache().build(queryClient, { queryKey });
  query.setData([{ photoUrl: small }]);
  expect(asks?.(query)).toBe(true);
});
