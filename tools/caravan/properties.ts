/**
 * A value of a Java properties file, which is read as ISO 8859-1: what is not printable ASCII is written as UTF-16 units,
 * a backslash and a leading blank by escapes.
 */
export const propertyValue = (text: string): string =>
  text
    .replaceAll('\\', '\\\\')
    .replaceAll(/[^\x20-\x7e]/gu, (sign) =>
      sign.replaceAll(/[\s\S]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`),
    )
    .replace(/^ /, '\\ ');

/** A value in double quotes as redis.conf takes it. */
export const redisQuoted = (text: string): string => `"${text.replaceAll(/["\\]/g, String.raw`\$&`)}"`;
