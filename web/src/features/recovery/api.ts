import { useMutation } from '@tanstack/react-query';
import { forgotPassword } from '../../lib/api/generated/sdk.gen.ts';
import type { ForgotPasswordData } from '../../lib/api/generated/types.gen.ts';

/** Has a link for a new password mailed (7.7). */
export const useForgotPassword = () =>
  useMutation({ mutationFn: (body: ForgotPasswordData['body']) => forgotPassword({ body }) });
