import type { LinkRow } from '@neptune/contract'
import { useId } from 'react'
import { classNames } from '../../components/class-names.ts'
import { Button } from '../../components/form/button.tsx'
import { CopyButton } from '../../components/form/copy-button.tsx'
import { CopyField } from '../../components/form/copy-field.tsx'
import { EyeIcon } from '../../components/icons.tsx'
import { useShowCode } from '../../features/link/link-queries.ts'
import { formatLinkDetails } from '../../features/link/link-texts.ts'
import { t } from '../../i18n/t.ts'
import css from './link-dialogs.module.css'

const c = classNames(css)

/** Shows the access code on request only, because the audit log records who saw it. Then all details can be copied, too. */
export function AccessCodeField({ link, shownCode }: { link: LinkRow; shownCode?: string | undefined }) {
  const show = useShowCode()
  const hintId = useId()
  const code = shownCode ?? show.result
  if (code !== undefined) {
    return (
      <div className={c('choice')}>
        <CopyField label={t('Access code')} value={code} />
        <div>
          <CopyButton label={t('Copy details')} text={formatLinkDetails(link, code)} />
        </div>
      </div>
    )
  }
  return (
    <div className={c('choice')}>
      <div>
        <Button icon={<EyeIcon />} busy={show.isBusy} aria-describedby={hintId} onClick={() => show.run(link.key)}>
          {t('Show code')}
        </Button>
      </div>
      <p id={hintId} className={c('hint')} role={show.error ? 'alert' : undefined}>
        {show.error ? show.error.message : t('Lets you pass it on yourself. The activity log records that you saw it.')}
      </p>
    </div>
  )
}
