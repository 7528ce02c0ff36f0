import { chmodSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/** Root starts PostgreSQL as another user, who has to pass through the folder above its own. */
export const dataMode = process.getuid?.() === 0 ? 0o711 : 0o700;

/** Mails, logs and settings hold links and personal data, so other users of the machine read none of them. */
export function makePrivate(folder: string, mode = 0o700): void {
  mkdirSync(folder, { recursive: true });
  // Also what an earlier version made, or another umask.
  chmodSync(folder, mode);
  for (const entry of readdirSync(folder, { withFileTypes: true }))
    if (entry.isFile()) chmodSync(join(folder, entry.name), 0o600);
}

/** A program takes the umask over as it starts: what it writes then is its owner's alone. */
export function privately<Result>(start: () => Result): Result {
  const before = process.umask(0o077);
  try {
    return start();
  } finally {
    process.umask(before);
  }
}
