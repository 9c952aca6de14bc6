export const countFiles = (count: number) => (count === 1 ? 'a file' : `${count} files`)

/** Shortens a name so that it fits into a subject line. */
export const shorten = (name: string) => ([...name].length > 60 ? `${[...name].slice(0, 59).join('')}…` : name)

/** Formats a time in UTC, because the reader's time zone is unknown. */
export const formatTime = (time: string) =>
  `${new Intl.DateTimeFormat('en', { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' }).format(new Date(time))} UTC`

export function formatSize(bytes: number): string {
  const units = ['B', 'KB', 'MB', 'GB', 'TB']
  const step = Math.min(units.length - 1, bytes < 1000 ? 0 : Math.floor(Math.log10(bytes) / 3))
  return `${(bytes / 1000 ** step).toLocaleString('en', { maximumFractionDigits: step === 0 ? 0 : 1 })} ${units[step]}`
}
