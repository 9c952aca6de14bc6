import { toApiUrl } from './client.ts'

/** Downloads a file from the server. If `name` is empty, the browser uses the name from the response. */
export function downloadUrl(url: string, name: string, type: string): void {
  clickDownloadLink(toApiUrl(url), name, type)
}

/** Downloads text created by this page. */
export function downloadText(text: string, name: string, type: string): void {
  const url = URL.createObjectURL(new Blob([text], { type }))
  clickDownloadLink(url, name, type)
  setTimeout(() => URL.revokeObjectURL(url), 60_000) // browsers read the blob a little later
}

function clickDownloadLink(href: string, name: string, type: string): void {
  const link = document.createElement('a')
  link.href = href
  link.download = name
  link.type = type
  document.body.append(link)
  link.click()
  link.remove()
}
