import { type RefObject, useEffect, useState } from 'react'

const tickStay = 2000

/** Copies, and says for a while how that went. `field` holds the text where the person may see it selected, if there is one. */
export function useCopy(text: string, field?: RefObject<HTMLInputElement | null>) {
  const [outcome, setOutcome] = useState<'copied' | 'failed'>()
  useEffect(() => {
    if (outcome === undefined) return
    const timer = setTimeout(() => setOutcome(undefined), tickStay)
    return () => clearTimeout(timer)
  }, [outcome])
  const copy = async () => setOutcome((await copyText(text, field?.current)) ? 'copied' : 'failed')
  return { outcome, copy }
}

/** The clipboard API exists only on https and may be refused; the old command works from a selection, everywhere. */
async function copyText(text: string, field: HTMLInputElement | null | undefined): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    return field ? copyFrom(field) : copyFromNowhere(text)
  }
}

function copyFrom(field: HTMLInputElement | HTMLTextAreaElement): boolean {
  field.select()
  return document.execCommand('copy')
}

/** From a field that is there for this moment, beside the button, so that a dialog around both does not keep it from being selected. */
function copyFromNowhere(text: string): boolean {
  const button = document.activeElement
  const field = document.createElement('textarea')
  field.className = 'sr-only'
  field.value = text
  ;(button?.parentElement ?? document.body).append(field)
  const isCopied = copyFrom(field)
  field.remove()
  if (button instanceof HTMLElement) button.focus()
  return isCopied
}
