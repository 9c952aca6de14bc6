const units = ['KB', 'MB', 'GB', 'TB', 'PB']

/** `1.4 GB`, one decimal, in thousands as file managers count. */
export function formatSize(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`
  let value = bytes / 1000
  let unit = 0
  // 999,950 would be rounded to 1000.0 KB.
  while (value >= 999.95 && unit < units.length - 1) {
    value /= 1000
    unit++
  }
  return `${value.toFixed(1)} ${units[unit]}`
}

/** `1 file`, `24 files`, `1,204 directories`. */
export function formatCount(count: number, one: string, many: string): string {
  return `${count.toLocaleString('en')} ${count === 1 ? one : many}`
}
