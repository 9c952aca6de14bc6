import { addressAt } from './client.ts'

/** Lets the browser download what is at an address the server gave. Without a name it takes the one the bytes come with. */
export function save(url: string, name: string, type: string): void {
  saveAt(addressAt(url), name, type)
}

/** The same for what this page has made itself. */
export function saveText(text: string, name: string, type: string): void {
  const url = URL.createObjectURL(new Blob([text], { type }))
  saveAt(url, name, type)
  setTimeout(() => URL.revokeObjectURL(url), 60_000) // browsers read it a little later
}

function saveAt(href: string, name: string, type: string): void {
  const link = document.createElement('a')
  link.href = href
  link.download = name
  link.type = type
  document.body.append(link)
  link.click()
  link.remove()
}
