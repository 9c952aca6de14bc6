/** Returns whether browsers allow passkeys on this page: they need https (or localhost), and a host name instead of an IP address. */
export const supportsPasskeys = (): boolean =>
  isSecureContext && 'PublicKeyCredential' in window && !/^[\d.]+$|^\[/.test(location.hostname)
