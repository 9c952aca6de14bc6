import { useEffect, useRef, useState } from 'react'
import { IconButton } from './button.tsx'
import { classNames } from './class-names.ts'
import css from './copy-field.module.css'
import { FieldFrame } from './field-frame.tsx'
import { CheckIcon, CopyIcon } from './icons.tsx'

const c = classNames(css)
const tickStay = 2000

export function CopyField({ label, value, hideLabel }: { label: string; value: string; hideLabel?: boolean | undefined }) {
  const input = useRef<HTMLInputElement>(null)
  const [outcome, setOutcome] = useState<'copied' | 'failed'>()
  useEffect(() => {
    if (outcome === undefined) return
    const timer = setTimeout(() => setOutcome(undefined), tickStay)
    return () => clearTimeout(timer)
  }, [outcome])

  const copy = async () => setOutcome((await copyFrom(input.current)) ? 'copied' : 'failed')

  return (
    <FieldFrame id={undefined} label={label} hideLabel={hideLabel}>
      {(wiring) => (
        <>
          <input
            {...wiring}
            ref={input}
            readOnly
            value={value}
            spellCheck={false}
            className={c('input')}
            onFocus={(event) => event.currentTarget.select()}
          />
          <span className={c('button')}>
            <IconButton
              label={`Copy ${label.toLowerCase()}`}
              icon={outcome === 'copied' ? <CheckIcon /> : <CopyIcon />}
              className={c(outcome)}
              onClick={() => void copy()}
            />
          </span>
          <span role="status" className="sr-only">
            {outcome && messages[outcome]}
          </span>
        </>
      )}
    </FieldFrame>
  )
}

const messages = { copied: 'Copied', failed: 'Not copied. The text is selected; copy it with your keyboard.' }

/** The clipboard API exists only on https and may be refused; the old command works from a selection, everywhere. */
async function copyFrom(input: HTMLInputElement | null) {
  if (!input) return false
  try {
    await navigator.clipboard.writeText(input.value)
    return true
  } catch {
    input.select()
    return document.execCommand('copy')
  }
}
