/** Hands the picture to the device's own sharing, or saves it as a file. Somebody who changes their mind made no error. */
export async function shareOrSave(picture: Blob, title: string): Promise<void> {
  const file = new File([picture], 'caravan.png', { type: 'image/png' });
  if ('canShare' in navigator && navigator.canShare({ files: [file] })) {
    try {
      await navigator.share({ files: [file], title });
    } catch (error) {
      if (!(error instanceof DOMException && error.name === 'AbortError')) throw error;
    }
    return;
  }
  const address = URL.createObjectURL(picture);
  const link = Object.assign(document.createElement('a'), { href: address, download: file.name });
  link.click();
  URL.revokeObjectURL(address);
}
