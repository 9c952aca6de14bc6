/** Announces a text to screen readers without moving the focus. */
export function announce(text: string): void {
  const announcement = document.getElementById('announcement')
  if (announcement) announcement.textContent = text
}
