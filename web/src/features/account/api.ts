import { queryOptions, useMutation } from '@tanstack/react-query';
import { login, readInvitation, signup } from '../../lib/api/generated/sdk.gen.ts';
import type { LoginData, SignupData } from '../../lib/api/generated/types.gen.ts';
import { startSession } from '../../lib/session-state.ts';

export const useLogIn = () =>
  useMutation({
    mutationFn: (body: LoginData['body']) => login({ body }),
    onSuccess: ({ token, user }) => startSession(token, user),
  });

export const useSignUp = () => useMutation({ mutationFn: (body: SignupData['body']) => signup({ body }) });

export const invitationQuery = (code: string) =>
  queryOptions({
    queryKey: ['/api/invitations', code],
    queryFn: ({ signal }) => readInvitation({ query: { code }, signal }),
    // An invite may be used up or revoked between two looks at it.
    staleTime: 0,
  });
