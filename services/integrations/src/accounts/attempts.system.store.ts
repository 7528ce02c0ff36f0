import type { Rows } from '../rows/index.ts';

export async function forgetExpiredAttempts(rows: Rows, at: Date): Promise<void> {
  await rows.ofEveryone().connectAttempt.deleteMany({ where: { expiresAt: { lt: at } } });
}
