import { t } from '../../i18n/t.ts'
import { classNames } from '../class-names.ts'
import { CheckIcon, CopyIcon } from '../icons.tsx'
import { Button } from './button.tsx'
import css from './copy-field.module.css'
import { useCopy } from './use-copy.ts'

const c = classNames(css)

interface CopyButtonProps {
  label: string
  text: string
  /** Whether it is the main button of a dialog, which gets the focus. */
  isMain?: boolean
}

/** Copies a text that is too long for a field. */
export function CopyButton({ label, text, isMain = false }: CopyButtonProps) {
  const { outcome, copy } = useCopy(text)
  return (
    <>
      <Button
        variant={isMain ? 'primary' : 'quiet'}
        data-initial-focus={isMain}
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
