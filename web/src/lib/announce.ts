/** Says something to those who do not see it, once, without moving the focus. */
export function announce(words: string): void {
  const announcement = document.getElementById('announcement')
  if (announcement) announcement.textContent = words
}
