import { t } from '../../i18n/t.ts'
import { classNames } from '../class-names.ts'
import { CheckIcon, CopyIcon } from '../icons.tsx'
import { Button } from './button.tsx'
import css from './copy-field.module.css'
import { useCopy } from './use-copy.ts'

const c = classNames(css)

/** Copies a text that is too long for a field. */
export function CopyButton({ label, text }: { label: string; text: string }) {
  const { outcome, copy } = useCopy(text)
  return (
    <>
      <Button
        icon={outcome === 'copied' ? <CheckIcon /> : <CopyIcon />}
        className={c(outcome === 'copied' && 'checked')}
        onClick={() => void copy()}
      >
        {label}
      </Button>
      <span role="status" className="sr-only">
        {outcome && t(messages[outcome])}
      </span>
    </>
  )
}

const messages = { copied: 'Copied', failed: 'Not copied. Your browser doesn’t allow it.' } as const
