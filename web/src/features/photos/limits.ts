/** One photo, ten megabytes (5.10, 9.25). */
export const mostFiles = 1;
export const mostBytes = 10_485_760;
/** From here on a file goes up in parts (9.26): no photo does, unless this is lowered. */
export const partedFromBytes = 104_857_600;
/** What the server takes. */
export const photoTypes = ['image/jpeg', 'image/png', 'image/webp', 'image/gif', 'image/avif'];
/** Pixels (9.26). */
export const panelSize = { width: 750, height: 550 } as const;
export const longestAlt = 300;

type Named = { type?: string | undefined; name?: string | undefined };

/** What phones write and no browser but one reads. */
export const isHeic = ({ type = '', name = '' }: Named): boolean =>
  /^image\/hei[cf]/i.test(type) || /\.hei[cf]$/i.test(name);

export const isVectorFile = ({ type = '', name = '' }: Named): boolean =>
  type.startsWith('image/svg') || /\.svgz?$/i.test(name);
