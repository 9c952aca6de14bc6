/** How to connect to a mail server. */
export interface MailServer {
  host: string
  port: number
  /** Whether the connection is encrypted from the start. Otherwise, it is encrypted if the server offers it. */
  isTls: boolean
  user: string | undefined
  password: string | undefined
}

/** Parses `SMTP_URL`. */
export function parseSmtpUrl(url: string): MailServer {
  const { protocol, hostname, port, username, password } = new URL(url)
  const isTls = protocol === 'smtps:'
  return {
    host: hostname.replace(/^\[(.*)\]$/, '$1'),
    port: port ? Number(port) : getDefaultPort(isTls),
    isTls,
    user: username ? decodeURIComponent(username) : undefined,
    password: username ? decodeURIComponent(password) : undefined,
  }
}

export const getDefaultPort = (isTls: boolean) => (isTls ? 465 : 587)

export function isSmtpUrl(url: string) {
  try {
    const { protocol, hostname, username, password } = new URL(url)
    decodeURIComponent(username + password)
    return /^smtps?:$/.test(protocol) && hostname !== ''
  } catch {
    return false
  }
}
