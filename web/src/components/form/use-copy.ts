import { type RefObject, useEffect, useState } from 'react'

const outcomeDurationMs = 2000

/** Returns a function that copies a text, and its outcome for two seconds. `field` is a visible input that contains the text, if any. */
export function useCopy(text: string, field?: RefObject<HTMLInputElement | null>) {
  const [outcome, setOutcome] = useState<'copied' | 'failed'>()
  useEffect(() => {
    if (outcome === undefined) return
    const timer = setTimeout(() => setOutcome(undefined), outcomeDurationMs)
    return () => clearTimeout(timer)
  }, [outcome])
  const copy = async () => setOutcome((await copyText(text, field?.current)) ? 'copied' : 'failed')
  return { outcome, copy }
}

/** Falls back to `execCommand`, because the Clipboard API needs https and can be denied. */
async function copyText(text: string, field: HTMLInputElement | null | undefined): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    return field ? copyFromField(field) : copyFromTemporaryField(text)
  }
}

function copyFromField(field: HTMLInputElement | HTMLTextAreaElement): boolean {
  field.select()
  return document.execCommand('copy')
}

/** Copies from a temporary field. It is placed next to the button, because a modal dialog makes everything outside it inert. */
function copyFromTemporaryField(text: string): boolean {
  const button = document.activeElement
  const field = document.createElement('textarea')
  field.className = 'sr-only'
  field.value = text
  ;(button?.parentElement ?? document.body).append(field)
  const isCopied = copyFromField(field)
  field.remove()
  if (button instanceof HTMLElement) button.focus()
  return isCopied
}
