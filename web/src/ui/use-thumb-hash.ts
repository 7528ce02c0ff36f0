import { useEffect, useState } from 'react';

/** What a photo looks like from afar, as a data URL, once its decoder is loaded; undefined before that and for what is no hash. */
export function useThumbHash(hash: string | undefined): string | undefined {
  const [picture, setPicture] = useState<{ of: string; url: string }>();
  useEffect(() => {
    if (!hash) return undefined;
    let isGone = false;
    import('thumbhash')
      .then(({ thumbHashToDataURL }) => {
        const url = thumbHashToDataURL(Uint8Array.from(atob(hash), (letter) => letter.charCodeAt(0)));
        if (!isGone) setPicture({ of: hash, url });
      })
      // Decoration: without it the place is empty for a moment longer.
      .catch(() => undefined);
    return () => {
      isGone = true;
    };
  }, [hash]);
  return picture?.of === hash ? picture?.url : undefined;
}
