import { t } from '../../i18n/t.ts'
import { useIsOnline } from '../../lib/use-is-online.ts'
import { classNames } from '../class-names.ts'
import css from './offline-bar.module.css'

const c = classNames(css)

/** Shows that the browser is offline. The live region is always rendered, so that screen readers announce its text. */
export function OfflineBar() {
  const online = useIsOnline()
  return (
    <div role="status" className={online ? undefined : c('bar')}>
      {!online && t('You’re offline. Neptune can’t be reached.')}
    </div>
  )
}
