import { classNames } from '../../components/class-names.ts'
import { useOnline } from '../../lib/use-online.ts'
import { t } from '../../words/t.ts'
import css from './offline-bar.module.css'

const c = classNames(css)

/** Says that the network is gone. The region is always there, so that its text is announced when it comes. */
export function OfflineBar() {
  const online = useOnline()
  return (
    <div role="status" className={online ? undefined : c('bar')}>
      {!online && t('You are offline. Neptune cannot be reached.')}
    </div>
  )
}
