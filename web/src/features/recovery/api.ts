import { useMutation } from '@tanstack/react-query';
import { forgotPassword, resetPassword } from '../../lib/api/generated/sdk.gen.ts';
import type { ForgotPasswordData, ResetPasswordData } from '../../lib/api/generated/types.gen.ts';
import { endSession } from '../../lib/session-state.ts';

export const useForgotPassword = () =>
  useMutation({ mutationFn: (body: ForgotPasswordData['body']) => forgotPassword({ body }) });

export const useResetPassword = () =>
  useMutation({
    mutationFn: (body: ResetPasswordData['body']) => resetPassword({ body }),
    // A new password ends every session of the account at the server.
    onSuccess: endSession,
  });
