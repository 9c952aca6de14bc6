import { useState } from 'react'
import { downloadText } from '../../../api/browser-download.ts'
import { useSession } from '../../../api/session.ts'
import { classNames } from '../../../components/class-names.ts'
import { Button } from '../../../components/form/button.tsx'
import { Checkbox } from '../../../components/form/checkbox.tsx'
import { CopyButton } from '../../../components/form/copy-button.tsx'
import { DownloadIcon, PrinterIcon } from '../../../components/icons.tsx'
import { DialogFrame } from '../../../components/layout/dialog-frame.tsx'
import { t } from '../../../i18n/t.ts'
import { productName, useBrand } from '../../../lib/brand.ts'
import css from './factor-dialogs.module.css'

const c = classNames(css)

/** Shows new recovery codes, which can’t be shown again. Closes only after the user has confirmed that they are saved. */
export function RecoveryCodesDialog({ codes, onClose }: { codes: readonly string[]; onClose: () => void }) {
  const [isSaved, setSaved] = useState(false)
  const [isMissing, setMissing] = useState(false)
  const title = useSheetTitle()
  const text = [title, '', ...codes, ''].join('\n')
  const close = () => (isSaved ? onClose() : setMissing(true))
  return (
    <DialogFrame
      title={t('Save your recovery codes')}
      description={t(
        'Each of them replaces your second factor once, for example if you lose your phone. You won’t be able to see them again.',
      )}
      confirmLabel={t('Close')}
      error={isMissing && !isSaved ? describeMissing() : undefined}
      isShownOnce
      onClose={close}
    >
      <div className={c('sheet')}>
        <p className={c('sheetTitle')}>{title}</p>
        <ul className={c('codes')} aria-label={t('Recovery codes')}>
          {codes.map((code) => (
            <li key={code}>{code}</li>
          ))}
        </ul>
      </div>
      <div className={c('actions')}>
        <CopyButton label={t('Copy')} text={text} />
        <Button icon={<DownloadIcon />} onClick={() => downloadText(text, 'recovery-codes.txt', 'text/plain')}>
          {t('Download')}
        </Button>
        <Button icon={<PrinterIcon />} onClick={() => window.print()}>
          {t('Print')}
        </Button>
      </div>
      <Checkbox
        name="is_saved"
        label={t('I have saved them')}
        checked={isSaved}
        aria-invalid={isMissing && !isSaved ? true : undefined}
        onChange={({ target }) => setSaved(target.checked)}
      />
    </DialogFrame>
  )
}

const describeMissing = () => ({
  title: t('The codes aren’t saved yet.'),
  errors: [{ field: 'is_saved', message: t('Save them, and confirm it below.') }],
})

/** The title of the codes on paper and in a file. */
function useSheetTitle(): string {
  const session = useSession()
  const { name } = useBrand()
  const email = session.kind === 'signed-in' ? session.info.email : ''
  return t('Recovery codes of {email} for {organisation}', { email, organisation: name ?? productName })
}
